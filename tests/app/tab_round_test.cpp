// Tab goes through every control of every page and comes round. Many frames of one kind: a program of its
// own, which the sanitizers leave out.
#include <string>

#include "program.h"

namespace headlight::app {
namespace {

/// One page each, so that the pages run beside each other.
class TabRound : public tests::ProgramTest, public testing::WithParamInterface<int> {};

TEST_P(TabRound, ReachesEveryControlAndTheFocusIsVisible) {
  scene::Scene start_scene;
  start_scene.page = static_cast<scene::Page>(GetParam());
  start_scene.training.steps = 12, start_scene.training.batch = 8;  // the page has a run
  start(start_scene);
  int steps = 0;
  do {
    pilot_.key(screen::Key::tab);
    ASSERT_TRUE(shell_->ui().focus.any()) << "after " << steps;
    ++steps;
  } while (steps < 400 && !shell_->ui().typing());
  EXPECT_LT(steps, 400) << "the sentence is not reached";
  // Once round: back at the sentence after as many steps as there are controls.
  int round = 0;
  do {
    pilot_.key(screen::Key::tab);
    ASSERT_TRUE(shell_->ui().focus.any());
    ++round;
  } while (round < 600 && !(shell_->ui().typing() && round > 10));
  EXPECT_GT(round, 15);
  EXPECT_LT(round, 600);
}

INSTANTIATE_TEST_SUITE_P(Every, TabRound,
                         testing::Range(0, static_cast<int>(std::size(scene::Words<scene::Page>::list))),
                         [](const auto& parameter) {
                           return word(static_cast<scene::Page>(parameter.param));
                         });

}  // namespace
}  // namespace headlight::app
