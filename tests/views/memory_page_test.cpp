// The Memory page: it fits at every size, its controls set real fields, and what it writes is in the results.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "draw/pick_canvas.h"
#include "memory_fixture.h"
#include "page_checks.h"
#include "pages/memory/memory.h"
#include "pages/memory/view/page.h"
#include "pages/memory/view/view.h"

namespace headlight::views::memory_page_test {
namespace {

using draw::Box;
using test::MemoryScene;
using test::says;

struct Size {
  float w, h;
};
constexpr Size sizes[] = {{1340, 850}, {1050, 590}, {640, 360}, {800, 700}, {960, 900}, {2400, 1400}};

std::vector<MemoryScene> scenes() {
  scene::MemorySettings usual, wide, ends, flat;
  wide.width = 16, wide.write = scene::MemoryWrite::delta, wide.step = 500, wide.dimension = 64;
  wide.patterns = 64, wide.beta = 100;
  ends.width = 2, ends.patterns = 2, ends.beta = 0.05, ends.probe_x = -2, ends.probe_y = 2;
  flat.feature = scene::MemoryFeature::identity, flat.dimension = 3, flat.step = 2;
  scene::MemorySettings bits, most;
  bits.network = scene::MemoryNetwork::binary, bits.feature = scene::MemoryFeature::random;
  bits.error_over = scene::MemoryErrorOver::size, bits.decay = 0.9;
  most = bits;
  most.bits = most.flips = 256, most.patterns = 64, most.width = 16, most.features = 256, most.keys = 64;
  most.write = scene::MemoryWrite::delta, most.decay = 0.123456;
  std::vector<MemoryScene> all;
  for (const int T : {0, 1, 2, 6, 23, 500}) {
    all.emplace_back(T, usual);
    all.emplace_back(T, wide);
    all.emplace_back(T, ends);
    all.emplace_back(T, flat);
    all.emplace_back(T, bits);
    all.emplace_back(T, most);
  }
  for (std::size_t n = 1; n < all.size(); n += 2) all[n].scene.theme = scene::ThemeName::light;
  return all;
}

draw::RecordCanvas drawn(const MemoryScene& s, Size size = {1340, 850}, float* height = nullptr) {
  draw::RecordCanvas canvas;
  const float needed = memory_page(canvas, {0, 0, size.w, size.h}, s.input());
  if (height) *height = needed;
  return canvas;
}

const draw::Mark* marked(const draw::RecordCanvas& canvas, const std::string& name) {
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.name == name) return &mark;
  }
  return nullptr;
}

TEST(MemoryPage, TextsStandApartAndInsideAtEverySize) {
  for (const MemoryScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(std::to_string(s.results.tokens.size()) + " tokens, width " +
                   std::to_string(s.scene.memory.width) + ", at " + std::to_string(size.w));
      draw::RecordCanvas canvas;
      const Box area{100, 50, size.w, size.h};
      const float height = memory_page(canvas, area, s.input());
      EXPECT_GE(height, size.h - 30);
      test::expect_texts_apart(canvas, area, height);
      for (const auto& map : canvas.maps) {
        EXPECT_GE(map.box.x, area.x);
        EXPECT_LE(map.box.right(), area.right());
        EXPECT_LE(map.box.bottom(), area.y + height);
      }
    }
  }
}

/// Assigns as the program will; false when there is no such field or it does not take the value.
bool takes(const std::string& set) {
  const std::size_t equals = set.find('=');
  if (equals == std::string::npos) return false;
  bool right = false;
  scene::fields(static_cast<const scene::Scene&>(scene::Scene{}),
                [&](const scene::Field& field, const auto& member) {
                  using Member = std::decay_t<decltype(member)>;
                  if (set.substr(0, equals) != field.name) return;
                  const std::string value = set.substr(equals + 1);
                  if constexpr (std::is_same_v<Member, double>) {
                    right = std::atof(value.c_str()) >= field.min && std::atof(value.c_str()) <= field.max;
                  } else if constexpr (std::is_same_v<Member, std::string>) {
                    right = !value.empty();
                  } else {
                    right = test::sets_a_field(set);
                  }
                });
  return right;
}

