// The bars around the page: the sentence, the tabs, the status line, and the card of keys.
#include <imgui.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "app/pages.h"
#include "app/shell.h"
#include "scene/scene_line.h"
#include "screen/paint.h"

namespace headlight::app {

namespace {

/// The mark of the program: an eye that throws light.
void paint_logo(ImDrawList& list, draw::Point centre, float radius, const draw::Theme& theme) {
  const ImVec2 c(centre.x, centre.y);
  list.AddCircleFilled(c, radius, screen::packed(theme.accent), 32);
  const float reach = radius * 1.15f;
  list.AddTriangleFilled(c, ImVec2(c.x + reach, c.y - reach * 0.62f),
                         ImVec2(c.x + reach, c.y + reach * 0.62f), screen::packed(draw::rgb(0xf7c948)));
  list.AddCircleFilled(c, radius * 0.33f, screen::packed(theme.panel), 20);
}

std::string milliseconds(double ms) {
  char out[32];
  std::snprintf(out, sizeof out, ms < 0.1 ? "%.3f ms" : ms < 10 ? "%.2f ms" : "%.0f ms", ms);
  return out;
}

/// chars or words; with a model what its vocabulary has decided: told, not asked.
screen::Response tokenizer_choice(screen::Ui& ui, const scene::Results& results, bool reads,
                                  scene::Scene& next) {
  static constexpr std::array<std::string_view, 3> options{"chars", "words", "pieces"};
  static constexpr std::array<std::string_view, 3> helps{"the model’s vocabulary decides: characters",
                                                         "the model’s vocabulary decides: words",
                                                         "the model’s vocabulary decides: pieces of words"};
  const bool told = results.model != nullptr && next.weights != scene::WeightsSource::random;
  int chosen = told ? static_cast<int>(results.tokens_are) : static_cast<int>(next.tokenizer);
  if (told) {
    const auto which = static_cast<std::size_t>(chosen);
    std::array<std::string_view, 3> why;
    why.fill(helps[which]);
    const std::size_t shown = which < 2 ? 2 : 3;
    (void)ui.segmented({.name = "tokenizer",
                        .options = {options.data(), shown},
                        .helps = {why.data(), shown},
                        .width = 146,
                        .dimmed = true},
                       chosen);
    return {};
  }
  const screen::Response split = ui.segmented(
      {.name = "tokenizer", .options = {options.data(), 2}, .width = 146, .dimmed = !reads}, chosen);
  next.tokenizer = static_cast<scene::Tokenizer>(chosen);
  return split;
}

}  // namespace

void Shell::top_bar(draw::Box pixels, double now) {
  if (ui_.begin_panel("top", pixels, theme().panel, 0, false)) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = pixels.y + pixels.h / 2;
    paint_logo(list, {pixels.x + ui_.px(34), middle}, ui_.px(10), theme());
    const bool narrow = pixels.w < ui_.px(820);
    if (!narrow)
      ui_.words(pixels.x + ui_.px(54), middle, "Headlight", draw::Font::semibold, 16, theme().text);
    const float left = narrow ? 60.f : 150.f, right = 12 + 146 + 8 + 56 + 8 + 84 + 8 + 72 + 8 + 34;
    const float field = std::max(60.f, pixels.w / ui_.scale() - left - right - 12);

    scene::Scene next = session_.scene();
    const scene::PageUses uses = page_info(next.page).room.uses(next);
    const bool reads = uses.sentence;
    ImGui::SetCursorScreenPos(ImVec2(pixels.x + ui_.px(left), middle - ui_.px(20)));
    if (std::exchange(focus_sentence_, false)) ui_.focus.take(ImGui::GetID("sentence"), true);
    const screen::Response typed = ui_.text_field(
        {.name = "sentence",
         .hint = "type a sentence",
         .help = !reads         ? "this page has numbers of its own; the others read the sentence"
                 : uses.letters ? "its first letters a to z are the word that is written backwards"
                                : "every token of it becomes a query, a key and a value",
         .width = field,
         .aside = reads ? "" : "not read on this page",
         .dimmed = !reads},
        next.sentence);
    ImGui::SetCursorScreenPos(ImVec2(pixels.x + ui_.px(left + field + 12), middle - ui_.px(16)));
    screen::Response split = tokenizer_choice(ui_, session_.results(), reads && !uses.letters, next);
    // A scene line that was pasted here is the scene that it stands for.
    const bool pasted = typed.changed && scene::from_line(next.sentence);
    if (pasted) {
      desk_.document().open_line(next.sentence, now);
      ui_.focus.clear();
    } else if (typed.changed || split.changed) {
      session_.change(std::move(next), typed.changed ? "sentence" : "", now);
    }

    ImGui::SetCursorScreenPos(
        ImVec2(pixels.right() - ui_.px(12 + 34 + 8 + 72 + 8 + 84 + 8 + 56), middle - ui_.px(16)));
    if (ui_.button({.label = "Find",
                    .help = "any page, setting, lesson or action (Ctrl+K)",
                    .name = "find",
                    .width = 56}))
      perform(Action::palette, now);
    ImGui::SetCursorScreenPos(
        ImVec2(pixels.right() - ui_.px(12 + 34 + 8 + 72 + 8 + 84), middle - ui_.px(16)));
    if (ui_.button(
            {.label = "Lessons", .help = "eleven lessons, and your own", .name = "lessons", .width = 84}))
      lessons_.open_list();
    ImGui::SetCursorScreenPos(ImVec2(pixels.right() - ui_.px(12 + 34 + 8 + 72), middle - ui_.px(16)));
    if (ui_.button({.label = "Export",
                    .help = "the picture or its numbers, as a file or copied (Ctrl+E)",
                    .name = "export",
                    .width = 72}))
      perform(Action::export_figure, now);
    ImGui::SetCursorScreenPos(ImVec2(pixels.right() - ui_.px(12 + 34), middle - ui_.px(16)));
    if (ui_.button({.label = "?", .help = "keys and mathematics (F1)", .name = "help", .width = 34}))
      perform(Action::help, now);
    const ImU32 border = screen::packed(theme().border);
    list.AddRectFilled(ImVec2(pixels.x, pixels.bottom() - ui_.px(1)), ImVec2(pixels.right(), pixels.bottom()),
                       border);
  }
  ui_.end_panel();
}

