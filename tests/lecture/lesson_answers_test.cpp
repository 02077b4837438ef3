// What a step asks its class to predict is not drawn by the steps before it; and every part that a step
// leaves out is one that its cards have.
#include <gmock/gmock.h>

#include <cctype>
#include <set>

#include "draw/both_canvas.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pictures/pages.h"
#include "played_lessons.h"
#include "ui/focus_layout.h"

namespace headlight::app::lesson_test {
namespace {

using testing::IsEmpty;

constexpr int steps_before = 3;  // in which an answer is still remembered
constexpr int least_digits = 3;  // shorter numbers are equal by chance

/// The numbers of at least three digits in a text: "off by 187 %" has "187".
std::set<std::string> numbers_of(const std::string& words) {
  std::set<std::string> out;
  std::string number;
  int digits = 0;
  for (const char c : words + " ") {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit || (!number.empty() && (c == '.' || c == ','))) {
      number += c, digits += digit && (digits > 0 || c != '0') ? 1 : 0;
      continue;
    }
    while (!number.empty() && std::isdigit(static_cast<unsigned char>(number.back())) == 0) number.pop_back();
    if (digits >= least_digits) out.insert(number);
    number.clear(), digits = 0;
  }
  return out;
}

/// A whole number of per cent as a fraction: 187 % is 1.87 on some cards.
std::string as_fraction(const std::string& per_cent) {
  std::string out = per_cent;
  if (out.find('.') != std::string::npos) return out;
  while (out.size() < 3) out.insert(0, "0");
  return out.insert(out.size() - 2, ".");
}

void add_numbers(LessonPlayer& player, const std::vector<std::string>& texts, std::set<std::string>& out) {
  for (const std::string& text : texts) {
    const std::vector<scene::WordRun> runs = player.runs(text);
    std::string words;
    for (const scene::WordRun& run : runs) words += run.text;
    for (const std::string& number : numbers_of(words)) {
      out.insert(number);
      constexpr std::size_t blank = 3;  // bytes, of a narrow one
      const std::size_t after = words.find(number) + number.size();
      if (words.substr(after, blank + 1).find('%') != std::string::npos) out.insert(as_fraction(number));
    }
  }
}

class Answers : public testing::Test {
 protected:
  /// The numbers on the cards of the step, where it shows them alone, in windows of three sizes.
  static std::set<std::string> drawn(const Played& lesson) {
    std::set<std::string> out;
    for (const draw::Box room : {draw::Box{0, 0, 1056, 1000}, {0, 0, 845, 720}, {0, 0, 360, 360}})
      out.merge(numbers_of(drawn_in(lesson, room)));
    return out;
  }

  static std::string drawn_in(const Played& lesson, draw::Box room) {
    views::PageInput in = page_input(lesson.session, draw::theme(true));
    const scene::LessonStep& step = lesson.player.current();
    in.without = &step.without;
    in.alone = step.focus.size() == 1;
    const DrawPage page = [&](draw::Canvas& canvas, draw::Box area) {
      page_info(lesson.session.scene().page).view.draw(canvas, area, in);
    };
    draw::RecordCanvas measure;
    PageOverlay overlay;
    overlay.focus = step.focus;
    const draw::Box area = focus_layout(overlay, page, room, measure);
    draw::RecordCanvas record;
    draw::PickCanvas pick({-1e6f, -1e6f}, record);
    draw::BothCanvas both(record, pick);
    page(both, area);
    const std::vector<draw::Box> boxes = focus_boxes(overlay, {pick.targets(), pick.panels()});
    std::string words;
    for (const auto& text : record.texts) {
      const auto has = [&](const draw::Box& box) { return box.has(text.at); };
      if (std::any_of(boxes.begin(), boxes.end(), has)) words += text.words + "\n";
    }
    return words;
  }
};

TEST_F(Answers, AreNotOnTheCardsOfTheStepsBefore) {
  for (const std::string& name : shipped()) {
    Played& lesson = played(name);
    LessonPlayer& player = lesson.player;
    Session& session = lesson.session;
    std::vector<std::set<std::string>> answers, reported, shown;
    for (int step = 0; step < player.steps(); ++step) {
      player.go(step, step);
      session.update(step);
      session.wait();
      const scene::LessonStep& now = player.current();
      std::set<std::string> message, hidden;
      add_numbers(player, now.words, message);
      if (now.predict) add_numbers(player, {now.predict->ask}, message);
      add_numbers(player, now.reveal, hidden);
      answers.push_back(hidden), reported.push_back(message), shown.push_back(drawn(lesson));
    }
    for (int step = 0; step < player.steps(); ++step) {
      std::set<std::string> known;  // said until here
      for (int i = 0; i <= step; ++i) {
        known.insert(reported[static_cast<std::size_t>(i)].begin(),
                     reported[static_cast<std::size_t>(i)].end());
        known.insert(answers[static_cast<std::size_t>(i)].begin(),
                     answers[static_cast<std::size_t>(i)].end());
      }
      const int last = std::min(step + steps_before, player.steps() - 1);
      for (int later = step + 1; later <= last; ++later) {
        for (const std::string& number : answers[static_cast<std::size_t>(later)]) {
          EXPECT_TRUE(known.contains(number) || reported[static_cast<std::size_t>(later)].contains(number) ||
                      !shown[static_cast<std::size_t>(step)].contains(number))
              << name << ": step " << step + 1 << " shows " << number << ", the answer of step " << later + 1;
        }
      }
    }
  }
}

TEST_F(Answers, APartThatIsLeftOutIsOnTheCardOtherwise) {
  for (const std::string& name : shipped()) {
    Played& lesson = played(name);
    LessonPlayer& player = lesson.player;
    Session& session = lesson.session;
    for (int step = 0; step < player.steps(); ++step) {
      player.go(step, step);
      if (player.current().without.empty()) continue;
      session.update(step);
      session.wait();
      views::PageInput in = page_input(session, draw::theme(true));
      const auto lines = [&] {
        draw::RecordCanvas record;
        page_info(session.scene().page).view.draw(record, {0, 0, 1400, 1200}, in);
        return record.lines;
      };
      const auto all = lines();
      in.without = &player.current().without;
      const bool trained = session.scene().page == scene::Page::training;  // nothing is trained here
      if (!trained) EXPECT_NE(lines(), all) << name << ", step " << step + 1;
    }
  }
}

}  // namespace
}  // namespace headlight::app::lesson_test
