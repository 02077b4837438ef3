// The sentence at the foot of a slide: which card has one, and its numbers are those of the scene, at the
// edges of what it is about too.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "base/numbers.h"
#include "draw/record_canvas.h"
#include "pictures/pages.h"
#include "pictures/present_picture.h"
#include "presented.h"
#include "scene/settings.h"

namespace headlight::app::present_test {
namespace {

using draw::RecordCanvas;
using scene::Scene;
using testing::AllOf;
using testing::HasSubstr;

/// At the foot of a slide is a sentence, no row of facts; its numbers are those of the scene.
TEST_F(Present, WhatWasFoundIsASentence) {
  // Every card of these pages has one.
  const std::set<scene::Page> all_reported = {scene::Page::position, scene::Page::memory,
                                              scene::Page::cost,     scene::Page::block,
                                              scene::Page::worked,   scene::Page::training};
  for (const PageInfo& info : pages()) {
    Scene scene;
    scene.page = info.page();
    compute(scene);
    RecordCanvas measure;
    int reported = 0;
    for (const std::string& card : cards_of(info.view, in(), measure).names) {
      const std::string message = finding(info.view, in(), card);
      if (all_reported.contains(info.page())) EXPECT_NE(message, "") << info.room.title << ", " << card;
      if (message.empty()) continue;
      ++reported;
      const auto first = static_cast<unsigned char>(message.front());
      EXPECT_TRUE(message.starts_with("“") || std::isupper(first) != 0 || std::isdigit(first) != 0)
          << message;
      EXPECT_THAT(message, testing::Not(HasSubstr("  "))) << info.room.title;
      EXPECT_THAT(message, testing::Not(HasSubstr(" · "))) << info.room.title;
      EXPECT_FALSE(message.ends_with(".")) << message;
    }
    EXPECT_GT(reported, 0) << info.room.title;
  }
  Scene worked;
  worked.page = scene::Page::worked;
  compute(worked);
  EXPECT_EQ(finding(page().view, in(), "number"), "O[0,0] = 0.401 + 0 + 0.401 = 0.802");
  Scene scene;
  scene.page = scene::Page::model;
  for (const auto score : {scene::ModelScore::previous, scene::ModelScore::entropy}) {
    scene.model.score = score;
    compute(scene);
    const bool entropy = score == scene::ModelScore::entropy;
    EXPECT_THAT(finding(page().view, in(), ""),
                AllOf(testing::StartsWith("Head " + in().text("model_best_head") + " has the "),
                      HasSubstr(entropy ? "lowest entropy" : "highest weight on the previous token"),
                      HasSubstr(entropy ? " bits on average" : " on average")));
  }
  scene.model.score = scene::ModelScore::itself;
  scene.sentence = "the";  // every head has 1 there
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), ""),
              testing::StartsWith("No head comes first: several have the highest"));
  EXPECT_THAT(page().view.status(in()), HasSubstr("highest: several, weight on itself 1.00"));
  scene.sentence = Scene().sentence;
  scene.page = scene::Page::memory;
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), "fast"), HasSubstr("W stays " + in().text("fast_width") + " × "));
  EXPECT_THAT(finding(page().view, in(), "retrieval"), HasSubstr(in().text("noisy_recovered") + " of "));
  EXPECT_EQ(finding(page().view, in(), "linear"),
            "The largest weight of a row is " + in().text("linear_sharpness") +
                " on average in linear attention, " + in().text("softmax_sharpness") +
                " in softmax attention");
  EXPECT_THAT(finding(page().view, in(), "error"), HasSubstr(in().text("linear_error T=256")));
  EXPECT_THAT(finding(page().view, in(), "influence"),
              HasSubstr(in().text("recurrence_influence distance=31") + " through a recurrence"));
  EXPECT_THAT(finding(page().view, in(), "lineage"), HasSubstr(in().text("fast_residual")));
  EXPECT_EQ(finding(page().view, in(), "other"), "") << "of another page";
  scene.page = scene::Page::position;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "uniqueness"),
            "No two rows of P are equal: the closest, such as those of positions " +
                in().text("closest_row") + " and " + in().text("closest_other") + ", are " +
                in().text("closest") + " apart");
  scene.page = scene::Page::variants;
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), "decoding"), HasSubstr(in().text("decoding_forgotten")));
  scene.page = scene::Page::compare;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "off"),
            "The output changes most without head 1: by " + in().text("effect head=1") + " of its norm");
  EXPECT_THAT(finding(page().view, in(), "roles"),
              testing::StartsWith("A, head 1: no target far above uniform; B, head 2: same token 0.331, "));
  scene.page = scene::Page::model, scene.model.score = scene::ModelScore::previous;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "head"),
            "Head 1: weight on the previous token " + in().text("model_previous head=1") +
                " on average; uniform attention has " + in().text("model_uniform_previous"));
  scene.model.off = "1.1";
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), "head"),
              testing::StartsWith("Head 1, switched off in the predictions: "));
  scene.model.off = {}, scene.page = scene::Page::compare;
  scene.compare.off = {2, 3};
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "off"),
            "Without 2 heads the output changes by " + in().text("bench_change") + " of its norm");
  scene.compare.off = {};
  scene.sentence = "the";  // nothing to differ
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), "roles"),
            "A, head 1: itself 1.000, the only key; B, head 2: itself 1.000, the only key");
  scene.page = scene::Page::memory;
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), "linear"), testing::StartsWith("Linear and softmax attention have"));
  scene.page = scene::Page::variants;
  compute(scene);
  EXPECT_EQ(
      finding(page().view, in(), "decoding"),
      "Token by token, the outputs equal those of all tokens at once; they are the same if the position "
      "stays 0");
  scene.sentence = Scene().sentence;
  scene.page = scene::Page::block;
  compute(scene);
  const auto& stream = session_->results().own_as<scene::BlockResults>()->stream;
  const auto norm = [&](std::size_t stage) {
    return base::fixed(in().value("stream_norm stage=" + std::to_string(stage)), 2);
  };
  EXPECT_EQ(finding(page().view, in(), "flow"), "The mean norm of a token goes from " + norm(0) + " to " +
                                                    norm(stream.size() - 2) + " in 6 layers, and to " +
                                                    norm(stream.size() - 1) + " in the final norm");
  scene.page = scene::Page::order;
  ASSERT_TRUE(scene::set_field(scene, "order_permutation=1,0,2,3,4,5"));
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), ""), HasSubstr("changes by up to " + in().text("order_difference")));
}

