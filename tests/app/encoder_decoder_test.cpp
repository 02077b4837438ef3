// The Block page's encoder–decoder in the program: trained behind the picture, moved step by step by its
// controls, and the same numbers in words, tables, lesson quantities and on the page.
#include "pages/block/encoder_decoder.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/numbers.h"
#include "command/commands.h"
#include "kit/plain_text.h"
#include "pages/block/block.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "program.h"
#include "scene/settings.h"

namespace headlight::app {
namespace {

using namespace views::plain;

using scene::EncoderDecoderResults;
using scene::Scene;
using testing::HasSubstr;

Scene pair_of(int seed, int training, const std::string& sentence = "lantern") {
  Scene scene;
  scene.page = scene::Page::block;
  scene.block.model = scene::BlockModel::encoder_decoder;
  scene.encoder_decoder.seed = seed, scene.encoder_decoder.training = training;
  scene.sentence = sentence;
  return scene;
}

TEST(EncoderDecoderSession, TheWindowOpensBeforeAnythingIsTrained) {
  Session session({.scene = pair_of(21, 40), .autosave = {}});
  EXPECT_EQ(session.results().own_as<scene::EncoderDecoderResults>(), nullptr);
  EXPECT_GE(session.busy(), 0);
  session.wait();
  ASSERT_NE(session.results().own_as<scene::EncoderDecoderResults>(), nullptr);
  EXPECT_EQ(session.results().own_as<scene::EncoderDecoderResults>()->source_names.front(), "l");
}

TEST(EncoderDecoderSession, TrainingIsBehindThePictureAndAWordIsNot) {
  Session session({.scene = pair_of(22, 40), .autosave = {}});
  session.wait();
  const auto before = session.results().own;
  Scene next = session.scene();
  next.encoder_decoder.step = 3;
  session.change(next, "", 1);
  session.update(1);
  EXPECT_EQ(session.results().own, before) << "a step shows what is there";
  next.sentence = "stream";
  session.change(next, "sentence", 2);
  session.update(2);
  EXPECT_EQ(session.busy(), -1);
  EXPECT_EQ(session.results().own_as<scene::EncoderDecoderResults>()->n, 6)
      << "a word is decoded for the next frame";
  next.encoder_decoder.seed = 23;
  session.change(next, "", 3);
  session.update(3);
  EXPECT_EQ(session.results().own_as<scene::EncoderDecoderResults>()->settings.seed, 22)
      << "the old picture stays";
  EXPECT_GE(session.busy(), 0);
  session.wait();
  EXPECT_EQ(session.results().own_as<scene::EncoderDecoderResults>()->settings.seed, 23);
}

class EncoderDecoderWindow : public tests::ProgramTest {};

TEST_F(EncoderDecoderWindow, ItsControlsMoveTheStepTheHeadAndTheModel) {
  start(pair_of(24, 40));
  const int last =
      static_cast<int>(session_->results().own_as<scene::EncoderDecoderResults>()->decoded.size());
  ASSERT_GT(last, 2);
  done(pilot_.click("page/encdec step before"));
  EXPECT_EQ(scene().encoder_decoder.step, last - 1);
  done(pilot_.click("page/encdec step 1"));
  EXPECT_EQ(scene().encoder_decoder.step, 1);
  done(pilot_.click("page/encdec step after"));
  EXPECT_EQ(scene().encoder_decoder.step, 2);
  done(pilot_.click("page/encdec head 1.2"));
  EXPECT_EQ(scene().encoder_decoder.head, 2);
  done(pilot_.click("page/encdec measured 1.1"));
  EXPECT_EQ(scene().encoder_decoder.head, 1);
  open_settings();
  EXPECT_FALSE(pilot_.on_screen("settings/Decoding step")) << "it is on the card";
  EXPECT_FALSE(pilot_.on_screen("settings/Layers L")) << "of the stack";
  done(pilot_.click("page/model stack"));
  pilot_.frames(2);
  EXPECT_EQ(scene().block.model, scene::BlockModel::stack);
  EXPECT_NE(session_->results().own_as<scene::BlockResults>(), nullptr);
  done(pilot_.click("page/model encoder-decoder"));
  EXPECT_EQ(scene().block.model, scene::BlockModel::encoder_decoder);
}

class EncoderDecoderDoors : public testing::Test {
 protected:
  EncoderDecoderDoors() {
    scene_ = pair_of(25, 60, "stream");
    scene_.encoder_decoder.layers = 2, scene_.encoder_decoder.layer = 2, scene_.encoder_decoder.head = 2;
    scene::repair(scene_);
    results_ = scene::compute_now(scene_, parallel_, nullptr);
    std::string note;
    const auto text = describe(scene_, 5, note);
    EXPECT_TRUE(text) << text.error();
    report_ = text ? *text : "";
    while (report_.find("  ") != std::string::npos) report_.replace(report_.find("  "), 2, " ");
  }
  const EncoderDecoderResults& r() const { return *results_->own_as<scene::EncoderDecoderResults>(); }
  double quantity(const std::string& text) const {
    const auto parsed = scene::parse_quantity(text);
    EXPECT_TRUE(parsed) << text;
    return parsed ? scene::quantity_value(*parsed, {scene_, *results_, nullptr}) : 0;
  }
  std::vector<double> table(const char* name) {
    const scene::MaybeNumbers numbers =
        scene::numbers_of(*scene::find_table(name), {scene_, *results_, parallel_, nullptr, nullptr});
    EXPECT_TRUE(numbers) << name;
    std::vector<double> out;
    if (numbers)
      std::visit([&](const auto& tensor) { out.assign(tensor.values.begin(), tensor.values.end()); },
                 numbers->tensor);
    return out;
  }