TEST(MemoryPage, EveryControlSetsRealFieldsAndHasANameOfItsOwn) {
  for (const MemoryScene& s : scenes()) {
    for (const Size size : sizes) {
      float height = 0;
      const draw::RecordCanvas canvas = drawn(s, size, &height);
      std::set<std::string> names;
      for (const draw::Mark& mark : canvas.marks) {
        if (mark.part == draw::Part::none) continue;
        EXPECT_TRUE(names.insert(mark.name).second) << mark.name << " twice";
        EXPECT_LE(mark.area.right(), size.w + 0.01f) << mark.name;
        EXPECT_LE(mark.area.bottom(), height) << mark.name;
        if (mark.part != draw::Part::control) continue;
        for (std::size_t at = 0; at < mark.set.size();) {
          const std::size_t end = std::min(mark.set.find(';', at), mark.set.size());
          EXPECT_TRUE(takes(mark.set.substr(at, end - at))) << mark.set;
          at = end + 1;
        }
      }
      for (const char* preset : {"retrieval", "metastable", "close", "repeated"})
        EXPECT_TRUE(names.count(std::string("preset ") + preset)) << preset;
    }
  }
}

/// The landscape is the first picture, with what it retrieves in the same card.
TEST(MemoryPage, TheLandscapeIsTheFirstPictureAndTheSentenceFollows) {
  float height = 0;
  drawn(MemoryScene(6), {1340, 850}, &height);
  EXPECT_LE(height, 3 * 851);
  for (const Size size : sizes) {
    SCOPED_TRACE(size.w);
    draw::RecordCanvas canvas;
    draw::PickCanvas pick({-1e6f, -1e6f}, canvas);
    const MemoryScene s(6);
    memory_page(pick, {0, 0, size.w, size.h}, s.input());
    const auto card = [&](const char* name) {
      for (const auto& panel : pick.panels())
        if (panel.name == name) return panel.box;
      return Box{};
    };
    const Box first = card("landscape"), part = card("retrieval");
    EXPECT_EQ(first.y, 16);
    EXPECT_GE(card("fast").y, first.bottom());
    if (size.w < 960) continue;
    EXPECT_GE(part.x, first.x);
    EXPECT_LE(part.right(), first.right());
    EXPECT_LE(part.bottom(), first.bottom());
    EXPECT_GT(first.w, 0.6f * size.w);
  }
  drawn(MemoryScene(6), {640, 360}, &height);
  EXPECT_GT(height, 1500);  // one card under the other
}

TEST(MemoryPage, TheExperimentsSayTheirNumbers) {
  const MemoryScene s(6);
  const draw::RecordCanvas canvas = drawn(s, {1340, 850});
  for (const char* words : {"retrieval signal", "storage key", "fast weight matrix", "the 1991 lookup",
                            "agree to within", "6 × 4", "4 × 4, 6 writes", "φ = elu + 1"})
    EXPECT_TRUE(says(canvas, words)) << words;
  const auto noted = [&](const std::string& name, const std::string& words) {
    for (const draw::Mark& mark : canvas.marks) {
      if (mark.name == name) return mark.note.find(words) != std::string::npos;
    }
    return false;
  };
  const scene::MemoryExperiments& e = *s.results.own_as<scene::MemoryResults>()->experiments;
  const auto sixteen =
      std::find_if(e.errors.begin(), e.errors.end(), [](const auto& error) { return error.T == 16; });
  ASSERT_NE(sixteen, e.errors.end());
  EXPECT_TRUE(noted("error 16", "φ = elu + 1: " + brief(sixteen->elu1, 3)));
  EXPECT_TRUE(noted("error 16", "φ = identity: " + brief(sixteen->identity, 3)));
  EXPECT_TRUE(noted("error 16", "softmax 2,048, linear 512"));  // 2·16²·4, 2·16·4²
  EXPECT_TRUE(noted("influence 2", "recurrence " + brief(e.influence[2].recurrence, 3)));
  EXPECT_TRUE(noted("influence 2", "attention " + brief(e.influence[2].attention, 3)));
}

