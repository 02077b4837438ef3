#include "ui/number_canvas.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace headlight::app {

namespace {

constexpr std::size_t recent = 200;  // recent notes, for a card that measures itself before it is drawn

/// The position of a number in these words, where it is not part of a longer number.
std::size_t place_in(std::string_view words, std::string_view number) {
  const auto digit = [&](std::size_t at) {
    const unsigned char c = static_cast<unsigned char>(words[at]);
    return std::isdigit(c) != 0 || c == '.';
  };
  for (std::size_t at = 0; (at = words.find(number, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + number.size();
    const bool longer = (at > 0 && digit(at - 1)) || (end < words.size() && digit(end) && words[end] != '.');
    if (!longer) return at;
  }
  return std::string_view::npos;
}

}  // namespace

void NumberCanvas::text(draw::Point at, std::string_view words, const draw::TextStyle& style) {
  if (style.turn != 0 || words.empty()) return;
  placed_.resize(stated_.size());
  float left = at.x;
  bool measured = false;
  for (std::size_t i = stated_.size(); i-- > (stated_.size() > recent ? stated_.size() - recent : 0);) {
    const scene::StatedNumber& stated = stated_[i];
    if (placed_[i] || stated.words.empty() || stated.words == "–") continue;
    const std::size_t place = place_in(words, stated.words);
    if (place == std::string_view::npos) continue;
    if (!measured && style.align != draw::Align::left) {
      const float width = text_width(words, style);
      left -= style.align == draw::Align::centre ? width / 2 : width;
    }
    measured = true;
    const float from = text_width(words.substr(0, place), style);
    const float width = text_width(stated.words, style), high = style.size * 1.3f;
    const float middle = style.valign == draw::VAlign::middle ? at.y
                         : style.valign == draw::VAlign::top  ? at.y + style.size * 0.6f
                                                              : at.y - style.size * 0.36f;
    numbers_.push_back({{left + from, middle - high / 2, width, high}, stated.quantity});
    for (std::size_t j = 0; j < stated_.size(); ++j) {
      if (stated_[j].quantity == stated.quantity) placed_[j] = true;
    }
  }
}

const NumberCanvas::Number* NumberCanvas::at(draw::Point point) const {
  const Number* best = nullptr;
  for (const Number& number : numbers_) {
    const draw::Box reach{number.box.x - 3, number.box.y - 2, number.box.w + 6, number.box.h + 4};
    if (reach.has(point) && (!best || number.box.w < best->box.w)) best = &number;
  }
  return best;
}

draw::Box box_of(const draw::Hit& hit, const draw::Box& target) {
  if (hit.map.w <= 0 || hit.shown.w <= 0 || hit.shown.h <= 0) return target;
  const float wide = hit.map.w / hit.shown.w, high = hit.map.h / hit.shown.h;
  const float col = std::floor(hit.cell.x) - hit.shown.x, row = std::floor(hit.cell.y) - hit.shown.y;
  return {hit.map.x + col * wide, hit.map.y + row * high, wide, high};
}

}  // namespace headlight::app
