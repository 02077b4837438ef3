// The texts of the current step, each with its problems.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lecture/lesson_editor.h"
#include "scene/settings.h"
#include "screen/paint.h"

namespace headlight::app {

namespace {

using scene::StepText;
using screen::Key;

/// The expression of a number is dimmer than the number.
std::vector<screen::TextTone> tones_of(const std::string& text, StepText which) {
  std::vector<screen::TextTone> tones;
  if (which == StepText::until || which == StepText::fact) return tones;
  const auto words = scene::parse_words(text);
  if (!words) return tones;
  for (const scene::WordPart& part : *words) {
    if (!part.number) continue;
    const std::size_t from = part.number->from, to = part.number->to;
    const std::size_t number = text.find(part.number->written.text, from);
    tones.push_back({from, from + 1});
    if (number < to) tones.push_back({number + part.number->written.text.size(), to});
  }
  return tones;
}

/// The id of a widget of this panel.
ImGuiID id_of(const std::string& name) {
  return ImGui::GetID(name.c_str());
}

}  // namespace

void LessonEditor::texts(screen::Ui& ui, const PageArea& page, double now) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x, line = std::max(1.f, std::floor(ui.scale()));
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + ui.px(2)}, {at.x + wide, at.y + ui.px(2) + line},
                                            screen::packed(ui.theme().border));
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(9)});
  const float margin = ui.px(4);
  const bool own_scroll = ImGui::GetWindowHeight() >= ui.px(editor_scrolls_below);
  if (own_scroll) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, 0));
    ImGui::BeginChild("step", ImVec2(0, 0), false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    // Editing of another step begins at its heading.
    if (std::exchange(texts_of_, draft_->step()) != draft_->step()) ImGui::SetScrollY(0);
  }
  ui.push_scope("step");
  // Each step has its own texts, and a caret in each of them.
  ui.push_scope(std::to_string(draft_->step() + 1));
  text(ui, "title", {.hint = "Heading", .size = 16, .select_all = true, .strong = true}, StepText::title, 0,
       now);
  problems(ui, StepText::title, 0, now);
  paragraphs(ui, "words", "What to look at. Enter starts a paragraph.", StepText::words, now);
  pick_button(ui, "insert number", "Insert a number from the page", "Click a number on the page · Esc",
              Pick::number);
  problems(ui, StepText::picture, 0, now);
  ui.gap(10);
  ui.label("Shown large", 14, draw::Font::semibold);
  cards(ui, "focus", Pick::focus, draft_->current().focus, page, now);
  asks(ui, page, now);
  settings(ui, now);
  ui.gap(10);
  ui.label("Notes for the lecturer", 14, draw::Font::semibold);
  std::string notes = draft_->current().notes;
  if (ui.text_area(
          {.name = "notes", .hint = "Only N and the handout show them", .least_lines = 2, .lines = true},
          notes))
    edit("notes", now, [&](scene::LessonStep& step) { step.notes = notes; });
  ui.gap(10);
  ui.label("Checked claims", 14, draw::Font::semibold);
  claims(ui, "fact", StepText::fact, Pick::fact, now);
  ui.gap(8);
  ui.pop_scope();
  ui.pop_scope();
  if (own_scroll) ImGui::EndChild();
}

bool LessonEditor::text(screen::Ui& ui, const char* name, const screen::TextArea& look, StepText which,
                        int index, double now) {
  scene::LessonStep copy = draft_->current();
  std::string* there = scene::text_of(copy, {.text = which, .index = index});
  if (!there) return false;
  std::string value = *there;
  const ImGuiID id = id_of(name);
  if (go_to_ && go_to_->text == which && go_to_->index == index) {
    ui.focus.take(id, true);
    if (which != StepText::title) ui.place_caret(id, std::min(go_to_->caret, value.size()));
    go_to_.reset();
  }
  std::vector<screen::TextTone> tones = tones_of(value, which);
  for (const scene::Finding& found : checked_[static_cast<std::size_t>(draft_->step())].found) {
    if (found.text == which && found.index == index && !found.unknown)
      tones.push_back({found.from, found.to, screen::TextTone::Kind::wrong});
  }
  screen::TextArea area = look;
  area.name = name, area.tones = tones;
  // Only a default heading is replaced by typing.
  area.select_all = look.select_all && value == "Step " + std::to_string(draft_->step() + 1);
  const screen::Response response = ui.text_area(area, value);
  if (response.changed) {
    const std::string label = std::string(name) + ' ' + std::to_string(draft_->step());
    edit(label, now, [&](scene::LessonStep& step) {
      if (std::string* text = scene::text_of(step, {.text = which, .index = index})) *text = value;
    });
  }
  if (response.active) place_ = Place{which, index, ui.caret_in(id).value_or(value.size())};
  return response.submitted;
}