TEST(MemoryPage, TheSwitchesChangeTheCardsAndSayTheirNumbers) {
  scene::MemorySettings settings;
  settings.network = scene::MemoryNetwork::binary, settings.error_over = scene::MemoryErrorOver::size;
  settings.decay = 0.9;
  const MemoryScene s(6, settings);
  const draw::RecordCanvas canvas = drawn(s);
  const scene::BinaryRetrieval& b = *s.results.own_as<scene::MemoryResults>()->binary;
  ASSERT_EQ(b.states.row(2).size(), 100u);
  int alike = 0;
  for (int bit = 0; bit < 100; ++bit) alike += b.states.at(0, bit) == b.states.at(2, bit);
  const std::string last = fixed((2 * alike - 100) / 100.0, 2);
  std::string all;  // a narrow card breaks lines
  for (const auto& text : canvas.texts) all += text.words + " ";
  // Fifteen of a hundred bits are flipped: 85 − 15.
  for (const std::string& words :
       {std::string("network of 1982"), std::string("N = 6, D = 100, seed 7"),
        "Recovers pattern 1: overlap 0.70 → " + last,
        "rest after " + std::to_string(b.last_flip) + " updates",
        std::to_string(b.recovered) + " of 100 probes", std::string("N/D = 0.06"), std::string("0 at r = T"),
        std::string("(Performer) estimate each"), std::string("0.9 W before step 5"),
        std::string("W ← 0.9 W + v φ(k)ᵀ"), std::string("state space: a = γ = 0.9")})
    EXPECT_NE(all.find(words), std::string::npos) << words;
  EXPECT_FALSE(says(canvas, "of linear attention,"));
  EXPECT_EQ(marked(canvas, "network continuous")->set, "memory_network=continuous");
  EXPECT_EQ(marked(canvas, "error over length")->set, "memory_error_over=length");
  const auto& sizes_of = s.results.own_as<scene::MemoryResults>()->sizes->sizes;
  const auto sixteen =
      std::find_if(sizes_of.begin(), sizes_of.end(), [](const auto& one) { return one.size == 16; });
  ASSERT_NE(sixteen, sizes_of.end());
  EXPECT_NE(marked(canvas, "size 16")
                ->note.find("features m: error " + brief(sixteen->features, 3) +
                            "\nprojected keys r: error " + brief(sixteen->keys, 3)),
            std::string::npos);
  EXPECT_NE(marked(canvas, "bits after 5")->note.find("overlap " + fixed(b.trace.overlap[5], 2)),
            std::string::npos);
  const draw::RecordCanvas usual = drawn(MemoryScene(6));
  EXPECT_EQ(marked(usual, "network binary")->set, "memory_network=binary");
  EXPECT_EQ(marked(usual, "error over size")->set, "memory_error_over=size");
  EXPECT_EQ(marked(usual, "feature random")->set, "memory_feature=random");
  EXPECT_EQ(marked(usual, "bits after 0"), nullptr);
  // What did not work is not called recovered: with as many patterns as bits, with all bits flipped, and from
  // half-way, where another pattern may be nearer.
  settings.patterns = 64, settings.bits = 64;
  EXPECT_TRUE(says(drawn(MemoryScene(6, settings)), "Pattern 1 is not recovered"));
  settings.patterns = 6, settings.flips = settings.bits = 100;
  EXPECT_TRUE(says(drawn(MemoryScene(6, settings)), "Ends at the inverse of pattern 1"));
  settings.flips = 50;
  scene::Scene other = test::memory_scene(6, settings);
  scene::BinaryRetrieval end = scene::retrieve_bits(other);
  while ((end.nearest == 0 || end.nearest_overlap < 1) && other.seed < 1000)
    ++other.seed, end = scene::retrieve_bits(other);
  ASSERT_LT(other.seed, 1000);
  EXPECT_TRUE(says(drawn(MemoryScene(other)),
                   "Ends at pattern " + std::to_string(end.nearest + 1) + ", not at pattern 1"));
}

/// The errors of reading back are of φ(k) at length 1, which the W above is not with the sum rule.
TEST(MemoryPage, ReadingBackSaysWhichMatrixItIsOf) {
  MemoryScene s(6);
  EXPECT_TRUE(
      says(drawn(s, {1340, 850}), "both rules write and read with φ(k) of length 1; not the W above"));
  scene::MemorySettings replaced;
  replaced.write = scene::MemoryWrite::delta;
  EXPECT_TRUE(
      says(drawn(MemoryScene(6, replaced), {1340, 850}), "length 1; W above is that of the delta rule"));
}

/// Each written number is rounded by itself, so two of them need not add up to the third.
TEST(MemoryPage, NumbersThatDoNotAddUpAsWrittenSaySo) {
  scene::MemorySettings settings;
  for (const Size size : sizes) {
    settings.step = 5;
    EXPECT_TRUE(says(drawn(MemoryScene(6, settings), size), "sums of exact numbers, then rounded")) << size.w;
    settings.step = 1;  // nothing was written before, so W after it is what is written
    EXPECT_FALSE(says(drawn(MemoryScene(6, settings), size), "then rounded")) << size.w;
  }
}

