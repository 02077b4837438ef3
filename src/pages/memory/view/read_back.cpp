// Is a value still found at its key after further writes? Both rules beside each other, for every key.
#include <algorithm>
#include <cmath>

#include "pages/memory/memory.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

void memory_read_back(const MemoryView& view, Box box) {
  const Pen& pen = view.pen;
  const std::vector<scene::ReadBack>& all = view.results.read_back;
  const draw::Color sum = draw::series(view.theme(), 0), delta = draw::series(view.theme(), 1);
  const Box head = box.cut_top(18), below = box.cut_top(16);
  const float right = legend_width(pen, "delta"), left = legend_width(pen, "sum");
  const float legends = right + left + 14;
  put(pen, {head.x, head.y + 8}, "Reading every key back: ‖W φ(k) − v‖ ÷ ‖v‖",
      strong_style(view.theme().text, word_size), head.w - legends - 10);
  legend(pen, {head.right() - right, head.y + 8}, delta, "delta");
  legend(pen, {head.right() - legends, head.y + 8}, sum, "sum");
  // The keys written last, as many as fit.
  const float least = 44;
  const auto fit = static_cast<std::size_t>(std::max(1.f, box.w / least));
  const std::size_t first = all.size() > fit ? all.size() - fit : 0;
  const std::string some =
      first == 0 ? std::string()
                 : "the last " + std::to_string(fit) + " of " + std::to_string(all.size()) + " keys; ";
  put(pen, {below.x, below.centre().y},
      some + "both rules write and read with φ(k) of length 1" +
          (view.delta() ? "; W above is that of the delta rule" : "; not the W above"),
      words_style(view.theme().dim, small_size), below.w);
  if (all.empty() || box.h < 40) return;

  const float pitch = box.w / static_cast<float>(all.size() - first);
  double most = 0.5;
  for (std::size_t n = first; n < all.size(); ++n) most = std::max({most, all[n].sum, all[n].delta});
  const Box labels = box.cut_bottom(16);
  constexpr float above = 16;
  box.cut_top(above + 3);  // the numbers of the highest bars, clear of the note above
  pen.canvas.line({box.x, box.bottom()},
                  {box.x + pitch * static_cast<float>(all.size() - first), box.bottom()},
                  {view.theme().faint, 1});
  for (std::size_t n = first; n < all.size(); ++n) {
    const scene::ReadBack& entry = all[n];
    const Box slot{box.x + pitch * static_cast<float>(n - first), box.y, pitch, box.h};
    const bool now = entry.token == view.step() - 1 && marks_selection(pen);
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "read back " + std::to_string(entry.token);
    mark.area = {slot.x, slot.y - above, slot.w, slot.h + above + labels.h};  // with its number and token
    mark.note = "key of " + in_quotes(view.token(entry.token)) + ", written " +
                (entry.times == 1 ? "once"
                                  : view.in.text(quantity("read_back_times", {{"token", entry.token}})) +
                                        " times, its last value") +
                "\nsum rule: error " + view.in.text(quantity("read_back_sum", {{"token", entry.token}})) +
                "\ndelta rule: error " + view.in.text(quantity("read_back_delta", {{"token", entry.token}}));
    pen.canvas.mark(mark);
    const float width = std::min(34.f, (pitch - 8) / 2);
    const auto bar = [&](double error, float x, draw::Color color) {
      const float high = std::max(1.f, static_cast<float>(error / most) * box.h);
      pen.canvas.rect({x, box.bottom() - high, width, high}, color, 2);
      const draw::TextStyle style = aligned(mono_style(view.theme().dim, 12), Align::centre);
      const std::string words = fixed(error, error < 9.95 ? 2 : 0);
      if (pen.canvas.text_width(words, style) <= std::min(pitch / 2, width + 1))
        pen.canvas.text({x + width / 2, box.bottom() - high - 7}, words, style);
    };
    bar(entry.sum, slot.centre().x - width - 1, sum);
    bar(entry.delta, slot.centre().x + 1, delta);
    pen.canvas.mark({});
    std::string words = view.token(entry.token);
    if (entry.times > 1) words += " ×" + std::to_string(entry.times);
    const draw::Color color = now               ? view.theme().query
                              : entry.times > 1 ? view.theme().text
                                                : view.theme().dim;
    put(pen, {slot.centre().x, labels.centre().y}, words,
        aligned(literal(entry.times > 1 || now ? strong_style(color, small_size)
                                               : words_style(color, small_size)),
                Align::centre),
        pitch - 4);
  }
}

}  // namespace headlight::views
