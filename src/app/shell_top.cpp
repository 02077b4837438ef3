// The row above the page: the sentence with its tokenizer; finding and exporting.
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/shell.h"
#include "base/one_line.h"
#include "pictures/pages.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "screen/paint.h"

namespace headlight::app {

namespace {

constexpr float row_height = 40, compact_height = 32, margin = 16, gap = 8;
constexpr float find_width = 56, present_width = 80, export_width = 72, scene_width = 76, icon_width = 36;

/// True if the vocabulary of a model determines how the sentence is split.
bool model_splits(const scene::Results& results, const scene::Scene& scene) {
  return (results.model != nullptr || results.opened) && scene.weights != scene::WeightsSource::random;
}

/// Each choice has the same width; with pieces of words there are three.
float tokenizer_width(const scene::Results& results, const scene::Scene& scene) {
  return model_splits(results, scene) && static_cast<int>(results.tokens_are) == 2 ? 204.f : 136.f;
}

/// A choice of chars or words; for a model, its vocabulary determines them.
screen::Response tokenizer_choice(screen::Ui& ui, const scene::Results& results, bool reads,
                                  scene::Scene& next) {
  static constexpr std::array<std::string_view, 3> options{"chars", "words", "pieces"};
  static constexpr std::array<std::string_view, 3> helps{"set by the model’s vocabulary: characters",
                                                         "set by the model’s vocabulary: words",
                                                         "set by the model’s vocabulary: pieces of words"};
  const bool reported = model_splits(results, next);
  const float width = tokenizer_width(results, next);
  int chosen = reported ? static_cast<int>(results.tokens_are) : static_cast<int>(next.tokenizer);
  if (reported) {
    const auto which = static_cast<std::size_t>(chosen);
    std::array<std::string_view, 3> why;
    why.fill(helps[which]);
    const std::size_t shown = which < 2 ? 2 : 3;
    (void)ui.segmented({.name = "tokenizer",
                        .options = {options.data(), shown},
                        .helps = {why.data(), shown},
                        .width = width,
                        .dimmed = true,
                        .bare = true},
                       chosen);
    return {};
  }
  const screen::Response split = ui.segmented(
      {.name = "tokenizer", .options = {options.data(), 2}, .width = width, .dimmed = !reads, .bare = true},
      chosen);
  next.tokenizer = static_cast<scene::Tokenizer>(chosen);
  return split;
}

/// A screen on its foot, in pixels around `c`; `u` is a unit.
void present_icon(ImVec2 c, float u, ImU32 ink) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRect({c.x - 7 * u, c.y - 6 * u}, {c.x + 7 * u, c.y + 3.5f * u}, ink, 2 * u, 0, 1.6f * u);
  list.AddLine({c.x - 4 * u, c.y + 6.5f * u}, {c.x + 4 * u, c.y + 6.5f * u}, ink, 1.6f * u);
}

}  // namespace

/// Saved attention has its own tokens: they are shown, and cannot be edited. A pasted scene line still opens.
void Shell::saved_tokens(ImVec2 at, float width, float height, double now) {
  const scene::Results& results = desk_.compare().side(session_).results();
  constexpr std::size_t most_words = 200;
  std::string words;
  for (const std::vector<nn::Token>* list : {&results.tokens, &results.key_tokens}) {
    if (!list->empty() && !words.empty()) words += " → ";
    for (std::size_t i = 0; i < std::min(list->size(), most_words); ++i)
      words += (i == 0 ? "" : " ") + base::shortened((*list)[i].text);
    if (list->size() > most_words) words += " …";
  }
  const std::string& from = results.opened->tokens_from;
  const std::string aside = from.empty() ? "positions: no tokens are saved with it"
                            : from.find("file") == std::string::npos ? "tokens from " + from
                                                                     : from;
  ImGui::SetCursorScreenPos(at);
  if (std::exchange(focus_sentence_, false)) ui_.focus.take(ImGui::GetID("sentence"), true);
  select_sentence_ = false;
  std::string typed_words = words;
  const screen::Response typed =
      ui_.text_field({.name = "sentence",
                      .hint = "",
                      .help = "the tokens for which the attention was saved; they cannot be changed here",
                      .width = width,
                      .height = height,
                      .size = height >= row_height ? 18.f : 14.f,
                      .aside = aside,
                      .dimmed = true},
                     typed_words);
  if (!typed.changed) return;
  if (scene::from_line(typed_words)) {
    desk_.document().open_line(typed_words, now);
  } else {
    session_.warn("the tokens of saved attention cannot be changed: choose another model to type a sentence",
                  now);
  }
  ui_.focus.clear();
}