TEST(MemoryPage, NumbersAreThoseOfTheResults) {
  const MemoryScene s(6);
  const draw::RecordCanvas canvas = drawn(s);
  const scene::MemoryResults& r = *s.results.own_as<scene::MemoryResults>();
  // Means over the rows of the largest weight; the largest difference of the outputs.
  const auto sharpness = [](const nn::Matrix& weights) {
    double sum = 0;
    for (int t = 0; t < weights.rows(); ++t) {
      const auto row = weights.row(t);
      sum += static_cast<double>(*std::max_element(row.begin(), row.end()));
    }
    return fixed(sum / weights.rows(), 2);
  };
  double apart = 0;
  for (int t = 0; t < 6; ++t) {
    for (int c = 0; c < 4; ++c)
      apart = std::max(apart, std::abs(static_cast<double>(s.memory().linear_output.at(t, c)) -
                                       static_cast<double>(s.memory().softmax_output.at(t, c))));
  }
  ASSERT_GT(r.retrieval.recovered_at, 0);
  for (const std::string& words :
       {brief(s.memory().fast_residual, 2), brief(r.retrieval.attention_residual, 2),
        std::to_string(r.stored->recovered) + " of " + std::to_string(r.stored->probes),
        "Recovers pattern " + std::to_string(r.retrieval.nearest + 1) + " after " +
            std::to_string(r.retrieval.recovered_at) + " update",
        "linear " + sharpness(s.memory().linear) + ", softmax " + sharpness(s.memory().softmax),
        "up to " + fixed(apart, 2), std::string("step 5 of 6"), std::string("the ×2")})
    EXPECT_TRUE(says(canvas, words)) << words;
  // Each element of W after the step, added up here once more.
  const scene::SentenceMemory& m = s.memory();
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      double sum = 0;
      for (int t = 0; t < 5; ++t)
        sum += static_cast<double>(m.v.at(t, r)) * static_cast<double>(m.phi_k.at(t, c));
      EXPECT_TRUE(says(canvas, fixed(sum, 2))) << sum;
    }
  }
  // 0.14 d, 2^(d/2), and what is proven, where something is.
  for (const char* words : {"0.28", "2", "1.4", "32", "256", "33,554,432", "4.3·10⁹", "–"})
    EXPECT_TRUE(says(canvas, words)) << words;
  int proven = 0;
  for (const scene::Capacity& c : r.capacity) {
    if (std::isnan(c.proven)) continue;
    ++proven;
    const auto whole = static_cast<std::uint64_t>(std::lround(c.proven));
    EXPECT_TRUE(says(canvas, c.proven < 99.5 ? brief(c.proven, 3) : with_commas(whole))) << c.proven;
  }
  EXPECT_GT(proven, 0);
  EXPECT_TRUE(says(canvas, "5.66 · 1/√d"));  // 4 ÷ (1/√2)
  scene::MemorySettings replaced;
  replaced.write = scene::MemoryWrite::delta;
  const MemoryScene delta(6, replaced);
  EXPECT_TRUE(says(drawn(delta), brief(delta.memory().delta_residual, 2)));
}

/// As a lesson shows the card, beside its words.
TEST(MemoryPage, ANarrowCardAloneHasNumbersInItsVectorsAndNoTwoNearlyTouch) {
  scene::MemorySettings settings;
  settings.step = 5, settings.width = 4;
  const MemoryScene s(6, settings);
  PageInput in = s.input();
  const std::vector<std::string> without = {"read back"};
  in.alone = true;
  for (const Box box : {Box{0, 0, 560, 500}, Box{0, 0, 560, 330}}) {
    in.without = box.h > 400 ? &without : nullptr;
    draw::RecordCanvas canvas;
    const auto& results = *s.results.own_as<scene::MemoryResults>();
    memory_fast_card({in, Pen{canvas, in.theme, nullptr}, results, s.scene.memory}, box);
    int maps = 0;
    for (const auto& map : canvas.maps) {
      const int cells = map.map.rows * map.map.cols;
      if (cells != 4 && cells != 16) continue;  // a colour bar
      ++maps;
      std::vector<Box> numbers;
      for (const auto& text : canvas.texts) {
        if (map.box.has(text.box.centre())) numbers.push_back(text.box);
      }
      EXPECT_EQ(static_cast<int>(numbers.size()), cells) << map.map.rows << " × " << map.map.cols;
      constexpr float apart = 4;
      for (const Box& one : numbers) {
        for (const Box& other : numbers) {
          if (other.x <= one.x || std::abs(other.y - one.y) > 1) continue;
          EXPECT_GE(other.x - one.right(), apart) << "in " << map.map.rows << " × " << map.map.cols;
        }
      }
    }
    EXPECT_EQ(maps, 7);  // W before, φ(k), v, their product, φ(q), W after, y
  }
}