  Scene scene_;
  base::Parallel parallel_{1};
  std::shared_ptr<const scene::Results> results_;
  std::string report_;
};

/// Every weight of every layer and head, by table and by quantity.
TEST_F(EncoderDecoderDoors, WeightsAreTheSameInTablesAndLessons) {
  const int T = static_cast<int>(r().decoded.size()), S = r().n + 1;
  struct Attention {
    const char *table, *quantity;
    const std::vector<nn::Matrix>* maps;
    int rows, cols;
  };
  for (const Attention& a : {Attention{"encdec_encoder", "encdec_encoder_weight", &r().encoder, S, S},
                             Attention{"encdec_masked", "encdec_masked_weight", &r().masked, T, T},
                             Attention{"encdec_cross", "encdec_cross_weight", &r().cross, T, S}}) {
    const std::vector<double> values = table(a.table);
    ASSERT_EQ(values.size(), static_cast<std::size_t>(2 * 2 * a.rows * a.cols)) << a.table;
    std::size_t at = 0;
    for (int l = 0; l < 2; ++l) {
      for (int h = 0; h < 2; ++h) {
        for (int q = 0; q < a.rows; ++q) {
          for (int k = 0; k < a.cols; ++k, ++at) {
            EXPECT_EQ(values[at], static_cast<double>((*a.maps)[static_cast<std::size_t>(l)].at(h, q, k)));
            if (q == k) {
              EXPECT_EQ(values[at], quantity(std::string(a.quantity) + " layer=" + std::to_string(l + 1) +
                                             " head=" + std::to_string(h + 1) + " query=" +
                                             std::to_string(q + 1) + " key=" + std::to_string(k + 1)));
            }
          }
        }
      }
    }
  }
}

TEST_F(EncoderDecoderDoors, EachStepIsTheSameInWordsTablesAndLessons) {
  const std::vector<double> decoded = table("encdec_decoded"), probabilities = table("encdec_probabilities");
  const std::size_t columns = 4, V = probabilities.size() / r().decoded.size();
  ASSERT_EQ(decoded.size(), r().decoded.size() * columns);
  int right = 0;
  for (std::size_t t = 0; t < r().decoded.size(); ++t) {
    const int step = static_cast<int>(t) + 1;
    const double p = quantity("encdec_probability step=" + std::to_string(step));
    const auto token = static_cast<std::size_t>(r().decoded[t]);
    EXPECT_EQ(decoded[t * columns], static_cast<double>(token));
    EXPECT_EQ(decoded[t * columns + 1], p);
    EXPECT_EQ(probabilities[t * V + token], p);
    EXPECT_EQ(*std::max_element(probabilities.begin() + static_cast<std::ptrdiff_t>(t * V),
                                probabilities.begin() + static_cast<std::ptrdiff_t>((t + 1) * V)),
              p);
    EXPECT_THAT(report_, HasSubstr(std::to_string(step) + " " + r().decoded_names[t] + " " + decimals(p, 3)));
    if (const int there = r().mirrored(step); there > 0) {
      const double weight =
          quantity("encdec_cross_weight query=" + std::to_string(step) + " key=" + std::to_string(there));
      EXPECT_EQ(decoded[t * columns + 2], there);
      EXPECT_EQ(decoded[t * columns + 3], weight) << "of the layer and head on show";
      EXPECT_THAT(report_, HasSubstr(" " + decimals(weight, 3) + "\n"));
    }
    if (right == static_cast<int>(t) && r().decoded[t] == r().expected(step)) ++right;
  }
  EXPECT_EQ(quantity("encdec_right"), right);
  EXPECT_EQ(r().exact, right == r().n + 1);
}

TEST_F(EncoderDecoderDoors, TheScoreIsTheSameInWordsTablesAndLessons) {
  const std::vector<double> score = table("encdec_score"), heads = table("encdec_mirrored");
  EXPECT_EQ(score[3] / score[2], quantity("encdec_exact"));
  EXPECT_EQ(score[4], quantity("encdec_loss"));
  EXPECT_EQ(score[5], quantity("encdec_held_out"));
  EXPECT_THAT(report_,
              HasSubstr(std::to_string(r().score.exact) + " of 256 held-out words reversed exactly"));
  EXPECT_THAT(report_, HasSubstr("held-out loss " + base::brief(quantity("encdec_loss"), 3)));
  EXPECT_THAT(report_, HasSubstr(r().held_out ? "this word is held out from training"
                                              : "this word is not held out from training"));
  ASSERT_EQ(heads.size(), 20u);
  for (int i = 0; i < 4; ++i) {
    const std::string which = " layer=" + std::to_string(i / 2 + 1) + " head=" + std::to_string(i % 2 + 1);
    const auto row = heads.begin() + 5 * i;
    EXPECT_EQ(row[0], i / 2 + 1);
    EXPECT_EQ(row[1], i % 2 + 1);
    EXPECT_EQ(row[2], quantity("encdec_mirrored" + which));
    EXPECT_EQ(row[3], quantity("encdec_largest" + which));
    EXPECT_EQ(row[4], quantity("encdec_end" + which));
    EXPECT_THAT(report_, HasSubstr("layer " + std::to_string(i / 2 + 1) + ", head " +
                                   std::to_string(i % 2 + 1) + " " + base::fixed(row[2], 3) + " " +
                                   base::fixed(row[3], 3) + " " + base::fixed(row[4], 3)));
  }
}

}  // namespace
}  // namespace headlight::app