/// "page=order;heads=2".
Scene scene_with(const std::string& settings) {
  Scene scene;
  std::istringstream all(settings);
  for (std::string one; std::getline(all, one, ';');) EXPECT_TRUE(scene::set_field(scene, one)) << one;
  return scene;
}

/// Scenes at the edge of what a sentence is about: it still says what is so.
TEST_F(Present, WhatWasFoundHoldsAtTheEdges) {
  struct Edge {
    const char *settings, *card, *message, *not_stated;
  };
  const Edge edges[] = {{"page=bench;mask=valid_length;valid_length=0;model=pronouns-free", "off",
                         "The output is the same without any one head", "most"},
                        {"page=bench;heads=2;temperature=100", "similarity", "a cosine above 0.995", "1.00"},
                        {"page=memory;memory_write=delta", "fast", "W stays ", "agree"},
                        {"page=memory;memory_write=sum", "fast", "W stays ", "agree"},
                        {"page=position;heads=1;d_model=3", "rotation", "For δ = ", "NaN"},
                        {"page=position;positions=1", "p", "P is 1 × 32", "holds to"},
                        {"page=position;heads=1;d_model=2;positions=1000", "uniqueness",
                         "the closest, such as those", "Positions"},
                        {"page=model;model_score=entropy;heads=2;temperature=10;seed=5", "",
                         "No head comes first: several have the lowest entropy, 2.58 bits", "2.578"},
                        {"page=variants;variants_a_mask=padding;variants_valid=0", "difference",
                         "A has no weights: every key is masked", "moves"},
                        {"page=variants;variants_b_mask=padding;variants_valid=0;variants_a_mask=causal",
                         "difference", "B has no weights: every key is masked", "moves"},
                        {"page=variants;variants_a_mask=padding;variants_b_mask=padding;variants_valid=0",
                         "difference", "A and B have no weights: every key is masked", "moves"}};
  for (const Edge& edge : edges) {
    SCOPED_TRACE(std::string(edge.settings) + ", " + edge.card);
    compute(scene_with(edge.settings));
    const std::string message = finding(page().view, in(), edge.card);
    EXPECT_THAT(message, HasSubstr(edge.message));
    EXPECT_THAT(message, testing::Not(HasSubstr(edge.not_stated)));
  }
  compute(scene_with("page=position;heads=1;d_model=1"));
  EXPECT_EQ(in().text("clocks"), "0");
  EXPECT_TRUE(std::isnan(in().value("rotation_residual"))) << "nothing rotates";
}

