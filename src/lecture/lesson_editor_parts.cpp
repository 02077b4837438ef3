// The questions that a step asks, the cards that it shows or covers, and its settings.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "lecture/lesson_editor.h"
#include "pages/controls.h"
#include "scene/settings.h"
#include "screen/paint.h"
#include "ui/page_screens.h"

namespace headlight::app {

namespace {

using scene::LessonStep;
using scene::StepText;

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void toggle(std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) {
    names.erase(at);
  } else {
    names.push_back(name);
  }
}

}  // namespace

void LessonEditor::pick_button(screen::Ui& ui, const char* name, const char* label, const char* active,
                               Pick pick) {
  const bool on = pick_ == pick;
  if (ui.button({.label = on ? active : label, .name = name, .primary = on, .height = 32}))
    pick_ = on ? Pick::none : pick;
}

/// Chips of the page's cards; a click on a card of the page has the same effect.
void LessonEditor::cards(screen::Ui& ui, const char* name, Pick pick, const std::vector<std::string>& chosen,
                         const PageArea& page, double now) {
  std::vector<std::string> names;
  const bool same_page = session_.scene().page == view().page;
  if (same_page) {
    for (const std::string& card : page.cards()) names.push_back("card " + card);
  }
  for (const std::string& one : chosen) {
    if (!has(names, one)) names.push_back(one);
  }
  ui.push_scope(name);
  ui.begin_flow(6);
  for (const std::string& one : names) {
    bool on = has(chosen, one);
    const bool card = one.starts_with("card ");
    const bool missing = card && same_page && !has(page.cards(), one.substr(5)) && !page.cards().empty();
    if (ui.chip({.label = card ? card_name(one.substr(5), page_info(view().page).view.tabs) : one,
                 .help = missing ? "not on this page; click to remove it" : "",
                 .name = one,
                 .color = missing ? ui.theme().bad : draw::Color{0, 0, 0, 0}},
                on)) {
      edit("", now, [&](LessonStep& step) {
        if (pick == Pick::focus) toggle(step.focus, one);
        if (pick == Pick::hide && step.predict) toggle(step.predict->hide, one);
      });
    }
  }
  ui.end_flow();
  const bool focus = pick == Pick::focus;
  pick_button(ui, "pick",
              focus ? chosen.empty() ? "The whole page · choose cards" : "Choose cards on the page"
                    : "Cover parts of the page",
              focus ? "Click cards on the page · Esc" : "Click cards, rows, cells, numbers · Esc", pick);
  ui.pop_scope();
}

void LessonEditor::asks(screen::Ui& ui, const PageArea& page, double now) {
  ui.gap(10);
  ui.label("Ask the class", 14, draw::Font::semibold);
  bool predict = draft_->current().predict.has_value(), ask = draft_->current().question.has_value(),
       task = draft_->current().task.has_value();
  ui.begin_flow(6);
  if (ui.chip({.label = "Predict first", .help = "a question before the answer is shown", .name = "predict"},
              predict))
    edit("", now, [&](LessonStep& step) {
      if (predict) {
        step.predict = scene::LessonPrediction{};
      } else {
        // The answer remains: it becomes part of the words.
        step.words.insert(step.words.end(), step.reveal.begin(), step.reveal.end());
        step.reveal.clear(), step.predict.reset();
      }
    });
  if (ui.chip({.label = "Question", .help = "with choices, one of them right", .name = "question"}, ask))
    edit("", now, [&](LessonStep& step) {
      step.question.reset();
      if (ask) step.question = scene::LessonQuestion{.ask = "", .choices = {"", ""}, .answer = 1, .why = ""};
    });
  if (ui.chip({.label = "Task", .help = "ticked when a number of the page reaches its goal", .name = "task"},
              task))
    edit("", now, [&](LessonStep& step) {
      step.task.reset();
      if (task) step.task = scene::LessonTask{};
    });
  ui.end_flow();
  if (draft_->current().predict) {
    ui.label("Predict first", 12);
    text(ui, "predict ask", {.hint = "What will the class predict?"}, StepText::predict, 0, now);
    problems(ui, StepText::predict, 0, now);
    ui.label("Covered before Space", 12);
    if (draft_->current().predict) cards(ui, "hide", Pick::hide, draft_->current().predict->hide, page, now);
    ui.label("The answer, after Space", 12);
    paragraphs(ui, "reveal", "What Space shows", StepText::reveal, now);
  }
  if (draft_->current().question) question(ui, now);
  if (draft_->current().task) {
    ui.label("Task", 12);
    text(ui, "task ask", {.hint = "What to try, in one sentence"}, StepText::task, 0, now);
    problems(ui, StepText::task, 0, now);
    claims(ui, "goal", StepText::until, Pick::goal, now);
  }
}

