#include "pages/attention/view/map_words.h"

#include <string_view>

#include "kit/words.h"
#include "pages/attention/view/page.h"
#include "pages/attention/view/words.h"
#include "scene/guide_remark.h"
#include "scene/hidden_tokens.h"
#include "scene/score_words.h"

namespace headlight::views {

std::string map_title(const Sheet& sheet) {
  const Selection& s = sheet.selection;
  std::string out = s.kind == HeadsShown::all   ? "all " + std::to_string(s.heads.size()) + " heads"
                    : s.kind == HeadsShown::one ? "head "
                                                : "heads ";
  constexpr std::size_t most_named = 6;
  for (std::size_t i = 0; s.kind != HeadsShown::all && i < s.heads.size() && i < most_named; ++i)
    out += (i > 0 ? ", " : "") + std::to_string(s.heads[i] + 1);
  if (s.kind == HeadsShown::several && s.heads.size() > most_named)
    out += " and " + std::to_string(s.heads.size() - most_named) + " more";
  if (const std::string layer = layer_words(sheet.in); !layer.empty()) out = layer + ", " + out;
  out.front() = static_cast<char>(out.front() - 'a' + 'A');
  const std::string unusual = scene::score_words(sheet.in.results, " · ");
  if (s.kind == HeadsShown::one)
    return out + (sheet.in.results.guided(s.heads.front()) ? ", guided" : "") + " · attention weights" +
           unusual;
  const bool compared =
      s.kind == HeadsShown::several && sheet.in.scene.attention.view == scene::AttentionView::matrix;
  return out + " · " + (compared ? "compared" : scene::word(sheet.in.scene.combine)) + unusual;
}

std::string weights_name(const scene::Results& results) {
  if (results.opened) return results.opened->name;
  const std::string& whole = results.weights_source;
  return results.model ? whole.substr(0, whole.find(',')) : whole;
}

bool on_printed_page(const Sheet& sheet) {
  return sheet.pen.canvas.plain() && !on_slide(sheet.pen);
}

std::string statement_of_map(const Sheet& sheet) {
  const scene::Results& results = sheet.in.results;
  const Selection& s = sheet.selection;
  std::string all;
  const auto add = [&all](const std::string& words) {
    if (!words.empty()) all += (all.empty() ? "" : " · ") + words;
  };
  // A figure without its title still says what is unusual about its scores, even without any notes.
  if (on_printed_page(sheet) && !sheet.pen.canvas.parts().title) {
    constexpr std::string_view between = " · ";
    const std::string unusual = scene::score_words(results, std::string(between));
    if (!unusual.empty()) add(unusual.substr(between.size()));
  }
  if (with_hints(sheet.pen)) {
    add(hidden_words(sheet.in));
    // The line above names a guided head as such; on a slide there is no more room for it.
    const bool named = s.kind == HeadsShown::one && results.guided(s.heads.front());
    const std::string guide =
        results.guide.head >= 0 && (named || on_slide(sheet.pen)) ? scene::guide_remark(results.guide) : "";
    for (const std::string& remark : results.remarks) {
      if (remark != guide) add(remark);
    }
  }
  if (!all.empty() && all.front() >= 'a' && all.front() <= 'z')
    all.front() = static_cast<char>(all.front() - 'a' + 'A');
  return all;
}

draw::TextStyle statement_style(const Sheet& sheet) {
  return words_style(with_hints(sheet.pen) ? sheet.theme().dim : sheet.theme().text);
}

float map_words_printed(const Sheet& sheet, float width) {
  if (!on_printed_page(sheet)) return 0;
  const float axes = 16;  // the subtitle has a second line for the axes
  return axes + paragraph(sheet.pen, {}, width - 2 * card_padding, statement_of_map(sheet),
                          statement_style(sheet), most_printed_lines, false);
}

}  // namespace headlight::views
