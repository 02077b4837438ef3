// A page whose cards are presented: one of them as it is in a window, and what holds for every slide.
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "draw/record_canvas.h"
#include "pictures/pages.h"
#include "pictures/present_picture.h"
#include "session/session.h"

namespace headlight::app::present_test {

using draw::Box;
using draw::RecordCanvas;
using scene::Scene;

inline std::vector<std::string> words_on(const RecordCanvas& canvas) {
  std::vector<std::string> out;
  for (const auto& text : canvas.texts) out.push_back(text.words);
  return out;
}

/// Everything on it together.
inline std::string all_words(const RecordCanvas& canvas) {
  std::string out;
  for (const auto& text : canvas.texts) out += text.words;
  return out;
}

class Present : public testing::Test {
 protected:
  void compute(Scene scene) {
    scene.training.steps = 12, scene.training.batch = 8;
    session_ = std::make_unique<Session>(Session::Start{.scene = scene, .autosave = {}});
    session_->wait();
  }
  views::PageInput in() const { return page_input(*session_, draw::theme(true)); }
  const PageInfo& page() const { return page_info(session_->scene().page); }

  /// The card as it is shown in a window of this size; empty when it is not on the page.
  RecordCanvas picture(const std::string& card, Box window) {
    RecordCanvas canvas;
    const views::PageInput now = in();
    layout_ = present_layout(card, page().view, now, window, canvas);
    if (layout_.page.w <= 0) return canvas;
    present_frame(canvas, window, page().view, now, {page().room.title, 0, 3, true, card, layout_.head});
    PresentCanvas placed(canvas, layout_.placing);
    draw_cards(page().view, now)(placed, layout_.page, layout_.column);
    placed.finish();
    return canvas;
  }

  /// Large enough, and nothing of it outside of the window.
  void check(const RecordCanvas& canvas, Box window, const std::string& where) {
    ASSERT_FALSE(canvas.texts.empty()) << where;
    for (const auto& text : canvas.texts) {
      EXPECT_GE(text.style.size, least_text(window.h) * 0.999f) << where << ": " << text.words;
      EXPECT_GE(text.box.x, 0) << where << ": " << text.words;
      EXPECT_GE(text.box.y, 0) << where << ": " << text.words;
      EXPECT_LE(text.box.right(), window.right()) << where << ": " << text.words;
      EXPECT_LE(text.box.bottom(), window.bottom()) << where << ": " << text.words;
    }
    for (const draw::Mark& mark : canvas.marks) {
      if (mark.area.w <= 0) continue;
      EXPECT_GE(mark.area.x, 0) << where << ": " << mark.name;
      EXPECT_GE(mark.area.y, 0) << where << ": " << mark.name;
      EXPECT_LE(mark.area.right(), window.right() + 0.1f) << where << ": " << mark.name;
      EXPECT_LE(mark.area.bottom(), window.bottom() + 0.1f) << where << ": " << mark.name;
    }
  }

  std::unique_ptr<Session> session_;
  CardLayout layout_;
};

inline const Box sizes[] = {{0, 0, 1280, 720}, {0, 0, 1600, 1000}, {0, 0, 3840, 2160}};

inline constexpr const char* long_sentence =
    "the animal did not cross the street because it was too tired today";

inline std::string sentence_of(int tokens) {
  std::string out;
  for (int i = 0; i < tokens; ++i) out += (i > 0 ? " w" : "w") + std::to_string(i);
  return out;
}

}  // namespace headlight::app::present_test