/// Does a card on view depend on the sentence?
bool Shell::sentence_on_view(const scene::Scene& scene) const {
  return views::changes_one_of(page_info(scene.page).view, scene, "sentence",
                               page_.cards_on_view(scene.page));
}

/// The sentence of “before” while its page is shown: it is read, and cannot be changed.
void Shell::sentence_before(ImVec2 at, float width, float height, double now) {
  const Session& before = desk_.compare().side(session_);
  const scene::PageUses uses = page_info(before.scene().page).room.uses(before.scene());
  const bool ids = !before.scene().token_ids.empty() && before.results().opened;
  const bool of_tab = sentence_on_view(before.scene());
  std::string words = before.scene().sentence;
  ImGui::SetCursorScreenPos(at);
  if (std::exchange(focus_sentence_, false)) ui_.focus.take(ImGui::GetID("sentence"), true);
  select_sentence_ = false;
  const screen::Response typed = ui_.text_field({.name = "sentence",
                                                 .hint = "no sentence",
                                                 .help = "the sentence of “before”; B shows “after”",
                                                 .width = width,
                                                 .height = height,
                                                 .size = height >= row_height ? 18.f : 14.f,
                                                 .aside = !uses.sentence ? "before, not used on this page"
                                                          : !of_tab      ? "before, not used on this tab"
                                                          : ids          ? "before, not used: token ids"
                                                                         : "before",
                                                 .dimmed = true},
                                                words);
  if (!typed.changed) return;
  session_.say("“before” cannot be changed; B shows “after”, which can", now);
  ui_.focus.clear();
}

/// Draws the sentence, `width` units wide, with the tokenizer at its end.
void Shell::sentence(ImVec2 at, float width, float height, double now) {
  const bool before = !lessons_.player().playing() && desk_.compare().shows_before(session_);
  const auto& shown = desk_.compare().side(session_).results().opened;
  if (before && !(shown && shown->saved)) return sentence_before(at, width, height, now);
  scene::Scene next = session_.scene();
  const scene::PageUses uses = page_info(next.page).room.uses(next);
  const scene::OpenedLayer* opened = (before ? shown : session_.results().opened).get();
  if (opened && opened->saved && uses.sentence) return saved_tokens(at, width, height, now);
  const bool ids = !next.token_ids.empty() && opened;
  const bool of_tab = sentence_on_view(next);
  const bool reads = uses.sentence && of_tab && !ids, splits = height >= row_height && width > 272;
  const float end = splits ? tokenizer_width(session_.results(), next) + 4 : 0;
  ImGui::SetCursorScreenPos(at);
  if (std::exchange(focus_sentence_, false)) ui_.focus.take(ImGui::GetID("sentence"), true);
  const bool select = std::exchange(select_sentence_, false), few = ids && next.token_ids.size() <= 6;
  const screen::Response typed =
      ui_.text_field({.name = "sentence",
                      .hint = "type a sentence",
                      .help = ids ? "the model gets token ids instead of the sentence; the setting token_ids"
                              : !uses.sentence ? "this page has its own numbers and does not use the sentence"
                              : !of_tab      ? "no card of this tab uses the sentence; others of the page do"
                              : uses.letters ? "its first letters a to z form the word to reverse"
                                             : "every token of it becomes a query, a key and a value",
                      .width = width,
                      .height = height,
                      .size = height >= row_height ? 18.f : 14.f,
                      .aside = few     ? "not used: token ids " + scene::get_field(next, "token_ids")
                               : ids   ? "not used: " + std::to_string(next.token_ids.size()) + " token ids"
                               : reads ? ""
                               : uses.sentence ? "not used on this tab"
                                               : "not used on this page",
                      .dimmed = !reads,
                      .select_all = select,
                      .end = end},
                     next.sentence);
  screen::Response split;
  if (splits) {
    ImGui::SetCursorScreenPos(ImVec2(at.x + ui_.px(width - end), at.y + ui_.px((height - 32) / 2)));
    split = tokenizer_choice(ui_, session_.results(), reads && !uses.letters, next);
  }
  // A pasted scene line opens the scene that it describes.
  const bool pasted = typed.changed && scene::from_line(next.sentence);
  if (pasted) {
    desk_.document().open_line(next.sentence, now);
    ui_.focus.clear();
  } else if (typed.changed || split.changed) {
    session_.change(std::move(next), typed.changed ? "sentence" : "", now);
  }
}

