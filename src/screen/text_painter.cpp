#include "screen/text_painter.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <unordered_map>

#include "base/utf8.h"
#include "draw/turned.h"
#include "screen/glyph_pages.h"

namespace headlight::screen {

namespace {

constexpr std::size_t most_glyphs_kept = 400'000;  // in cached lines: about 10 MB
constexpr std::uint64_t frames_kept = 120;  // a line unused for this long is dropped when space is needed

struct LineGlyph {
  GlyphSteps* steps;
  float x;  // of the pen, from the start of the line
  float y;  // height above the baseline, in whole pixels
};

struct Line {
  std::string words;
  std::vector<LineGlyph> glyphs;
  float width = 0;
  std::uint64_t used = 0;  // the frame
};

std::uint64_t line_key(std::string_view words, draw::Font font, float px) {
  std::uint64_t key = std::hash<std::string_view>{}(words);
  key ^= (static_cast<std::uint64_t>(std::lround(px * 64)) << 2 | static_cast<std::uint64_t>(font)) *
         0x9E3779B97F4A7C15ull;
  return key ^ key >> 31;
}

}  // namespace

struct TextPainter::State {
  explicit State(Textures& textures) : pages(typesetter.faces(), textures) {}

  text::Typesetter typesetter;
  GlyphPages pages;
  std::unordered_map<std::uint64_t, Line> lines;
  std::size_t glyphs_kept = 0;
  std::uint64_t frame = 1;
  int page_limit = 6;
  std::uint64_t cleared_at = 0;
  bool clear_soon = false;  // clear the pages after the frame that still needs them is rendered

  void forget_everything() {
    lines.clear();
    glyphs_kept = 0;
    pages.clear();
    clear_soon = false;
    cleared_at = frame;
  }

  void forget_old_lines() {
    for (auto at = lines.begin(); at != lines.end();) {
      if (at->second.used + frames_kept < frame) {
        glyphs_kept -= at->second.glyphs.size() + 1;
        at = lines.erase(at);
      } else {
        ++at;
      }
    }
    if (glyphs_kept > most_glyphs_kept / 2) {
      lines.clear();
      glyphs_kept = 0;
    }
  }

  const Line& line(std::string_view words, draw::Font font, float px) {
    if (clear_soon) forget_everything();
    const std::uint64_t key = line_key(words, font, px);
    auto at = lines.find(key);
    if (at == lines.end() || at->second.words != words) {
      if (glyphs_kept > most_glyphs_kept) forget_old_lines();
      at = lines.find(key);
      if (at != lines.end())
        glyphs_kept -= at->second.glyphs.size() + 1;  // two lines with one hash: the newer stays
      at = lines.insert_or_assign(key, lay_out(words, font, px)).first;
      glyphs_kept += at->second.glyphs.size() + 1;
    }
    at->second.used = frame;
    return at->second;
  }

  Line lay_out(std::string_view words, draw::Font font, float px) {
    Line out;
    out.words = words;
    const text::Line& line = typesetter.line(words, font);
    out.glyphs.reserve(line.glyphs.size());
    for (const text::Glyph& glyph : line.glyphs)
      out.glyphs.push_back(
          {&pages.steps(glyph.face, glyph.index, px), glyph.x * px, std::floor(glyph.y * px + 0.5f)});
    out.width = line.width * px;
    return out;
  }

  /// The glyph's corners on the screen and in its page.
  void add_quad(ImDrawList& list, const PlacedGlyph& glyph, float along, float across, ImU32 color,
                bool upwards) {
    // `along` and `across` the line are whole pixels, so that texels fall on pixels.
    const float from = along + glyph.left, to = from + glyph.width;
    const float top = across - glyph.top, bottom = top + glyph.height;
    const ImU32 tint = glyph.coloured ? (color | ~IM_COL32_A_MASK) : color;
    if (!upwards) {
      list.PrimRectUV({from, top}, {to, bottom}, glyph.uv_from, glyph.uv_to, tint);
      return;
    }
    const ImVec2 a = glyph.uv_from, b = glyph.uv_to;
    list.PrimQuadUV({top, -from}, {top, -to}, {bottom, -to}, {bottom, -from}, a, {b.x, a.y}, b, {a.x, b.y},
                    tint);
  }

  /// Draws glyphs at `finer` times the size, scaled down again, so that they are smooth at any angle.
  void draw_turned(ImDrawList& list, std::span<const LineGlyph> glyphs, draw::Point at, float finer,
                   ImU32 color, float degrees) {
    constexpr float rim = 1;  // the empty pixel around each glyph softens its edge
    constexpr float texel = 1.0f / GlyphPages::side;
    for (const LineGlyph& glyph : glyphs) {
      const PlacedGlyph& placed = pages.placed(*glyph.steps, 0);
      if (placed.page < 0) continue;
      const draw::Box box{(glyph.x + placed.left - rim) / finer, (-glyph.y - placed.top - rim) / finer,
                          (placed.width + 2 * rim) / finer, (placed.height + 2 * rim) / finer};
      const draw::Corners c = draw::turned(at, box, degrees);
      const float scale = placed.width > 0 ? (placed.uv_to.x - placed.uv_from.x) / placed.width : texel;
      const ImVec2 from{placed.uv_from.x - rim * scale, placed.uv_from.y - rim * scale},
          to{placed.uv_to.x + rim * scale, placed.uv_to.y + rim * scale};
      list.PushTextureID(pages.texture(placed.page));
      list.PrimReserve(6, 4);
      list.PrimQuadUV({c[0].x, c[0].y}, {c[1].x, c[1].y}, {c[2].x, c[2].y}, {c[3].x, c[3].y}, from,
                      {to.x, from.y}, to, {from.x, to.y},
                      placed.coloured ? (color | ~IM_COL32_A_MASK) : color);
      list.PopTextureID();
    }
  }