void LessonEditor::question(screen::Ui& ui, double now) {
  ui.label("Question", 12);
  text(ui, "question ask", {.hint = "The question"}, StepText::question, 0, now);
  problems(ui, StepText::question, 0, now);
  const std::size_t count = draft_->current().question->choices.size();
  const draw::Theme& t = ui.theme();
  for (std::size_t i = 0; i < count && i < draft_->current().question->choices.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const float wide = ImGui::GetContentRegionAvail().x / ui.scale();
    const screen::Ui::Item mark =
        ui.item("right " + number, ui.px(28), ui.px(32), "this is the right answer");
    const ImVec2 centre{(mark.from.x + mark.to.x) / 2, (mark.from.y + mark.to.y) / 2};
    const bool right = draft_->current().question->answer == static_cast<int>(i) + 1;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCircle(centre, ui.px(8), screen::packed(right ? t.good : t.dim), 0, ui.px(1.5f));
    if (right) list.AddCircleFilled(centre, ui.px(4.5f), screen::packed(t.good));
    ui.focus_ring(mark, ui.px(8));
    ImGui::SameLine(0, ui.px(4));
    // The right answer cannot be removed before another one is marked.
    const bool removable = count > 2 && !right;
    const float removal = removable ? 30.f : 0.f;
    text(ui, ("choice " + number).c_str(), {.hint = "Choice " + number, .width = wide - 32 - removal},
         StepText::choice, static_cast<int>(i), now);
    bool away = false;
    if (removable) {
      ImGui::SameLine(0, ui.px(4));
      away = ui.button({.label = "×",
                        .help = "remove this choice",
                        .name = "remove " + number,
                        .quiet = true,
                        .width = 26,
                        .height = 32})
                 .changed;
    }
    if (mark.pressed || away) {
      edit("", now, [&](LessonStep& step) {
        scene::LessonQuestion& question = *step.question;
        const int place = static_cast<int>(i) + 1;
        if (mark.pressed) question.answer = place;
        if (!away) return;
        question.choices.erase(question.choices.begin() + static_cast<std::ptrdiff_t>(i));
        if (question.answer > place) --question.answer;
      });
    }
    problems(ui, StepText::choice, static_cast<int>(i), now);
  }
  if (count < 6 && ui.button({.label = "+ Choice", .name = "add choice", .height = 28}))
    edit("", now, [](LessonStep& step) { step.question->choices.emplace_back(); });
  text(ui, "why", {.hint = "Why that is right (shown with the answer)"}, StepText::why, 0, now);
  problems(ui, StepText::why, 0, now);
}

void LessonEditor::claims(screen::Ui& ui, const char* name, StepText which, Pick pick, double now) {
  const auto list = [&](LessonStep& step) -> std::vector<std::string>* {
    if (which == StepText::fact) return &step.facts;
    return step.task ? &step.task->until : nullptr;
  };
  LessonStep copy = draft_->current();
  const std::vector<std::string>* there = list(copy);
  if (!there) return;
  for (std::size_t i = 0; i < there->size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const float wide = ImGui::GetContentRegionAvail().x / ui.scale();
    text(ui, (std::string(name) + ' ' + number).c_str(), {.hint = "entropy head=1 < 0.5", .width = wide - 34},
         which, static_cast<int>(i), now);
    ImGui::SameLine(0, ui.px(4));
    if (ui.button({.label = "×",
                   .help = "remove it",
                   .name = std::string("remove ") + name + ' ' + number,
                   .quiet = true,
                   .width = 26,
                   .height = 32})) {
      edit("", now, [&](LessonStep& step) {
        if (std::vector<std::string>* texts = list(step); texts && i < texts->size())
          texts->erase(texts->begin() + static_cast<std::ptrdiff_t>(i));
      });
      return;
    }
    problems(ui, which, static_cast<int>(i), now);
  }
  if (there->empty()) problems(ui, which, 0, now);
  pick_button(ui, (std::string("pick ") + name).c_str(),
              which == StepText::fact ? "Check a number of the page" : "Goal: a number of the page",
              "Click a number on the page · Esc", pick);
}

/// Settings of the step's own page: first those that the step changes; all of them on demand.
void LessonEditor::settings(screen::Ui& ui, double now) {
  ui.gap(10);
  ui.label("Settings beside the words", 14, draw::Font::semibold);
  const LessonStep step = draft_->current();
  ui.push_scope("settings");
  ui.begin_flow(6);
  bool more = false;
  for (const scene::Setting& one : scene::settings()) {
    const scene::Field& field = one.field;
    const bool chosen = has(step.controls, field.name);
    const bool here = field.group != scene::Group::none && !heading_of(field, view()).empty();
    if (!here && !chosen) continue;
    const bool changed = std::any_of(step.scene.begin(), step.scene.end(),
                                     [&](const auto& change) { return change.first == field.name; });
    if (!chosen && !changed && !all_settings_) {
      more = true;
      continue;
    }
    bool on = chosen;
    const std::string name = field.name;
    if (ui.chip({.label = field.label, .help = field.help, .name = name}, on))
      edit("", now, [&](LessonStep& edited) { toggle(edited.controls, name); });
  }
  if ((more || all_settings_) &&
      ui.button(
          {.label = all_settings_ ? "Fewer" : "More…", .help = "all settings of this page", .name = "more"}))
    all_settings_ = !all_settings_;
  ui.end_flow();
  ui.pop_scope();
}

}  // namespace headlight::app
