#include "command/lesson_command.h"

#include <algorithm>
#include <charconv>

#include "app/shell.h"
#include "draw/both_canvas.h"
#include "draw/no_canvas.h"
#include "draw/record_canvas.h"
#include "figure/svg_canvas.h"
#include "kit/page_input.h"
#include "pages/quantities.h"
#include "pictures/card_names.h"
#include "pictures/pages.h"
#include "scene/nearest.h"
#include "session/lesson_handout.h"
#include "session/lesson_library.h"
#include "ui/focus_layout.h"
#include "ui/number_canvas.h"

namespace headlight::app {

namespace {

/// A line for each thing that a step covers or outlines but that is not on its page.
std::vector<std::string> not_on_page(const scene::LessonStep& step, const Session& session) {
  views::PageInput in = page_input(session, draw::theme(true));
  PageOverlay overlay;
  overlay.highlight = step.highlight, overlay.focus = step.focus, overlay.without = step.without;
  if (step.predict) overlay.hide = step.predict->hide;
  keep_covered(in, overlay);
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1, -1}, measure);
  page_info(session.scene().page).view.draw(pick, {0, 0, 1050, 1000}, in);
  const nn::AttentionTrace& trace = session.results().attention;
  std::vector<std::string> cards;
  for (const auto& panel : pick.panels()) {
    if (!panel.name.empty() && std::find(cards.begin(), cards.end(), panel.name) == cards.end())
      cards.push_back(panel.name);
  }
  std::vector<std::string> lines;
  for (const std::string& name :
       overlay_boxes(overlay, {pick.targets(), pick.panels(), trace.T, trace.S}).missing)
    lines.push_back(name.starts_with("card ") ? no_such_card(session.scene().page, name.substr(5), cards)
                                              : scene::in_quotes(name) + " is not on the page");
  return lines;
}

/// What is measured on held-out sentences has no picture: it is not of the sentence that is shown.
constexpr std::string_view of_held_out_sentences = "held_out_";

/// Is this whole number among the words, with either sign for minus? "3" is not in "35.3".
bool has_number(std::string_view words, const std::string& number) {
  const auto plain = [](std::string text) {
    constexpr std::string_view minus = "−";
    for (std::size_t at = 0; (at = text.find(minus, at)) != std::string::npos;)
      text.replace(at, minus.size(), "-");
    return text;
  };
  const std::string in = plain(std::string(words)), wanted = plain(number);
  const auto continues = [&](std::size_t at, std::size_t next) {  // a digit, or a point or comma before one
    const auto digit = [&](std::size_t i) { return i < in.size() && in[i] >= '0' && in[i] <= '9'; };
    return digit(at) || (at < in.size() && (in[at] == '.' || in[at] == ',') && digit(next));
  };
  for (std::size_t at = 0; (at = in.find(wanted, at)) != std::string::npos; ++at) {
    const bool negative = at > 0 && in[at - 1] == '-' && !continues(at - 2, at - 3);  // "−0.46" is not 0.46
    if (!negative && !continues(at - 1, at - 2) && !continues(at + wanted.size(), at + wanted.size() + 1))
      return true;
  }
  return false;
}

/// The computed numbers of a step's words that none of its cards in focus shows, as the words write them:
/// "9.4 = turns pair=0". Steps without cards in focus have none.
std::string not_in_picture(const scene::LessonStep& step, const Session& session) {
  if (step.focus.empty()) return {};
  const auto training = session.training().latest();
  const scene::QuantitySource from{session.scene(), session.results(), training.get(), session.cell()};
  views::PageInput in = page_input(session, draw::theme(true));
  std::vector<scene::StatedNumber> stated;
  in.stated = &stated;
  PageOverlay overlay;
  overlay.highlight = step.highlight, overlay.focus = step.focus, overlay.without = step.without;
  keep_covered(in, overlay);
  // As a window of 1600 × 1000 shows the step beside its words, with the widths of its fonts.
  in.alone = overlay.focus.size() == 1;
  figure::SvgCanvas fonts(in.theme);
  draw::NoCanvas measure(fonts);
  draw::RecordCanvas drawn;
  draw::PickCanvas pick({-1, -1}, measure);
  NumberCanvas numbers(stated, measure);
  draw::BothCanvas both(pick, numbers), recorded(drawn, both), all(measure, recorded);
  const PageInfo& page = page_info(session.scene().page);
  views::PageInput unstated = in;
  unstated.stated = nullptr;
  const DrawPage in_area = [&](draw::Canvas& canvas, draw::Box area) {
    page.view.draw(canvas, area, unstated);
  };
  page.view.draw(all, focus_layout(overlay, in_area, {0, 0, 1056, 1000}, measure), in);
  const nn::AttentionTrace& trace = session.results().attention;
  const PageThings things{pick.targets(), pick.panels(), trace.T, trace.S};
  // What is outlined may be on another card.
  std::vector<draw::Box> seen = overlay_boxes(overlay, things).outlines;
  for (const std::string& card : step.focus) {
    for (const draw::Box& box : boxes_of(card, things)) seen.push_back(box);
  }
  const auto in_picture = [&](draw::Point at) {
    return std::any_of(seen.begin(), seen.end(), [&](const draw::Box& box) { return box.has(at); });
  };
  const auto shown = [&](const scene::Quantity& quantity, double value, const std::string& words) {
    // Not every number is drawn as a quantity.
    for (const auto& text : drawn.texts) {
      if (has_number(text.words, words) && in_picture(text.box.centre())) return true;
    }
    const int query = quantity.number("query", -1), key = quantity.number("key", -1);
    const nn::CellTrace* cell = session.cell();
    if (query >= 0 && cell && cell->query == query && cell->key == key) return true;
    if (query >= 0) {
      const std::string name = key >= 0 ? "cell " + std::to_string(query) + " " + std::to_string(key)
                                        : "row " + std::to_string(query);
      for (const draw::Box& box : boxes_of(name, things)) {
        if (in_picture(box.centre())) return true;
      }
    }
    return std::any_of(numbers.numbers().begin(), numbers.numbers().end(), [&](const auto& number) {
      const auto parsed = scene::parse_quantity(number.quantity);
      return parsed && parsed->info == quantity.info && scene::quantity_value(*parsed, from) == value &&
             in_picture(number.box.centre());
    });
  };
  constexpr int most = 3;  // named ones
  int count = 0;
  std::string out;
  for (const auto* texts : {&step.words, &step.reveal}) {
    for (const std::string& text : *texts) {
      const auto paragraph = scene::parse_words(text);
      for (const scene::WordPart& part : paragraph ? *paragraph : scene::Paragraph{}) {
        if (!part.number || !part.number->claim || part.number->at_start) continue;
        const scene::Claim& claim = *part.number->claim;
        const std::string_view name = claim.left.info->name;
        const bool settles = claim.relation == scene::Relation::equal && name != "setting" &&
                             !name.starts_with(of_held_out_sentences);
        const std::string& words = part.number->written.text;
        if (!settles || shown(claim.left, scene::quantity_value(claim.left, from), words)) continue;
        if (++count <= most) out += (count > 1 ? ", " : "") + words + " = " + claim.left.text();
      }
    }
  }
  return count > most ? out + " and " + std::to_string(count - most) + " more" : out;
}

}  // namespace