void Shell::tabs(draw::Box pixels, double now) {
  if (ui_.begin_panel("tabs", pixels, theme().panel, 0, false)) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(ImVec2(pixels.x, pixels.bottom() - ui_.px(1)), ImVec2(pixels.right(), pixels.bottom()),
                       screen::packed(theme().border));
    ImGui::SetCursorScreenPos(ImVec2(pixels.x + ui_.px(14), pixels.y));
    // All pages while they fit; else those around the open one, and a menu of all at the right.
    const float more = ui_.px(44), room = pixels.w - ui_.px(28);
    auto width = [&](const PageInfo& page) {
      return ui_.text.width(page.room.title, draw::Font::semibold, ui_.px(14)) + ui_.px(29);
    };
    float total = 0;
    for (const PageInfo& page : pages()) total += width(page);
    std::size_t first = 0, last = pages().size();
    if (total > room) {
      std::size_t open = 0;
      while (pages()[open].page() != session_.scene().page) ++open;
      first = open, last = open + 1;
      float used = width(pages()[open]) + more;
      while (last < pages().size() && used + width(pages()[last]) <= room) used += width(pages()[last++]);
      while (first > 0 && used + width(pages()[first - 1]) <= room) used += width(pages()[--first]);
    }
    auto open_page = [&](const PageInfo& page) {
      scene::Scene next = session_.scene();
      next.page = page.page();
      session_.change(std::move(next), "", now);
    };
    for (std::size_t i = first; i < last; ++i) {
      const PageInfo& page = pages()[i];
      if (ui_.tab(page.room.title, session_.scene().page == page.page(), page.room.about)) open_page(page);
      ImGui::SameLine(0, 0);
    }
    if (last - first < pages().size()) {
      ImGui::SetCursorScreenPos(ImVec2(pixels.right() - more, pixels.y + ui_.px(5)));
      if (ui_.button({.label = "…", .help = "all pages", .name = "all pages", .quiet = true, .width = 34}))
        ui_.open_popup("pages");
    }
    const draw::Box below{pixels.right() - more, pixels.y, ui_.px(34), pixels.h};
    if (ui_.begin_popup("pages", &below, 220)) {
      for (const PageInfo& page : pages()) {
        if (ui_.menu_item(page.room.title)) open_page(page), ui_.close_popup();
      }
      ui_.end_popup();
    }
  }
  ui_.end_panel();
}

