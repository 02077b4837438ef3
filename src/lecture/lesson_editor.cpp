// The edited lesson, its file, and the input from the page.
#include "lecture/lesson_editor.h"

#include <algorithm>
#include <utility>

#include "scene/settings.h"

namespace headlight::app {

namespace {

constexpr double save_after = 0.7;  // seconds without another change

/// True if the text can contain numbers of the program. Numbers go to the words when no such text was edited.
bool takes_numbers(scene::StepText text) {
  return text != scene::StepText::until && text != scene::StepText::fact && text != scene::StepText::picture;
}

/// A position that changed only because clocks are running does not count as a change.
bool differs_but_for_the_clocks(scene::Scene before, const scene::Scene& now) {
  if (now.positions.play) before.positions.index = now.positions.index;
  return before != now;
}

}  // namespace

void LessonEditor::start(LessonToWrite what, int step, double now) {
  if (open()) close(now);
  if (open()) return;  // the edited text is not lost
  before_ = session_.scene();
  history_before_ = session_.exchange_history({});
  session_.keep_instead(before_);
  what_ = std::move(what);
  draft_.emplace(what_.lesson, step);
  version_ = -1, pick_ = Pick::none, place_.reset(), problem_.clear(), differs_on_disk_ = false;
  dirty_ = false, written_last_ = false, all_settings_ = false, shown_step_ = texts_of_ = -1;
  // A view that became a lesson is not lost; a copy is made only when something in it changes.
  to_title_ = what_.known.empty() && what_.lesson.steps.size() == 1;
  follow(now);
  if (to_title_) save(now);
  go(draft_->step(), now);
  page_scene_ = session_.scene();
}

void LessonEditor::close(double now) {
  if (!open()) return;
  keep(now);
  if (dirty_) {
    const base::Status aside = write_lesson_aside(what_);
    if (!aside) return session_.warn("the lesson could not be saved: " + aside.error(), now);
    dirty_ = false;
    session_.warn("the lesson was saved as " + what_.path.filename().string() + ": " + problem_, now);
  }
  draft_.reset();
  views_.clear(), shown_.clear(), checked_.clear();
  pictures_.forget_results();
  session_.keep_instead(std::nullopt);
  if (before_) session_.restore(scene::with_look_of(*before_, session_.scene()), now);
  before_.reset();
  (void)session_.exchange_history(std::exchange(history_before_, {}));
}

void LessonEditor::keep(double now) {
  if (open() && dirty_) save(now);
}

LessonEditor::~LessonEditor() {
  rescue();
}

void LessonEditor::rescue() {
  keep(0);
  if (open() && dirty_ && write_lesson_aside(what_)) dirty_ = false;
}

void LessonEditor::save(double now) {
  what_.lesson = draft_->lesson();
  const base::Status written = write_lesson(what_, differs_on_disk_);
  problem_ = written ? std::string() : written.error();
  if (written) dirty_ = false;
  unfinished_ = scene::finished(what_.lesson) != what_.lesson;
  save_at_ = now + 60;  // a later attempt may succeed
}

OpenedLesson LessonEditor::playable() const {
  OpenedLesson opened;
  opened.lesson = scene::finished(draft_->lesson());
  scene::find_files(opened.lesson, what_.path.parent_path());
  opened.entry.path = what_.path, opened.entry.name = what_.path.stem().string();
  opened.entry.title = opened.lesson.title;
  return as_played(std::move(opened));
}

void LessonEditor::come_back(int step, double now) {
  session_.keep_instead(before_);
  go(step, now);
}

/// Updates scenes, pictures and checks of the steps when the lesson changed.
void LessonEditor::follow(double) {
  const scene::Scene& look = session_.scene();
  if (version_ != draft_->version() || theme_ != look.theme || views_.empty()) {
    version_ = draft_->version(), theme_ = look.theme;
    views_ = scene::views_of(draft_->lesson(), what_.path.parent_path());
    shown_.clear(), given_.clear();
    for (int step = 0; step < draft_->steps(); ++step)
      given_.push_back(scene::given_until(draft_->lesson(), step));
    for (const scene::Scene& view : views_) {
      scene::Scene picture = view;
      picture.theme = look.theme, picture.ramp = look.ramp;
      shown_.push_back(pictures_.ask(picture, true));
    }
    check();
    pictures_.forget_results();  // of earlier versions of steps
    return;
  }
  check();
}

void LessonEditor::check() {
  checked_.resize(views_.size());
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const scene::LessonStep& step = draft_->lesson().steps[i];
    const auto& picture = shown_[i];
    const bool ready = picture->ready();
    Checked& one = checked_[i];
    const std::vector<scene::Given>& given = given_[i];
    if (one.picture == picture && one.ready == ready && one.step == step && one.given == given) continue;
    one = {step, picture, ready, {}, 0, given};
    if (!ready) continue;
    if (const scene::Results* results = picture->results()) {
      one.found = scene::findings(step, given, {picture->scene(), *results, nullptr});
    } else {
      one.found.push_back({.text = scene::StepText::picture,
                           .message = "this step’s numbers are checked when the lesson is played",
                           .unknown = true});
    }
    one.problems = static_cast<int>(std::count_if(
        one.found.begin(), one.found.end(), [](const scene::Finding& found) { return !found.unknown; }));
  }
}

bool LessonEditor::page_differs() const {
  return differs_but_for_the_clocks(scene::with_look_of(view(), session_.scene()), session_.scene());
}

