#include "pages/compute.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "nn/reference.h"
#include "nn/weights.h"
#include "scene/layer_input.h"
#include "scene/settings.h"
#include "scene/shown.h"

namespace headlight::scene {
namespace {

base::Parallel& parallel() {
  static base::Parallel threads(2);
  return threads;
}

std::shared_ptr<Results> results_of(const Scene& scene) {
  return compute_now(scene, parallel(), nullptr);
}

Scene with(std::initializer_list<std::string> sets) {
  Scene scene;
  for (const std::string& set : sets) {
    const base::Status status = set_field(scene, set);
    EXPECT_TRUE(status) << status.error();
  }
  EXPECT_TRUE(check(scene));
  return scene;
}

void expect_equal(const nn::Matrix& a, const nn::Matrix& b, const char* what) {
  ASSERT_EQ(a.depth(), b.depth()) << what;
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0) << what;
}

void expect_equal(const Results& a, const Results& b) {
  expect_equal(a.x, b.x, "x");
  expect_equal(a.attention.weights, b.attention.weights, "weights");
  expect_equal(a.attention.output, b.attention.output, "output");
  expect_equal(a.mean, b.mean, "mean");
  expect_equal(a.max, b.max, "max");
  expect_equal(a.position.p, b.position.p, "P");
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.position.worst_rotation_residual, b.position.worst_rotation_residual);
  EXPECT_EQ(a.position.closest_distance, b.position.closest_distance);
  EXPECT_EQ(a.weights_source, b.weights_source);
}

TEST(Compute, ShapesAreThoseOfTheScene) {
  const auto r = results_of(Scene{});
  ASSERT_TRUE(r);
  ASSERT_EQ(r->tokens.size(), 6u);
  EXPECT_EQ(r->tokens_in_sentence, 6u);
  EXPECT_EQ(r->attention.weights.depth(), 4);
  EXPECT_EQ(r->attention.weights.rows(), 6);
  EXPECT_EQ(r->attention.weights.cols(), 6);
  EXPECT_EQ(r->attention.d_k, 8);
  EXPECT_EQ(r->attention.output.cols(), 32);
  EXPECT_EQ(r->x.cols(), 32);
  EXPECT_EQ(r->heads.size(), 4u);
  EXPECT_EQ(r->mean.rows(), 6);
  EXPECT_EQ(r->nonfinite, 0u);
  EXPECT_GT(r->forward_ms, 0);
  EXPECT_EQ(r->weights_source, "random weights, seed 7");
  EXPECT_EQ(r->scene, Scene{});
  EXPECT_EQ(r->options.heads, 4);
  EXPECT_NE(r->version, results_of(Scene{})->version);
}

TEST(Compute, AgreesWithTheDoublePrecisionTwin) {
  for (const char* position : {"position=none", "position=sinusoidal", "position=sinusoidal_concat"}) {
    const auto r = results_of(with({position, "mask=causal", "temperature=0.7", "d_model=48", "heads=6"}));
    const int d_in = r->x.cols();
    EXPECT_EQ(d_in, std::string(position) == "position=sinusoidal_concat" ? 96 : 48);
    const auto twin =
        nn::attention_forward_f64(r->x, r->x, nn::random_attention_weights(d_in, 48, 7), r->options);
    EXPECT_LT(nn::weights_residual(r->attention, twin), 1e-5) << position;
  }
}

TEST(Compute, XIsTheEmbeddingWithTheScaledEncoding) {
  const Scene scene = with({"position_scale=0.5", "position_offset=1000", "position_base=50"});
  const auto r = results_of(scene);
  const nn::Matrix embedded = nn::embed(r->tokens, 32, 7);
  const nn::MatrixF64 p = nn::sinusoidal_f64({6, 32, 50, 1000});
  for (int t = 0; t < 6; ++t) {
    for (int c = 0; c < 32; ++c)
      EXPECT_NEAR(r->x.at(t, c), double(embedded.at(t, c)) + 0.5 * p.at(t, c), 1e-6);
  }
  Scene beside = scene;
  beside.position = Position::sinusoidal_concat;
  const auto concatenated = results_of(beside);
  for (int t = 0; t < 6; ++t) {
    for (int c = 0; c < 32; ++c) {
      EXPECT_EQ(concatenated->x.at(t, c), embedded.at(t, c));
      EXPECT_NEAR(concatenated->x.at(t, 32 + c), 0.5 * p.at(t, c), 1e-6);
    }
  }
  beside.position = Position::none;
  expect_equal(results_of(beside)->x, embedded, "x without positions");
}

