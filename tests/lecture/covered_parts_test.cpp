// The smallest cover: what a step covers contains its answer, leaves most of the card on view, and the
// pointer meets nothing on a card with a cover. In every shipped lesson, in three sizes of the stage.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "app/program.h"
#include "draw/both_canvas.h"
#include "draw/boxes.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pictures/pages.h"
#include "support/lesson_models.h"
#include "ui/focus_layout.h"

namespace headlight::app::covered_parts_test {
namespace {

using draw::Box;

class CoveredParts : public tests::ProgramTest {
 protected:
  LessonPlayer& player() { return shell_->lessons().player(); }

  struct Stage {
    OverlayBoxes boxes;
    draw::RecordCanvas drawn;
  };

  /// The page as the step's stage shows it in this room, in units.
  Stage stage(Box room) {
    const PageOverlay overlay = shell_->lessons().overlay(now_);
    views::PageInput in = page_input(*session_, draw::theme(true));
    in.alone = overlay.focus.size() == 1;
    keep_covered(in, overlay);
    const auto& view = page_info(scene().page).view;
    const DrawPage page = [&](draw::Canvas& canvas, Box area) { view.draw(canvas, area, in); };
    draw::RecordCanvas measure;
    const Box area = focus_layout(overlay, page, room, measure);
    Stage out;
    draw::PickCanvas pick({-1, -1}, out.drawn);
    draw::BothCanvas both(out.drawn, pick);
    page(both, area);
    const nn::AttentionTrace& trace = session_->results().attention;
    out.boxes = overlay_boxes(overlay, {pick.targets(), pick.panels(), trace.T, trace.S});
    return out;
  }

  /// The computed numbers of the answer that the step does not say before it.
  std::set<std::string> answers() {
    std::string message;
    const scene::LessonStep& step = player().current();
    for (const auto& words : step.words) message += words + "\n";
    message += step.predict->ask;
    std::set<std::string> out;
    for (const std::string& words : step.reveal) {
      for (const auto& run : player().runs(words)) {
        if (run.counts && run.text.size() >= 4 && message.find(run.text) == std::string::npos)
          out.insert(run.text);
      }
    }
    return out;
  }
};

/// Steps whose answer is not written on their card as the words write it, and why.
const std::map<std::string, std::string> other_words = {
    {"many-heads 7", "a share of the norm: the card writes 0.587 for 59 %"},
    {"order 2", "a bound"},
    {"clocks 5", "turns are 59 ÷ the wavelength that is covered"},
    {"rotation 5", "a bound"},
    {"masking 2", "0 is an empty cell; 1 is written 1.00"},
    {"cost 7", "1,024 GiB is written 1 TiB"},
    {"memory 4", "the card writes 1.87 for 187 %"},
    {"learned 3", "bounds"},
    {"learned 6", "bounds"},
    {"right-for-which-reason 5", "a bound"},
};

constexpr const char* rows_tell = "the other rows assign their weight to the same keys";

/// Steps that cover more than half of their card, and why.
const std::map<std::string, std::string> large_covers = {
    {"what-comes-next 1", "the lists after one token, after each token and after each layer have the answer"},
    {"rotation 5", "where the curve of A lies is the answer"},
    {"learned 9", rows_tell},
    {"learned 10", rows_tell},
    {"learned 11", rows_tell},
    {"right-for-which-reason 1", rows_tell},
    {"right-for-which-reason 2", rows_tell},
    {"right-for-which-reason 3", rows_tell},
    {"right-for-which-reason 5", rows_tell},
    {"right-for-which-reason 7", rows_tell},
    {"right-for-which-reason 8", rows_tell},
    {"right-for-which-reason 9", rows_tell},
    {"read-a-real-model 2", "the whole card"},
};

/// Steps that cover their card as a whole, and why.
const std::map<std::string, std::string> whole_covers = {
    {"read-a-real-model 2", "every picture and number tells which head comes first"},
};

std::string without_signs(std::string words) {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"−", "-"}, {"+", ""}, {" ", ""}}) {
    for (std::size_t at; (at = words.find(from)) != std::string::npos;) words.replace(at, from.size(), to);
  }
  return words;
}