std::string lessons_text() {
  std::string text;
  for (const LessonEntry& entry : list_lessons(lessons_folder())) {
    text +=
        (entry.number > 0 ? std::to_string(entry.number) : "own") + "\t" + entry.name + "\t" + entry.title;
    if (!entry.problem.empty()) {
      text += "\t" + entry.problem;
    } else if (!entry.about.empty()) {
      text += "\t" + entry.about;
    }
    if (!entry.missing.empty()) text += "\t" + entry.missing;
    text += "\n";
  }
  return text;
}

base::Status known_lesson(const std::string& name) {
  const auto opened = open_lesson(name, lessons_folder());
  if (opened) return {};
  if (opened.error().rfind("no lesson ", 0) != 0) return base::Error{opened.error()};
  std::vector<std::string> names;
  std::string all;
  for (const LessonEntry& entry : list_lessons(lessons_folder())) {
    names.push_back(entry.name);
    all += (all.empty() ? "" : ", ") + entry.name;
  }
  return base::Error{"no lesson " + scene::in_quotes(name) + "; there are " + all +
                     scene::did_you_mean(name, names)};
}

base::Status render_lesson(const LessonRequest& request, const scene::Scene& look, RenderOptions options) {
  auto opened = open_lesson(request.name, lessons_folder());
  if (!opened) return base::Error{opened.error()};
  const int steps = static_cast<int>(opened->lesson.steps.size());
  int step = 1;
  const char* end = request.step.data() + request.step.size();
  if (!request.step.empty()) {
    const auto [rest, error] = std::from_chars(request.step.data(), end, step);
    if (error != std::errc() || rest != end || step < 1 || step > steps)
      return base::Error{"--step: " + base::shortened(request.step) + " is not a step of this lesson, 1 to " +
                         std::to_string(steps)};
  }
  scene::Scene start = scene::lesson_scenes(opened->lesson, look)[static_cast<std::size_t>(step - 1)];
  start.reduced_motion = true;
  options.page = start.page;
  options.lecturer = request.lecturer;
  options.prepare = [&](Shell& shell) {
    LessonPlayer& player = shell.lessons().player();
    player.start(std::move(*opened), 0, step - 1);
    player.settle();  // a run whose numbers the words name is trained to its end
    player.notes_shown = request.notes;
    shell.lessons().hall = request.lecturer;
    if (request.revealed) player.reveal(0);
  };
  return render_page(start, options);
}

base::Result<std::string> lesson_handout(const std::string& name) {
  auto opened = open_lesson(name, lessons_folder());
  if (!opened) return base::Error{opened.error()};
  Session session({.scene = {}, .autosave = {}});
  LessonPlayer player(session);
  player.start(std::move(*opened), 0);
  return handout(player);
}

base::Result<LessonCheck> check_lesson(const std::string& name) {
  auto opened = open_lesson(name, lessons_folder());
  if (!opened) return base::Error{opened.error()};
  if (!opened->entry.missing.empty())
    return base::Error{"lesson " + opened->entry.name + ": nothing is checked: it " + opened->entry.missing};
  Session session({.scene = {}, .autosave = {}});
  LessonPlayer player(session);
  player.start(std::move(*opened), 0);
  LessonCheck out;
  std::string& text = out.problems;
  for (int step = 0; step < player.steps(); ++step) {
    player.go(step, 0);
    player.settle();
    const std::string where = "step " + std::to_string(step + 1) + ": ";
    for (const std::string& line : player.untrue()) text += where + line + "\n";
    for (const std::string& line : not_on_page(player.current(), session)) text += where + line + "\n";
    if (const std::string stated = not_in_picture(player.current(), session); !stated.empty())
      out.advice += where + "advice: the picture does not show " + stated + "\n";
  }
  return out;
}

}  // namespace headlight::app