TEST_F(Present, TheFindingSaysWhatWasComputed) {
  Scene scene;
  compute(scene);
  const nn::AttentionTrace& trace = session_->results().attention;
  const auto shown = trace.weights.row(0, 1);
  const std::vector<float> row(shown.begin(), shown.end());  // the next computation takes its memory
  const auto strongest = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  const auto weight = [&](int key) {
    return base::weight_text(static_cast<double>(row[static_cast<std::size_t>(key)]), 2);
  };
  const auto token = [&](int i) { return session_->results().tokens[static_cast<std::size_t>(i)].text; };
  EXPECT_EQ(finding(page().view, in(), ""),
            "“cat” attends most to “" + token(strongest) + "” with weight " + weight(strongest));
  EXPECT_TRUE(
      finding(page().view, in(), "cell")
          .ends_with(" with weight " +
                     base::weight_text(static_cast<double>(row[static_cast<std::size_t>(strongest)]), 3)))
      << "with the digits of its card";
  scene.key = strongest == 0 ? 1 : 0;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), ""),
            "“cat” attends to “the” " + std::to_string(scene.key) + " with weight " + weight(scene.key));
  scene.page = scene::Page::presets;  // whose status is one
  compute(scene);
  EXPECT_THAT(finding(page().view, in(), "preset"), HasSubstr(" rows "));
  EXPECT_THAT(finding(page().view, in(), "contradictions"),
              HasSubstr(in().text("presets_contradictions") + " show"))
      << "which are not about that example";
}

TEST_F(Present, TheFindingIsWholeBesideTheKeys) {
  for (const PageInfo& info : pages()) {
    Scene scene;
    scene.page = info.page(), scene.sentence = long_sentence;
    compute(scene);
    RecordCanvas measure;
    for (const std::string& card : cards_of(info.view, in(), measure).names) {
      for (const Box& window : {sizes[0], sizes[1]}) {
        RecordCanvas slide;
        present_frame(slide, window, info.view, in(), {info.room.title, 0, 3, true, card});
        const float foot = window.bottom() - 3.6f * least_text(window.h);
        for (const auto& text : slide.texts) {
          if (text.at.y < foot) continue;
          EXPECT_THAT(text.words, testing::Not(HasSubstr("…"))) << info.room.title << ", " << card;
          EXPECT_LE(text.box.right(), window.right()) << text.words;
        }
      }
    }
  }
}

TEST_F(Present, AMaskedPairIsSaidToBeMasked) {
  Scene scene;
  ASSERT_TRUE(scene::set_field(scene, "mask=causal"));
  scene.query = {1}, scene.key = 4;
  compute(scene);
  EXPECT_EQ(finding(page().view, in(), ""), "“cat” may not attend to “the” 4: masked");
}

TEST_F(Present, TheFindingOfTheHeadsNamesTheOneWithTheLowestEntropy) {
  compute({});
  const auto& heads = session_->results().heads;
  const auto lowest = std::min_element(heads.begin(), heads.end(), [](const auto& a, const auto& b) {
    return a.entropy_bits < b.entropy_bits;
  });
  const std::string words = finding(page().view, in(), "heads");
  EXPECT_TRUE(words.starts_with("Head " + std::to_string(lowest - heads.begin() + 1) +
                                " has the lowest mean entropy, " + base::fixed(lowest->entropy_bits, 2) +
                                " bits"))
      << words;
  EXPECT_THAT(words, testing::Not(HasSubstr("colours"))) << "a short sentence has the scale from 0 to 1";
}

}  // namespace
}  // namespace headlight::app::present_test