void LessonEditor::paragraphs(screen::Ui& ui, const char* name, const char* hint, StepText which,
                              double now) {
  const auto list = [&](scene::LessonStep& step) -> std::vector<std::string>& {
    return which == StepText::reveal ? step.reveal : step.words;
  };
  scene::LessonStep copy = draft_->current();
  const std::size_t count = list(copy).size();
  if (count == 0) {
    // An empty paragraph is not written to the file.
    std::string value;
    const screen::Response first =
        ui.text_area({.name = std::string(name) + " 1", .hint = hint, .least_lines = 2}, value);
    if (first.active) place_ = Place{which, 0, 0};
    if (first.changed) {
      edit(std::string(name) + " 1 " + std::to_string(draft_->step()), now,
           [&](scene::LessonStep& step) { list(step) = {value}; });
    }
    return;
  }
  for (std::size_t i = 0; i < count && i < list(copy).size(); ++i) {
    const std::string one = std::string(name) + ' ' + std::to_string(i + 1);
    const ImGuiID id = id_of(one);
    const std::string before = list(copy)[i];
    const bool at_start = ui.focus.has(id) && ui.typing() && ui.caret_in(id) == std::size_t(0);
    const bool enter = text(ui, one.c_str(), {.hint = hint, .least_lines = count == 1 ? 2 : 1}, which,
                            static_cast<int>(i), now);
    if (enter) {
      const std::size_t caret = std::min(ui.caret_in(id).value_or(before.size()), before.size());
      edit("", now, [&](scene::LessonStep& step) {
        std::vector<std::string>& texts = list(step);
        const std::string rest = texts[i].substr(std::min(caret, texts[i].size()));
        texts[i].resize(std::min(caret, texts[i].size()));
        texts.insert(texts.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
      });
      go_to_ = Place{which, static_cast<int>(i) + 1, 0};
      return;
    }
    scene::LessonStep after = draft_->current();
    if (at_start && i > 0 && input_.pressed(Key::backspace) && list(after)[i] == before) {
      const std::size_t caret = list(after)[i - 1].size();
      edit("", now, [&](scene::LessonStep& step) {
        std::vector<std::string>& texts = list(step);
        texts[i - 1] += texts[i];
        texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(i));
      });
      go_to_ = Place{which, static_cast<int>(i) - 1, caret};
      return;
    }
    problems(ui, which, static_cast<int>(i), now);
  }
}

/// If the words name a cell but another one is framed, a click frames the named one.
void LessonEditor::frame_button(screen::Ui& ui, double now) {
  scene::Scene framed = view();
  bool found = false;
  for (const std::vector<std::string>* texts : {&draft_->current().words, &draft_->current().reveal}) {
    for (const std::string& one : *texts) {
      const auto words = scene::parse_words(one);
      if (!words) continue;
      for (const scene::WordPart& part : *words) {
        if (found || !part.number || !part.number->claim) continue;
        const scene::Quantity& quantity = part.number->claim->left;
        const int query = quantity.number("query", -1), key = quantity.number("key", -1);
        if (query < 0 || key < 0) continue;
        found = true;
        framed.query = {query}, framed.key = key;
        if (const int head = quantity.number("head", 0); head > 0) framed.head = {head};
      }
    }
  }
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(4));
  if (!found ||
      !ui.button({.label = "Frame the cell that the words name", .name = "frame cell", .height = 28}))
    return;
  scene::repair(framed);
  change(scene::with_view_of_step(draft_->lesson(), draft_->step(), framed, what_.path.parent_path()),
         draft_->step(), now);
  go(draft_->step(), now);
}

/// The problems of a text, with the value that would be right.
void LessonEditor::problems(screen::Ui& ui, StepText which, int index, double now) {
  const std::vector<scene::Finding> found = checked_[static_cast<std::size_t>(draft_->step())].found;
  int number = 0;
  for (const scene::Finding& one : found) {
    if (one.text != which || one.index != index) continue;
    ++number;
    if (one.unknown) {
      ui.paragraph(one.message, 12);
      continue;
    }
    ui.problem(one.message);
    if (which == StepText::picture) frame_button(ui, now);
    if (one.better.empty()) continue;
    // The number alone shows what the click does.
    std::string shown = one.better;
    if (shown.starts_with('{')) shown = shown.substr(1, shown.find_first_of("=}") - 2);
    if (shown.ends_with(" at start ")) shown.resize(shown.size() - 10);
    const std::string name = "take " + std::to_string(static_cast<int>(which)) + ' ' + std::to_string(index) +
                             ' ' + std::to_string(number);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(4));
    if (ui.button(
            {.label = "Take " + shown, .help = "writes the computed value", .name = name, .height = 28})) {
      edit("", now, [&](scene::LessonStep& step) {
        std::string* text = scene::text_of(step, one);
        if (text && one.to <= text->size()) text->replace(one.from, one.to - one.from, one.better);
      });
      return;
    }
  }
}

}  // namespace headlight::app
