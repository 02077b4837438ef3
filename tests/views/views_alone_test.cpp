// That this program links is the test: it has the views of all pages, whole, and nothing that computes.
#include <gtest/gtest.h>

#include "kit/page_view.h"

namespace headlight::views {
namespace {

#define VIEW(name, word, ...) &name##_view,
constexpr const PageView* all[] = {HEADLIGHT_PAGES(VIEW)};
#undef VIEW

TEST(ViewsAlone, EveryPageIsDrawnWithoutItsNumbers) {
  const scene::Results nothing;
  const scene::Scene scene;
  const draw::Theme theme = draw::theme(true);
  const PageInput in{scene, nothing, nullptr, nullptr, theme, true, {}};
  EXPECT_EQ(in.text("entropy head=2"), "–");
  EXPECT_TRUE(std::isnan(in.value("entropy")));
  for (const PageView* view : all) EXPECT_NE(view->draw, nullptr);
}

}  // namespace
}  // namespace headlight::views