void LessonEditor::go(int step, double now) {
  draft_->select(step);
  follow(now);
  pick_ = Pick::none;
  session_.restore(scene::with_look_of(view(), session_.scene()), now);
  page_scene_ = session_.scene();
  place_.reset();
}

void LessonEditor::changed(double now) {
  dirty_ = true, written_last_ = true;
  save_at_ = now + save_after;
  follow(now);
}

void LessonEditor::change(scene::Lesson next, int step, double now) {
  if (!draft_->change(std::move(next), step, "", now)) return;
  changed(now);
}

void LessonEditor::undo(double now) {
  const scene::Scene shown = view();
  const int step = draft_->step();
  if (draft_->undo()) undone(step, shown, now);
}

void LessonEditor::redo(double now) {
  const scene::Scene shown = view();
  const int step = draft_->step();
  if (draft_->redo()) undone(step, shown, now);
}

/// Shows the current state of the step; the caret in its texts is no longer valid.
void LessonEditor::undone(int step, const scene::Scene& shown, double now) {
  changed(now);
  place_.reset(), pick_ = Pick::none;
  if (draft_->step() != step || view() != shown) go(draft_->step(), now);
}

bool LessonEditor::keys(double) {
  if (!open() || pick_ == Pick::none || !input_.pressed(screen::Key::escape)) return false;
  pick_ = Pick::none;
  return true;
}

void LessonEditor::direct(PageArea& page) const {
  using Picking = PageArea::Picking;
  page.overlay = {};
  page.picking = pick_ == Pick::none    ? Picking::none
                 : pick_ == Pick::focus ? Picking::card
                 : pick_ == Pick::hide  ? Picking::part
                                        : Picking::number;
  if (pick_ == Pick::focus) page.overlay.highlight = draft_->current().focus;
  if (pick_ == Pick::hide && draft_->current().predict)
    page.overlay.highlight = draft_->current().predict->hide;
}

void LessonEditor::take(PageArea& page, double now) {
  if (differs_but_for_the_clocks(page_scene_, session_.scene())) written_last_ = false;
  page_scene_ = session_.scene();
  const auto picked = page.take_picked();
  if (!picked || pick_ == Pick::none) return;
  if (!picked->card.empty()) return toggle_part("card " + picked->card, now);
  if (pick_ == Pick::hide) return toggle_part(picked->part, now);
  const Pick pick = std::exchange(pick_, Pick::none);
  const auto training = session_.training().latest();
  const scene::QuantitySource from{session_.scene(), session_.results(), training.get(), session_.cell()};
  if (pick == Pick::number) return insert(scene::number_in_words(picked->quantity, from), picked->part, now);
  std::string claim = scene::number_as_claim(picked->quantity, from);
  if (claim.empty()) return;
  edit("", now, [&](scene::LessonStep& step) {
    if (pick == Pick::fact) step.facts.push_back(claim);
    if (pick != Pick::goal || !step.task) return;
    // A goal is a state that is not reached yet.
    if (const std::size_t sign = claim.rfind(" = "); sign != std::string::npos) claim.replace(sign, 3, " > ");
    step.task->until.push_back(claim);
  });
  const int last = static_cast<int>((pick == Pick::fact       ? draft_->current().facts.size()
                                     : draft_->current().task ? draft_->current().task->until.size()
                                                              : 1)) -
                   1;
  go_to_ = Place{pick == Pick::fact ? scene::StepText::fact : scene::StepText::until, last, claim.size()};
}

/// Adds or removes a card among those that are shown alone, or a part of the page among those that are
/// covered.
void LessonEditor::toggle_part(const std::string& name, double now) {
  edit("", now, [&](scene::LessonStep& step) {
    if (pick_ == Pick::hide && !step.predict) return;
    std::vector<std::string>& names = pick_ == Pick::hide ? step.predict->hide : step.focus;
    const auto at = std::find(names.begin(), names.end(), name);
    if (at != names.end()) {
      names.erase(at);
    } else {
      names.push_back(name);
    }
  });
}

/// Inserts a number at the caret, else after the last paragraph. Words and answer say what the step outlines:
/// `part` is where the number stands.
void LessonEditor::insert(const std::string& number, const std::string& part, double now) {
  if (number.empty()) return session_.say("the page has no such number now", now);
  Place place = place_.value_or(Place{});
  if (!takes_numbers(place.text)) place = {};
  edit("", now, [&](scene::LessonStep& step) {
    std::string* text = scene::text_of(step, {.text = place.text, .index = place.index});
    if (!text || !place_) {
      place.text = scene::StepText::words;
      if (step.words.empty()) step.words.emplace_back();
      place.index = static_cast<int>(step.words.size()) - 1;
      text = &step.words.back();
      place.caret = text->size();
    }
    place.caret = std::min(place.caret, text->size());
    while (place.caret > 0 && place.caret < text->size() && ((*text)[place.caret] & 0xC0) == 0x80)
      --place.caret;
    const bool space = place.caret > 0 && (*text)[place.caret - 1] != ' ' && (*text)[place.caret - 1] != '(';
    const std::string words = (space ? " " : "") + number;
    text->insert(place.caret, words);
    place.caret += words.size();
    const bool stated = place.text == scene::StepText::words || place.text == scene::StepText::reveal;
    if (stated && !part.empty() && std::count(step.highlight.begin(), step.highlight.end(), part) == 0)
      step.highlight.push_back(part);
  });
  go_to_ = place_ = place;
}

}  // namespace headlight::app