void Shell::status_bar(draw::Box pixels) {
  if (ui_.begin_panel("status", pixels, theme().panel, 0, false)) {
    Session& shown = lessons_.player().playing() ? session_ : desk_.compare().side(session_);
    const scene::Results& results = shown.results();
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(pixels.x, pixels.y),
                                              ImVec2(pixels.right(), pixels.y + ui_.px(1)),
                                              screen::packed(theme().border));
    const float middle = pixels.y + pixels.h / 2, size = 12;
    float x = pixels.x + ui_.px(16);
    // `widest`: what follows stands still while the words change.
    auto item = [&](const std::string& words, draw::Color color, std::string_view widest = {}) {
      if (words.empty()) return;
      ui_.words(x, middle, words, draw::Font::sans, size, color);
      x += std::max(ui_.text.width(words, draw::Font::sans, ui_.px(size)),
                    ui_.text.width(widest, draw::Font::sans, ui_.px(size))) +
           ui_.px(20);
    };
    const int T = results.attention.T;
    std::string tokens = "T = " + std::to_string(T) + (T == 1 ? " token" : " tokens");
    if (results.tokens_in_sentence > static_cast<std::size_t>(T)) {
      tokens += " (the first of " + std::to_string(results.tokens_in_sentence) + ")";
    }
    if (const std::filesystem::path& file = desk_.document().path(); !file.empty())
      item(file.filename().string() + (desk_.document().changed() ? ", not saved" : ""), theme().dim);
    const scene::PageUses uses = page_info(session_.scene().page).room.uses(session_.scene());
    const bool reads = uses.sentence && !uses.letters;
    if (reads) {
      item(tokens, theme().dim);
      const int d = results.scene.d_model, heads = results.scene.heads;
      item("d = " + std::to_string(d) +
               (uses.head_width > 0
                    ? " · d_k = " + std::to_string(uses.head_width)
                    : " · h = " + std::to_string(heads) + " · d_k = " + std::to_string(d / heads)),
           theme().dim);
    }
    if (!still) {
      if (reads) item("forward " + milliseconds(results.forward_ms), theme().dim, "forward 88.88 ms");
      item("frame " + milliseconds(static_cast<double>(told_frame_ms_)), theme().dim, "frame 88.88 ms");
    }
    // A model that is not used is no model that is open: the panel says why.
    if (reads && !results.weights_problem.empty()) {
      item("model not used, " + results.weights_source, theme().offset);
    } else if (reads) {
      item(results.weights_source, theme().dim);
    }
    if (reads && !page_info(session_.scene().page).view.tells_model) {
      for (const std::string& remark : results.remarks) item(remark, theme().offset);
    }
    if (results.nonfinite > 0)
      item(std::to_string(results.nonfinite) + " values are not finite", draw::nan_color);
    item(session_.loading(), theme().accent);
    if (session_.busy() >= 0) {
      item("computing " + std::to_string(static_cast<int>(std::lround(session_.busy() * 100))) + " %",
           theme().accent);
    }

    // At the right: what went wrong, what was said, else what is pinned.
    std::string words = maps_.shader_log();
    draw::Color color = theme().bad;
    if (words.empty()) words = session_.message(), color = theme().offset;
    if (words.empty()) words = page_.status(shown, theme()), color = theme().text;
    if (const auto line = words.find('\n'); line != std::string::npos) words.resize(line);
    const float room = pixels.right() - ui_.px(16) - x;
    words = ui_.text.fit(words, draw::Font::sans, ui_.px(size), room);
    const float width = ui_.text.width(words, draw::Font::sans, ui_.px(size));
    if (width <= room)
      ui_.words(pixels.right() - ui_.px(16) - width, middle, words, draw::Font::sans, size, color);
  }
  ui_.end_panel();
}

}  // namespace headlight::app