  void draw_glyphs(ImDrawList& list, std::span<const LineGlyph> glyphs, float along, float across,
                   ImU32 color, bool upwards) {
    for (std::size_t i = 0; i < glyphs.size();) {
      // One reservation for consecutive glyphs on the same page.
      struct Quad {
        const PlacedGlyph* glyph;
        float along, across;
      };
      Quad quads[64];
      std::size_t count = 0;
      int page = -1;
      for (; i < glyphs.size() && count < std::size(quads); ++i) {
        const float pen = std::floor((along + glyphs[i].x) * 4 + 0.5f);
        const float whole = std::floor(pen / 4);
        const PlacedGlyph& glyph = pages.placed(*glyphs[i].steps, static_cast<int>(pen - whole * 4));
        if (glyph.page < 0) continue;
        if (page >= 0 && glyph.page != page) break;
        page = glyph.page;
        quads[count++] = {&glyph, whole, across - glyphs[i].y};
      }
      if (count == 0) continue;
      list.PushTextureID(pages.texture(page));
      list.PrimReserve(static_cast<int>(count) * 6, static_cast<int>(count) * 4);
      for (std::size_t k = 0; k < count; ++k)
        add_quad(list, *quads[k].glyph, quads[k].along, quads[k].across, color, upwards);
      list.PopTextureID();
    }
  }
};

TextPainter::TextPainter(Textures& textures) : state_(std::make_unique<State>(textures)) {}
TextPainter::~TextPainter() = default;

float TextPainter::width(std::string_view words, draw::Font font, float px) {
  return px > 0 ? state_->line(words, font, px).width : 0;
}

void TextPainter::draw(ImDrawList& list, float x, float y, std::string_view words, draw::Font font, float px,
                       ImU32 color, bool upwards) {
  if (words.empty() || !(px > 0) || (color & IM_COL32_A_MASK) == 0) return;
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  const ImVec2 clip_from = list.GetClipRectMin(), clip_to = list.GetClipRectMax();
  const float reach = px * 1.5f;  // no glyph is further from the baseline
  if (!upwards && (y + reach < clip_from.y || y - reach > clip_to.y || x > clip_to.x)) return;
  if (upwards && (x + reach < clip_from.x || x - reach > clip_to.x || y < clip_from.y)) return;
  const Line& line = state_->line(words, font, px);
  // Upwards, "along the line" is −y and "across" is x.
  const float along = upwards ? -y : x, across = std::floor((upwards ? x : y) + 0.5f);
  state_->draw_glyphs(list, line.glyphs, along, across, color, upwards);
}

void TextPainter::draw_turned(ImDrawList& list, float x, float y, std::string_view words, draw::Font font,
                              float px, ImU32 color, float degrees) {
  if (words.empty() || !(px > 0) || (color & IM_COL32_A_MASK) == 0) return;
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  constexpr float finer = 2;
  state_->draw_turned(list, state_->line(words, font, px * finer).glyphs, {x, y}, finer, color, degrees);
}

std::string TextPainter::missing_font(std::string_view words) {
  return state_->typesetter.missing_font(words);
}

std::vector<text::CharacterSpan> TextPainter::spans(std::string_view words, draw::Font font, float px) {
  std::vector<text::CharacterSpan> out = text::spans_of(words, state_->typesetter.line(words, font));
  for (text::CharacterSpan& span : out) span.left *= px, span.right *= px;
  return out;
}

std::string TextPainter::fit(std::string_view words, draw::Font font, float px, float width) {
  constexpr std::size_t long_text = 1024;  // bytes
  if (words.size() < long_text && this->width(words, font, px) <= width) return std::string(words);
  // A very long text is not laid out as a whole, but only up to about twice the part that fits.
  std::vector<std::size_t> ends = {0};  // of the characters
  for (std::size_t some = 64;; some *= 2) {
    while (ends.size() <= some && ends.back() < words.size())
      ends.push_back(ends.back() + base::cluster_bytes(words, ends.back()));
    const bool wide = this->width(words.substr(0, ends.back()), font, px) > width;
    if (wide) break;
    if (ends.back() == words.size()) return std::string(words);
  }
  // Finds the largest number of characters that fits; the width grows with nearly every character.
  std::size_t low = 0, high = ends.size() - 1;
  auto shortened = [&](std::size_t count) { return std::string(words.substr(0, ends[count])) + "…"; };
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (this->width(shortened(middle), font, px) <= width) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low == 0 && this->width("…", font, px) > width ? std::string() : shortened(low);
}

void TextPainter::upload() {
  State& state = *state_;
  if (state.pages.pages() > state.page_limit && !state.clear_soon) {
    // These pages are left over from other sizes. If they fill up again at once, they are all in use.
    if (state.cleared_at != 0 && state.frame - state.cleared_at < 60) {
      state.page_limit = state.pages.pages() + 4;
    } else {
      state.clear_soon = true;
    }
  }
  state.pages.upload();
  ++state.frame;
}

int TextPainter::pages() const {
  return state_->pages.pages();
}

}  // namespace headlight::screen