TEST_F(CoveredParts, ContainTheAnswerAndLeaveTheRestOfTheCard) {
  start({});
  int steps = 0;
  for (const LessonEntry& entry : list_lessons({})) {
    if (!tests::can_be_played(entry)) continue;
    shell_->lessons().open(entry.name, now_);
    for (int step = 0; step < player().steps(); ++step) {
      if (!player().lesson().steps[static_cast<std::size_t>(step)].predict) continue;
      player().go(step, now_);
      session_->update(now_);
      session_->wait();
      pilot_.frames(1);
      ++steps;
      ASSERT_TRUE(player().covered());
      const std::string name = entry.name + " " + std::to_string(step + 1);
      std::string under;
      for (const Box room : {Box{0, 0, 842, 720}, {0, 0, 420, 360}, {0, 0, 1260, 1080}}) {
        const std::string where = name + " in " + std::to_string(static_cast<int>(room.w));
        const Stage seen = stage(room);
        const OverlayBoxes& boxes = seen.boxes;
        EXPECT_TRUE(boxes.missing.empty())
            << where << ": " << (boxes.missing.empty() ? "" : boxes.missing[0]);
        ASSERT_GT(boxes.focus.w, 0) << where;
        if (!whole_covers.count(name)) ASSERT_FALSE(boxes.plates.empty()) << where << " covers whole cards";
        // Counted in squares of two units: plates may overlap.
        constexpr float square = 2;
        int covered = 0, all = 0;
        for (float y = boxes.focus.y; y < boxes.focus.bottom(); y += square) {
          for (float x = boxes.focus.x; x < boxes.focus.right(); x += square) {
            ++all, covered += boxes.covers_point({x, y}) ? 1 : 0;
          }
        }
        const double share = static_cast<double>(covered) / all;
        if (!large_covers.count(name)) EXPECT_LE(share, 0.5) << where;
        EXPECT_GT(share, 0) << where;
        for (const auto& text : seen.drawn.texts) {
          if (boxes.focus.has(text.box.centre()) && boxes.covers_point(text.box.centre()))
            under += without_signs(text.words) + "\n";
        }
      }
      // Small maps have no digits; in one of the sizes they have.
      int found = 0;
      const std::set<std::string> numbers = answers();
      for (const std::string& answer : numbers)
        found += under.find(without_signs(answer)) != std::string::npos ? 1 : 0;
      if (!numbers.empty() && !other_words.count(name)) EXPECT_GT(found, 0) << name << "\n" << under;
    }
  }
  EXPECT_GT(steps, 20);
}

/// Nothing of a number sticks out of its plate.
TEST_F(CoveredParts, CutNoNumber) {
  start({});
  for (const LessonEntry& entry : list_lessons({})) {
    if (!tests::can_be_played(entry)) continue;
    shell_->lessons().open(entry.name, now_);
    for (int step = 0; step < player().steps(); ++step) {
      if (!player().lesson().steps[static_cast<std::size_t>(step)].predict) continue;
      player().go(step, now_);
      session_->update(now_);
      session_->wait();
      pilot_.frames(1);
      for (const Box room : {Box{0, 0, 842, 720}, {0, 0, 420, 360}, {0, 0, 1260, 1080}}) {
        const Stage seen = stage(room);
        for (const auto& text : seen.drawn.texts) {
          if (!seen.boxes.focus.has(text.box.centre())) continue;
          const bool number = text.words.find_first_of("0123456789") != std::string::npos;
          if (!number) continue;
          for (const Box& plate : seen.boxes.plates) {
            const Box common = draw::common_part(text.box, plate);
            const bool touches = common.w > 1.5f && common.h > 4;
            // What is before the number may stay: "soft → ", "RoPE: ".
            const bool named =
                text.words.find(": ") != std::string::npos || text.words.find("→") != std::string::npos;
            const bool inside =
                common.w > text.box.w - 1.5f || (named && common.right() > text.box.right() - 1.5f);
            EXPECT_TRUE(!touches || inside)
                << entry.name << " " << step + 1 << " in " << room.w << ": " << text.words;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace headlight::app::covered_parts_test
