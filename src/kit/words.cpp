#include "kit/words.h"

#include "draw/scripts.h"

namespace headlight::views {

float paragraph(const Pen& pen, Point top_left, float width, const std::string& words,
                const draw::TextStyle& style, int most, bool draw) {
  if (!with_hints(pen) && style.color == pen.theme.dim) return 0;  // a note
  const float pitch = text_line(pen, style.size * 1.4f);
  const draw::TextStyle measured = literal(style);  // no narrower than with indices
  int lines = 0;
  bool quoted = false;  // a quotation continues from the previous line
  std::string line, word, rest = words + " ";
  const auto finish = [&](const std::string& text) {
    if (draw)
      put(pen, {top_left.x, top_left.y + pitch * (static_cast<float>(lines) + 0.5f)}, text,
          quoted ? measured : style, width);
    quoted = draw::open_quotation(text, quoted);
    ++lines;
  };
  for (std::size_t at = 0; at < rest.size() && lines < most;) {
    const std::size_t blank = rest.find(' ', at);
    word = rest.substr(at, blank - at);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && pen.canvas.text_width(longer, measured) > width) {
      if (lines + 1 == most) {  // last line: it gets the rest, shortened
        finish(line + " " + rest.substr(at, rest.size() - at - 1));
        return pitch * static_cast<float>(lines);
      }
      finish(line);
      line = word;
    } else {
      line = longer;
    }
    at = blank + 1;
  }
  if (!line.empty() && lines < most) finish(line);
  return pitch * static_cast<float>(lines);
}

void invitation(const Pen& pen, Box box, std::string_view title, const char* words) {
  if (!on_paper(pen)) placeholder(pen, box, title, in_window(pen, words));
}

std::string fitting_remarks(const Pen& pen, const std::vector<std::string>& remarks, float width,
                            const draw::TextStyle& style, int lines) {
  const float high = text_line(pen, style.size * 1.4f) * (static_cast<float>(lines) + 0.5f);
  std::string out;
  for (const std::string& remark : remarks) {
    if (remark.empty() || !with_hints(pen)) continue;
    const std::string longer = out.empty() ? remark : out + " · " + remark;
    if (pen.canvas.text_width(longer, style) > width &&
        paragraph(pen, {}, width, longer, style, lines + 1, false) > high)
      break;
    out = longer;
  }
  return out;
}

}  // namespace headlight::views