TEST(Compute, MasksReachTheForwardPass) {
  const auto r = results_of(with({"mask=causal+window+valid_length", "window=1", "valid_length=4"}));
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const bool readable = j <= i && j >= i - 1 && j < 4;
      EXPECT_EQ(r->attention.weights.at(2, i, j) > 0, readable) << i << ',' << j;
    }
  }
}

TEST(Compute, OptionsFollowTheScene) {
  const nn::AttentionOptions plain = attention_options(Scene{});
  EXPECT_TRUE(plain.divide_by_sqrt_d_k);
  EXPECT_EQ(plain.temperature, 1);
  EXPECT_EQ(plain.mask, nn::MaskSpec{});
  const nn::AttentionOptions other = attention_options(
      with({"scale=off", "temperature=0.5", "mask=window+valid_length", "window=3", "valid_length=2"}));
  EXPECT_FALSE(other.divide_by_sqrt_d_k);
  EXPECT_EQ(other.custom_scale, 1);
  EXPECT_EQ(other.temperature, 0.5f);
  EXPECT_EQ(other.mask, (nn::MaskSpec{false, 3, 3, 2}));
}

TEST(Compute, MeanAndMaximumAreOverAllHeads) {
  const auto r = results_of(with({"head=2"}));
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      double sum = 0;
      float most = 0;
      for (int h = 0; h < 4; ++h) {
        sum += double(r->attention.weights.at(h, i, j));
        most = std::max(most, r->attention.weights.at(h, i, j));
      }
      EXPECT_NEAR(r->mean.at(i, j), sum / 4, 1e-6);
      EXPECT_EQ(r->max.at(i, j), most);
    }
  }
}

TEST(Compute, SentencesOfEveryKind) {
  struct Case {
    std::string sentence, tokenizer;
    std::size_t tokens;
  };
  for (const Case& c : {Case{"", "words", 0}, Case{"   \t\n ", "words", 0}, Case{"  ", "chars", 2},
                        Case{"one", "words", 1}, Case{"\xff\xfe", "chars", 2}, Case{"שלום עולם", "words", 2},
                        Case{"👩‍👩‍👧", "chars", 1}, Case{std::string("a\0b", 3), "chars", 3}}) {
    Scene scene = with({"tokenizer=" + c.tokenizer});
    scene.sentence = c.sentence;
    const auto r = results_of(scene);
    ASSERT_TRUE(r);
    const int T = static_cast<int>(c.tokens);
    EXPECT_EQ(r->tokens.size(), c.tokens) << c.sentence;
    EXPECT_EQ(count_tokens(scene), c.tokens);
    EXPECT_EQ(r->attention.T, T);
    EXPECT_EQ(r->attention.weights.rows(), T);
    EXPECT_EQ(r->mean.rows(), T);
    EXPECT_EQ(r->heads.size(), 4u);
    EXPECT_EQ(r->position.p.rows(), 60) << "P does not need a sentence";
    if (T == 1) {
      EXPECT_EQ(r->attention.weights.at(0, 0, 0), 1);
    }
    EXPECT_EQ(explain_pinned(scene, *r) == nullptr, T == 0);
  }
}

TEST(Compute, BuffersOfAnotherSizeDoNotShowThrough) {
  auto reuse = results_of(with({"sentence=a b c d e f g h i j", "d_model=64", "positions=200"}));
  for (const char* sentence : {"sentence=a b", "sentence=", "sentence=x y z"}) {
    const Scene scene = with({sentence, "mask=causal"});
    reuse = compute_now(scene, parallel(), nullptr, std::move(reuse));
    expect_equal(*reuse, *results_of(scene));
    EXPECT_EQ(reuse->attention.T, static_cast<int>(reuse->tokens.size()));
  }
}