void Shell::top_bar(draw::Box pixels, bool compact, double now) {
  if (ui_.begin_panel("top", pixels, theme().window, 0, false)) {
    const float width = pixels.w / ui_.scale();
    const float height = compact ? compact_height : row_height;
    const float side = compact ? gap : margin;
    const float top = std::round(pixels.y + ui_.px(compact ? 6 : 12));
    const auto at = [&](float x) { return ImVec2(pixels.x + ui_.px(x), top); };
    // The sentence is first in the keyboard order, the controls at its sides follow.
    const float page_width = compact ? page_choice_width() : 0,
                left = side + (compact ? page_width + gap : 0);
    const bool listing = lessons_.listing();  // it has no picture
    const float right = side + (compact ? scene_width + gap + find_width + gap + icon_width
                                        : find_width + gap + present_width + gap + export_width);
    sentence(at(left), std::max(60.f, width - left - right - gap), height, now);
    if (compact) {
      page_choice({at(side), page_width}, height, now);
      ImGui::SetCursorScreenPos(at(width - right));
      if (ui_.button({.label = "Scene",
                      .help = "the settings of the page (Ctrl+B)",
                      .name = "scene",
                      .width = scene_width,
                      .height = height}))
        panel_.show("");
    }
    ImGui::SetCursorScreenPos(at(width - side - find_width -
                                 (compact ? gap + icon_width : gap + present_width + gap + export_width)));
    if (ui_.button({.label = "Find",
                    .help = "any page, setting, lesson or action (Ctrl+K)",
                    .name = "find",
                    .width = find_width,
                    .height = height}))
      perform(Action::palette, now);
    const float wide = compact ? icon_width : present_width;
    ImGui::SetCursorScreenPos(at(width - side - wide - (compact ? 0 : export_width + gap)));
    if (ui_.button({.label = compact ? "" : "Present",
                    .help = listing ? "open a lesson or a page first: the list has no picture"
                                    : "the large card alone in the window (F5: the one under the pointer)",
                    .name = "present",
                    .enabled = !listing,
                    .width = wide,
                    .height = height}))
      present("", now);
    if (compact) {
      const ImVec2 from = at(width - side - wide);
      present_icon({from.x + ui_.px(wide / 2), from.y + ui_.px(height / 2)}, ui_.px(1),
                   screen::packed(listing ? theme().faint : theme().text));
    } else {
      ImGui::SetCursorScreenPos(at(width - side - export_width));
      if (ui_.button({.label = "Export",
                      .help = listing ? "open a lesson or a page first: the list has no picture"
                                      : "the picture or its numbers, as a file or copied (Ctrl+E)",
                      .name = "export",
                      .enabled = !listing,
                      .width = export_width,
                      .height = height}))
        perform(Action::export_figure, now);
    }
  }
  ui_.end_panel();
}

}  // namespace headlight::app
