#include "app/quit_question.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace headlight::app {

namespace {

constexpr const char* quit_popup = "quit";
constexpr float quit_width = 440;

/// The end of a path that fits, from the beginning of a folder: its file is what is looked for.
std::string path_end(const screen::Ui& ui, std::string path, float room) {
  constexpr const char* cut = "…";
  const auto wide = [&](const std::string& words) {
    return ui.text.width(words, draw::Font::sans, ui.px(12));
  };
  for (std::size_t from = 0; wide(path) > room;) {
    const std::size_t slash = path.find('/', from + 1);
    if (slash == std::string::npos) break;
    path = cut + path.substr(slash);
    from = std::string(cut).size();
  }
  return ui.text.fit(path, draw::Font::sans, ui.px(12), room);
}

}  // namespace

bool QuitQuestion::frame(screen::Ui& ui, const ExportCard& exporter) {
  if (!opening_ && !ImGui::IsPopupOpen(quit_popup)) return false;
  const ExportCard::Writing writing = exporter.writing();
  if (std::exchange(opening_, false) && !writing.what.empty()) ui.open_popup(quit_popup);
  if (!ui.begin_popup(quit_popup, nullptr, quit_width)) return false;
  bool quits = false;
  if (writing.what.empty()) {  // its note says how it ended
    ui.close_popup();
  } else {
    ui.label(writing.what + " is being written", 18, draw::Font::semibold);
    ui.gap(8);
    ui.progress(writing.fraction, std::to_string(static_cast<int>(100 * writing.fraction)) + " %");
    ui.gap(4);
    ui.paragraph(
        "Stop writing and quit, or wait: a note appears when it is done. An unfinished file is not kept.");
    ui.gap(4);
    ui.begin_flow();
    if (ui.button({.label = "Wait", .help = "the program stays open (Esc)", .primary = true}) ||
        ui.enter_is_free())
      ui.close_popup();
    if (ui.button({.label = "Stop and quit", .help = "everything else is kept"})) {
      quits = true;
      ui.close_popup();
    }
    ui.end_flow();
  }
  ui.end_popup();
  return quits;
}

bool ended_note(screen::Ui& ui, ExportCard& exporter, draw::Box page) {
  if (!exporter.ended()) return false;
  constexpr float margin = 12, padding = 14, height = 56, most_width = 640, button_height = 26, gap = 8;
  constexpr float copy_width = 92, close_width = 72;
  const ExportCard::Ended ended = *exporter.ended();
  const std::string title = ended.what + (ended.problem.empty() ? " is written" : " is not written");
  const std::string words = ended.problem.empty() ? ended.path : ended.problem;
  const bool copies = ended.problem.empty();
  const float buttons = ui.px(close_width + padding + (copies ? copy_width + gap : 0));
  const auto wide = [&](const std::string& of, draw::Font font, float size) {
    return ui.text.width(of, font, ui.px(size));
  };
  const float wanted = std::max(wide(title, draw::Font::semibold, 13), wide(words, draw::Font::sans, 12)) +
                       buttons + ui.px(2 * padding);
  const float width = std::ceil(std::min({wanted, ui.px(most_width), page.w - ui.px(2 * margin)}));
  // At the right: the tabs of a page are at the left of its foot.
  const draw::Box box{std::round(page.right() - ui.px(margin) - width),
                      std::round(page.bottom() - ui.px(margin + height)), width, std::round(ui.px(height))};
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.f, std::floor(ui.scale())));
  if (ui.begin_panel("ended", box, ui.theme().field, 0, false)) {
    // Later panels, such as the list of lessons, would cover it; an open card has the first place.
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
      ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    const float left = box.x + ui.px(padding), room = box.w - ui.px(2 * padding) - buttons;
    ui.words(left, box.y + ui.px(19), ui.text.fit(title, draw::Font::semibold, ui.px(13), room),
             draw::Font::semibold, 13, copies ? ui.theme().text : ui.theme().bad);
    ui.words(left, box.y + ui.px(38),
             copies ? path_end(ui, words, room) : ui.text.fit(words, draw::Font::sans, ui.px(12), room),
             draw::Font::sans, 12, ui.theme().text);
    float x = box.right() - ui.px(padding) - buttons + ui.px(padding);
    const float top = std::round(box.centre().y - ui.px(button_height) / 2);
    if (copies) {
      ImGui::SetCursorScreenPos(ImVec2(x, top));
      if (ui.button({.label = "Copy path",
                     .help = words,
                     .name = "copy path",
                     .width = copy_width,
                     .height = button_height}))
        ImGui::SetClipboardText(words.c_str());
      x += ui.px(copy_width + gap);
    }
    ImGui::SetCursorScreenPos(ImVec2(x, top));
    if (ui.button({.label = "Got it",
                   .help = copies ? "the file stays where it is" : words,
                   .name = "got it",
                   .width = close_width,
                   .height = button_height}))
      exporter.dismiss_ended();
  }
  ui.end_panel();
  ImGui::PopStyleVar(2);
  return true;
}

}  // namespace headlight::app