TEST(MemoryPage, MatricesShowTheStepThatIsAsked) {
  scene::MemorySettings settings;
  settings.step = 3;
  const MemoryScene s(6, settings);
  const draw::RecordCanvas canvas = drawn(s);
  const auto shown = [&](const float* values) {
    return std::any_of(canvas.maps.begin(), canvas.maps.end(),
                       [&](const auto& map) { return map.map.values == values; });
  };
  const scene::SentenceMemory& m = s.memory();
  EXPECT_TRUE(shown(m.sum.states.plane(1)));  // before
  EXPECT_TRUE(shown(m.sum.states.plane(2)));  // after
  EXPECT_FALSE(shown(m.sum.states.plane(4)));
  EXPECT_TRUE(shown(s.results.own_as<scene::MemoryResults>()->written.data()));
  EXPECT_TRUE(shown(m.phi_q.row(2).data()));
  // Weights have the fixed scale, signed ones are even about zero.
  for (const auto& map : canvas.maps) {
    if (map.map.values == m.linear.data() || map.map.values == m.softmax.data()) {
      EXPECT_EQ(map.map.lo, 0);
      EXPECT_EQ(map.map.hi, 1);
    }
    if (map.map.map == draw::Colormap::signed_weight && map.map.version == s.results.version) {
      EXPECT_EQ(map.map.lo, -map.map.hi);
    }
  }
  const auto limit_of = [&](const draw::RecordCanvas& page, const float* values) {
    for (const auto& map : page.maps) {
      if (map.map.values == values) return map.map.hi;
    }
    return 0.f;
  };
  EXPECT_EQ(limit_of(canvas, m.sum.states.plane(2)),
            static_cast<float>(nice_ceiling(static_cast<double>(m.largest_state[0]))));
  EXPECT_EQ(limit_of(canvas, m.sum.states.plane(2)), limit_of(canvas, m.sum.states.plane(1)));
  // Beside a W that grows a hundredfold this step's scale is its own.
  const MemoryScene grown(500, settings);
  const scene::SentenceMemory& long_one = grown.memory();
  const draw::RecordCanvas pale = drawn(grown);
  float largest = 0;
  for (int t : {1, 2}) {
    for (int i = 0; i < m.q.cols() * m.q.cols(); ++i)
      largest = std::max(largest, std::abs(long_one.sum.states.plane(t)[i]));
  }
  for (const float value : grown.results.own_as<scene::MemoryResults>()->written.values())
    largest = std::max(largest, std::abs(value));
  ASSERT_GT(long_one.largest_state[0], 100 * largest);
  EXPECT_EQ(limit_of(pale, grown.memory().sum.states.plane(2)),
            static_cast<float>(nice_ceiling(static_cast<double>(largest))));
  EXPECT_EQ(marked(canvas, "next step")->set, "memory_step=4");
  EXPECT_EQ(marked(canvas, "previous step")->set, "memory_step=2");
  EXPECT_EQ(marked(canvas, "step 6")->set, "memory_step=6");
}

TEST(MemoryPage, TheProbeIsDraggedInThePlane) {
  const draw::RecordCanvas canvas = drawn(MemoryScene(6));
  const draw::Mark* probe = marked(canvas, "probe");
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->part, draw::Part::plane);
  EXPECT_EQ(probe->set, "memory_probe_x,memory_probe_y");
  EXPECT_EQ(probe->from, -2);
  EXPECT_EQ(probe->to, 2);
  EXPECT_NEAR(probe->area.w, probe->area.h, 0.01);
  scene::MemorySettings many;
  many.dimension = 5;
  EXPECT_EQ(marked(drawn(MemoryScene(6, many)), "probe"), nullptr);
  EXPECT_EQ(marked(canvas, "attention beta")->set, "memory_beta=0.707107");
}