TEST(Compute, ResultsThatSomebodyLooksAtAreLeftAlone) {
  const auto shown = results_of(Scene{});
  const std::uint64_t version = shown->version;
  const auto next = compute_now(with({"seed=8"}), parallel(), nullptr, shown);
  EXPECT_NE(next, shown);
  EXPECT_EQ(shown->version, version);
  EXPECT_EQ(shown->scene.seed, 7);
}

TEST(Compute, ABookIsCutAndSaidSo) {
  Scene scene = with({"heads=1", "d_model=8"});
  scene.sentence.clear();
  while (scene.sentence.size() < (1u << 20)) scene.sentence += "lorem ipsum dolor sit amet ";
  const std::size_t words = count_tokens(scene);
  EXPECT_GT(words, 190000u);
  EXPECT_GT(work(scene, static_cast<int>(words)), work_in_a_frame);
  int calls = 0;
  const auto start = std::chrono::steady_clock::now();
  // The largest maps take a gigabyte; here it is enough that the work stops when asked to.
  const auto none = compute_now(scene, parallel(), [&](float) { return ++calls < 2; });
  EXPECT_EQ(none, nullptr);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  scene.heads = 8;
  EXPECT_EQ(max_tokens(1), 8192);
  EXPECT_EQ(max_tokens(4), 8192);
  EXPECT_EQ(max_tokens(8), 5792);
  EXPECT_LE(8.0 * max_tokens(8) * max_tokens(8) * 4, double(1 << 30));
  EXPECT_EQ(max_tokens(1024), 512);
}

TEST(Compute, MoreTokensThanCanBeShown) {
  Scene scene = with({"d_model=1", "heads=1", "positions=2"});
  for (int i = 0; i < 8200; ++i) scene.sentence += " w";
  const auto r = results_of(scene);
  EXPECT_EQ(r->tokens.size(), 8192u);
  EXPECT_EQ(r->tokens_in_sentence, 8206u);
  EXPECT_EQ(r->attention.weights.rows(), 8192);
}

TEST(Compute, ProgressRisesAndCancelsAnywhere) {
  std::vector<float> seen;
  const Scene scene = with({"positions=61"});
  ASSERT_TRUE(compute_now(scene, parallel(), [&](float done) {
    seen.push_back(done);
    return true;
  }));
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.front(), 0);
  EXPECT_EQ(seen.back(), 1);
  for (std::size_t stop = 1; stop + 1 < seen.size(); ++stop) {
    std::size_t calls = 0;
    EXPECT_EQ(compute_now(scene, parallel(), [&](float) { return ++calls < stop; }), nullptr);
    EXPECT_EQ(calls, stop);
  }
}

TEST(Compute, ThreadsMayAskAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<Results>> made(4);
  for (std::size_t i = 0; i < made.size(); ++i) {
    threads.emplace_back([&made, i] {
      base::Parallel alone(1);
      for (int round = 0; round < 20; ++round) {
        made[i] = compute_now(with({"seed=" + std::to_string(i % 2), "positions=" + std::to_string(30 + i)}),
                              alone, nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < made.size(); ++i) {
    expect_equal(*made[i],
                 *results_of(with({"seed=" + std::to_string(i % 2), "positions=" + std::to_string(30 + i)})));
  }
}

TEST(Positions, ArePutUnderTheMicroscope) {
  const auto r = results_of(with({"positions=50", "d_model=16", "position_delta=7", "position_base=100"}));
  const PositionResults& p = r->position;
  ASSERT_EQ(p.p.rows(), 50);
  ASSERT_EQ(p.p.cols(), 16);
  EXPECT_EQ(p.omega.size(), 8u);
  EXPECT_EQ(p.omega[0], 1);
  ASSERT_EQ(p.nearest.size(), 50u);
  double least = 1e9, worst = 0;
  for (int a = 0; a < 50; ++a) {
    for (int b = 0; b < a; ++b) {
      double square = 0;
      for (int c = 0; c < 16; ++c) square += std::pow(double(p.p.at(a, c)) - double(p.p.at(b, c)), 2);
      least = std::min(least, std::sqrt(square));
    }
  }
  EXPECT_NEAR(p.closest_distance, least, 1e-6);
  EXPECT_LT(p.closest_a, p.closest_b);
  // Whole pairs: all neighbours are equally far apart, and none is named before the first.
  EXPECT_EQ(p.closest_a, 0);
  EXPECT_EQ(p.closest_b, 1);
  EXPECT_EQ(p.as_close, 50);
  for (int pair = 0; pair < 8; ++pair) {
    worst = std::max(worst, nn::rotation_residual(p.p, 7, p.omega[static_cast<std::size_t>(pair)], pair));
  }
  EXPECT_EQ(p.worst_rotation_residual, worst);
  EXPECT_LT(worst, 1e-6);
  EXPECT_GT(worst, 0);
  ASSERT_EQ(p.dot_from_index.size(), 50u);
  EXPECT_NEAR(p.dot_from_index[0], 8, 1e-5) << "eight pairs of length one";
}

TEST(Positions, OddAndSmallestWidths) {
  for (const char* width : {"d_model=1", "d_model=7"}) {
    const auto r = results_of(with({width, "heads=1", "positions=1", "position_delta=0"}));
    EXPECT_EQ(r->position.closest_a, -1);
    EXPECT_EQ(r->nonfinite, 0u);
    EXPECT_TRUE(std::isfinite(r->position.worst_rotation_residual));
  }
}

TEST(Positions, NearestRowsOfALargePWaitForTheBackground) {
  const Scene scene = with({"positions=1500", "d_model=128", "position_base=9999"});
  EXPECT_TRUE(results_of(scene)->position.nearest.empty());
  const double before = work(scene, 6);
  EXPECT_EQ(compute_now(scene, parallel(), [](float) { return true; })->position.nearest.size(), 1500u);
  EXPECT_EQ(results_of(scene)->position.nearest.size(), 1500u) << "known by now";
  EXPECT_LT(work(scene, 6), before);
}

TEST(Key, ChangesExactlyWithWhatComputes) {
  Scene names;
  fields(names, [&](const Field& field, auto&) {
    Scene changed;
    fields(changed, [&](const Field& other, auto& member) {
      if (std::string_view(other.name) != field.name) return;
      using Member = std::remove_cvref_t<decltype(member)>;
      if constexpr (std::is_same_v<Member, std::string>) {
        member += "x";
      } else if constexpr (std::is_same_v<Member, IndexList>) {
        member = {1, 2, 3};
      } else if constexpr (std::is_same_v<Member, MaskSet>) {
        member.causal = !member.causal;
      } else if constexpr (std::is_same_v<Member, SettableWord>) {
        // Of pages Position: others compute more than Attention does.
        member.set(member.template is<Page>() ? static_cast<int>(Page::position)
                   : member.index() == 0      ? 1
                                              : 0);
      } else if constexpr (std::is_same_v<Member, bool>) {
        member = !member;
      } else {
        member = member + 1;
      }
    });
    EXPECT_EQ(key(changed) != key(Scene{}), field.computes) << field.name;
  });
}

/// The other half: what does not change the key changes no result.
TEST(Key, EqualKeysHaveEqualResults) {
  const Scene scene = with({"mask=causal"});
  const Scene same =
      with({"mask=causal", "page=position", "head=2", "combine=max", "query=3", "key=2",
            "attention_view=ribbons", "query_axis=columns", "cell_numbers=off", "bars_sorted=on",
            "position_index=3", "position_columns=1", "position_pair=1", "position_step=1",
            "clock_speed=logarithmic", "play=on", "play_speed=1", "theme=light", "interface_scale=2"});
  EXPECT_EQ(key(scene), key(same));
  expect_equal(*results_of(scene), *results_of(same));
}

TEST(Key, SentencesCannotPretendToBeFields) {
  Scene a, b;
  a.sentence = "x tokenizer=5:words ";
  b.sentence = "x";
  EXPECT_NE(key(a), key(b));
}

TEST(Work, GrowsWithWhatCosts) {
  const Scene scene;
  EXPECT_LT(work(scene, 6), work(scene, 60));
  EXPECT_LT(work(scene, 6), work(with({"d_model=512"}), 6));
  EXPECT_LT(work(scene, 6), work(with({"positions=4096"}), 6));
  EXPECT_EQ(work(scene, 8192), work(scene, 1000000)) << "more are not used";
  EXPECT_LT(work(with({"d_model=256", "heads=8"}), 256), work_in_a_frame);
  EXPECT_GT(work(with({"d_model=512", "heads=8"}), 4096), work_in_a_frame);
}

TEST(Explain, OpensThePinnedCell) {
  const Scene scene = with({"query=4,2", "key=1", "head=3"});
  const auto r = results_of(scene);
  const auto cell = explain_pinned(scene, *r);
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->head, 2);
  EXPECT_EQ(cell->query, 2) << "the last one is asked";
  EXPECT_EQ(cell->key, 1);
  EXPECT_EQ(cell->weight_f32, r->attention.weights.at(2, 2, 1));
  EXPECT_NEAR(cell->weight, double(cell->weight_f32), 1e-6);
}

TEST(Explain, SeveralHeadsOpenAsTheMeanOrTheLargestThatTheMapShows) {
  Scene scene = with({"head=0", "query=2", "key=3"});
  const auto r = results_of(scene);
  auto cell = explain_pinned(scene, *r);
  ASSERT_EQ(cell->heads.size(), 4u);
  EXPECT_EQ(cell->weight_f32, r->mean.at(2, 3));
  scene.combine = Combine::max;
  cell = explain_pinned(scene, *r);
  EXPECT_EQ(cell->weight_f32, r->max.at(2, 3));
  EXPECT_EQ(cell->weight_f32, r->attention.weights.at(cell->head, 2, 3));
  // Without a key the strongest of the combination, not of the first head.
  scene.key = -1;
  const auto row = r->max.row(2);
  EXPECT_EQ(explain_pinned(scene, *r)->key, std::max_element(row.begin(), row.end()) - row.begin());
  // Of compared heads the one whose map was clicked; one that is not among them is the combination again.
  scene.head = {1, 3}, scene.key = 3, scene.cell_head = 3;
  EXPECT_EQ(explain_pinned(scene, *r)->head, 2);
  EXPECT_TRUE(explain_pinned(scene, *r)->heads.empty());
  scene.cell_head = 2;
  EXPECT_EQ(explain_pinned(scene, *r)->heads.size(), 2u);
  repair(scene);
  EXPECT_EQ(scene.cell_head, 0);
}

TEST(Explain, WithoutAKeyTheStrongestAndBeyondTheSentenceTheLast) {
  Scene scene;
  const auto r = results_of(scene);
  const auto row = r->attention.weights.row(0, 1);
  const auto strongest = std::max_element(row.begin(), row.end()) - row.begin();
  EXPECT_EQ(explain_pinned(scene, *r)->key, strongest);
  scene.query = {100};
  scene.key = 100;
  EXPECT_EQ(explain_pinned(scene, *r)->query, 5);
  EXPECT_EQ(explain_pinned(scene, *r)->key, 5);
  scene.query = {};
  EXPECT_EQ(explain_pinned(scene, *r), nullptr);
}

TEST(Explain, AQueryThatMayReadNothing) {
  const Scene scene = with({"mask=valid_length", "valid_length=0"});
  const auto r = results_of(scene);
  const auto cell = explain_pinned(scene, *r);
  ASSERT_TRUE(cell);
  EXPECT_TRUE(cell->row_masked);
  EXPECT_EQ(cell->weight_f32, 0);
  EXPECT_EQ(r->nonfinite, 0u);
}

}  // namespace
}  // namespace headlight::scene