TEST(MemoryPage, TooltipsReadTheCellUnderThePointer) {
  const MemoryScene s(6);
  draw::RecordCanvas canvas = drawn(s);
  const auto at = [&](const float* values, int col, int row) {
    for (const auto& map : canvas.maps) {
      if (map.map.values != values) continue;
      const Box cell = draw::cell_box(map.box, map.map, col, row);
      draw::RecordCanvas measure;
      draw::PickCanvas picked(cell.centre(), measure);
      memory_page(picked, {0, 0, 1340, 850}, s.input());
      return memory_tooltip(s.input(), picked.hit());
    }
    return std::string();
  };
  const scene::SentenceMemory& m = s.memory();
  const auto four = [](float value) { return fixed(static_cast<double>(value), 4); };
  EXPECT_NE(at(m.softmax.data(), 1, 3).find(four(m.softmax.at(3, 1))), std::string::npos);
  EXPECT_NE(at(m.softmax.data(), 1, 3).find("query “word3”, key “word1”"), std::string::npos);
  EXPECT_NE(at(m.softmax.data(), 4, 1).find("masked"), std::string::npos);
  EXPECT_NE(at(m.sum.states.plane(4), 2, 1).find(four(m.sum.states.at(4, 1, 2))), std::string::npos);
  EXPECT_NE(at(s.results.own_as<scene::MemoryResults>()->written.data(), 3, 0)
                .find(four(s.results.own_as<scene::MemoryResults>()->written.at(0, 3))),
            std::string::npos);
  const nn::Matrix& weights = s.results.own_as<scene::MemoryResults>()->retrieval.weights;
  EXPECT_NE(at(weights.data(), 2, 0).find("update 3, pattern 1\nweight " + four(weights.at(2, 0))),
            std::string::npos);
  const nn::Matrix& land = s.results.own_as<scene::MemoryResults>()->stored->landscape;
  for (const auto& [row, col] : {std::pair{7, 11}, {60, 100}, {120, 64}})  // on contours, and between them
    EXPECT_NE(at(land.data(), col, row).find("E = " + fixed(static_cast<double>(land.at(row, col)), 3)),
              std::string::npos)
        << row << " " << col;
}

TEST(MemoryPage, AStepMovesAndThenStandsStill) {
  const MemoryScene s(6);
  draw::RecordCanvas rest, again, moving;
  memory_page(rest, {0, 0, 1340, 850}, s.input());
  memory_page(again, {0, 0, 1340, 850}, s.input(1));
  memory_page(moving, {0, 0, 1340, 850}, s.input(0.5f));
  EXPECT_EQ(rest.lines, again.lines);
  EXPECT_NE(rest.lines, moving.lines);
}

/// Which head it is stands on the card and in the status line; a model's head can be changed here.
TEST(MemoryPage, TheHeadIsNamed) {
  test::MemoryScene s(6);
  const auto draw_page = [&](float width, float height) {
    draw::RecordCanvas canvas;
    memory_page(canvas, {0, 0, width, height}, s.input());
    return canvas;
  };
  const auto says = [](const draw::RecordCanvas& canvas, const std::string& part) {
    return std::any_of(canvas.texts.begin(), canvas.texts.end(),
                       [&](const auto& text) { return text.words.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(says(draw_page(1340, 850), "a head drawn from seed 7"));
  EXPECT_TRUE(says(draw_page(1340, 850), "of seed 7, d = 2")) << "the patterns";
  scene::Scene of_model =
      scene::page_scene(scene::Page::memory, {"weights=trained", "weights_layer=2", "head=3"});
  s = test::MemoryScene(of_model);
  ASSERT_EQ(s.memory().head, 3);
  EXPECT_TRUE(says(draw_page(1340, 850), "layer 2, head 3 of the model"));
  EXPECT_NE(memory_words(s.input()).find("layer 2, head 3 of the model"), std::string::npos);
  const draw::RecordCanvas wide = draw_page(2000, 1100);
  int heads = 0;
  for (const draw::Mark& mark : wide.marks) heads += mark.name.rfind("memory head ", 0) == 0 ? 1 : 0;
  EXPECT_EQ(heads, of_model.heads);
  for (const float width : {640.f, 1050.f, 1340.f, 2000.f})
    EXPECT_EQ(test::text_trouble(draw_page(width, 850), width, 1e6f), "") << width;
}

TEST(MemoryPage, WithoutResultsItSaysSo) {
  MemoryScene s(6);
  s.results.own = nullptr;
  draw::RecordCanvas canvas;
  EXPECT_EQ(memory_page(canvas, {0, 0, 1340, 850}, s.input()), 850);
  EXPECT_TRUE(says(canvas, "being computed"));
  EXPECT_EQ(memory_words(s.input()), "");
  EXPECT_NE(memory_words(MemoryScene(6).input()).find("step 5 of 6"), std::string::npos);
  EXPECT_EQ(memory_words(MemoryScene(0).input()).find("step"), std::string::npos);
}

}  // namespace
}  // namespace headlight::views::memory_page_test
