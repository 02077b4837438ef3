// The Model page as it is computed, drawn and clicked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "draw/both_canvas.h"
#include "draw/record_canvas.h"
#include "pages/model/atlas.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "session/gestures.h"
#include "session/session.h"
#include "views/page_checks.h"

namespace headlight::app {
namespace {

class ModelPageTest : public testing::Test {
 protected:
  void set(const std::vector<std::string>& assignments) {
    scene::Scene scene;
    scene.page = scene::Page::model;
    for (const std::string& assignment : assignments)
      ASSERT_TRUE(scene::set_field(scene, assignment)) << assignment;
    scene::repair(scene);
    session_.change(scene, "", 0);
    session_.wait();
  }
  float draw(draw::Canvas& canvas, float width, float height) {
    return page_info(scene::Page::model)
        .view.draw(canvas, {0, 0, width, height}, page_input(session_, draw::theme(true)));
  }
  Session session_{{.scene = {}, .autosave = {}}};
};

TEST_F(ModelPageTest, NoTextCoversAnotherAtAnySize) {
  const std::vector<std::vector<std::string>> cases = {
      {},
      {"weights=trained"},
      {"sentence=one"},
      {"sentence="},
      {"heads=32", "model_order=score"},
      {"weights=trained", "model_order=score", "model_score=entropy"},
      {"sentence=the cat sat on a mat", "model_score=induction"},
      {"weights=trained", "model_off=1.1"},
      {"weights=trained", "model_off=1.1 2.3:0.5 2.4", "model_top_k=5"},
      {"weights=trained", "model_off=9.9", "model_top_p=0.7"},
      {"model_detail=components"},
      {"weights=trained", "model_detail=components", "key=2"},
      {"model_detail=components", "query=-1"},
      {"weights=trained", "model_detail=plane"},
      {"model_detail=plane", "sentence=one"}};
  for (const auto& one : cases) {
    set(one);
    for (const auto& [width, height] :
         {std::pair{500.f, 400.f}, {1044.f, 588.f}, {1340.f, 850.f}, {2400.f, 1400.f}}) {
      draw::RecordCanvas canvas;
      const float needed = draw(canvas, width, height);
      EXPECT_EQ(views::test::text_trouble(canvas, width, needed), "")
          << (one.empty() ? "" : one.front()) << " at " << width;
    }
  }
}

/// A click chooses the layer and the head for all pages; on the chosen one it opens Attention.
TEST_F(ModelPageTest, EveryPictureChoosesItsHead) {
  set({"weights=trained"});
  const auto heads_on_page = [&] {
    std::vector<draw::Mark> marks;
    draw::RecordCanvas measure;
    draw::PickCanvas pick({-1, -1}, measure);
    draw(pick, 1044, 588);
    for (const auto& target : pick.targets())
      if (target.mark.name.starts_with("layer ")) marks.push_back(target.mark);
    return marks;
  };
  const scene::Atlas& atlas = *session_.results().own_as<scene::AtlasResults>()->atlas;
  const std::vector<draw::Mark> marks = heads_on_page();
  ASSERT_EQ(marks.size(), static_cast<std::size_t>(atlas.all_heads()));
  for (const draw::Mark& mark : marks) {
    draw::Hit hit;
    hit.mark = mark;
    const auto next = click(session_.scene(), session_.results(), hit, false);
    ASSERT_TRUE(next) << mark.name;
    if (next->page == scene::Page::attention) continue;  // the one that is chosen
    EXPECT_EQ(mark.name,
              "layer " + std::to_string(next->weights_layer) + " head " + std::to_string(next->head.front()));
  }
  draw::Hit last;
  last.mark = marks.back();
  session_.change(*click(session_.scene(), session_.results(), last, false), "", 0);
  session_.wait();
  EXPECT_EQ(session_.scene().weights_layer, atlas.layers());
  EXPECT_EQ(session_.scene().page, scene::Page::model);
  last.mark = heads_on_page().back();
  const auto opened = click(session_.scene(), session_.results(), last, false);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->page, scene::Page::attention);
  EXPECT_EQ(opened->weights_layer, session_.scene().weights_layer);
  EXPECT_EQ(opened->head, session_.scene().head);
}

/// Every factor of the chosen head can be pressed, and the predictions follow.
TEST_F(ModelPageTest, HeadsAreSwitchedOffAndScaled) {
  set({"weights=trained", "weights_layer=2", "head=3"});
  const auto press = [&](const std::string& name) {
    draw::RecordCanvas measure;
    draw::PickCanvas pick({-1, -1}, measure);
    draw(pick, 1200, 700);
    for (const auto& target : pick.targets()) {
      if (target.mark.name != name) continue;
      draw::Hit hit;
      hit.mark = target.mark;
      const auto next = click(session_.scene(), session_.results(), hit, false);
      ASSERT_TRUE(next) << name;
      session_.change(*next, "", 0);
      session_.wait();
      return;
    }
    FAIL() << name << " is not on the page";
  };
  const auto predictions = [&]() -> const scene::Predictions& {
    return session_.results().own_as<scene::AtlasResults>()->predictions;
  };
  press("output off");
  EXPECT_EQ(session_.scene().model.off, "2.3");
  ASSERT_TRUE(predictions().changed);
  EXPECT_EQ(predictions().changed->heads, (std::vector<nn::HeadFactor>{{1, 2, 0}}));
  press("layer 1 head 2"), press("output ×1.5");
  EXPECT_EQ(session_.scene().model.off, "2.3 1.2:1.5");
  EXPECT_EQ(predictions().changed->heads.size(), 2u);
  press("output ×1");
  EXPECT_EQ(session_.scene().model.off, "2.3");
  press("all heads on");
  EXPECT_EQ(session_.scene().model.off, "");
  EXPECT_FALSE(predictions().changed);
}

/// The texts of the page, and which of them has these words; null: none.
const draw::RecordCanvas::Text* text_of(const draw::RecordCanvas& canvas, const std::string& words) {
  for (const auto& text : canvas.texts) {
    if (text.words == words) return &text;
  }
  return nullptr;
}
std::string all_words(const draw::RecordCanvas& canvas) {
  std::string out;
  for (const auto& text : canvas.texts) out += text.words + " ";
  return out;
}

/// With heads off every column of numbers says what it is, right above its numbers; no line crosses a map.
TEST_F(ModelPageTest, ColumnsSayWhichAreWithHeadsOff) {
  for (const auto& [off, label] :
       {std::pair{"1.1 1.2", "2 off"}, {"1.1:0.5", "head scaled"}, {"1.1 1.2:2", "2 changed"}}) {
    set({"weights=trained", std::string("model_off=") + off, "weights_layer=2", "query=2"});
    for (const float width : {1044.f, 1600.f}) {
      SCOPED_TRACE(std::string(off) + " at " + std::to_string(width));
      draw::RecordCanvas canvas;
      draw(canvas, width, 850);
      const views::PageInput in = page_input(session_, draw::theme(true));
      for (const auto& [heading, quantity] : {std::pair{"all heads", "model_next_probability"},
                                              {label, "model_after_probability"},
                                              {"change", "model_after_change"}}) {
        const auto* above = text_of(canvas, heading);
        ASSERT_TRUE(above) << heading;
        const std::string number = in.text(std::string(quantity) + " rank=1");
        bool under = false;
        for (const auto& text : canvas.texts)
          under |= text.words == number && std::abs(text.box.right() - above->box.right()) < 1 &&
                   text.at.y > above->at.y && text.at.y < above->at.y + 30;
        EXPECT_TRUE(under) << heading << " is not above " << number;
      }
      const std::string message = off, factor = message.find(':') == std::string::npos
                                                    ? "off"
                                                    : "×" + message.substr(message.find(':') + 1);
      EXPECT_GE(std::count_if(canvas.texts.begin(), canvas.texts.end(),
                              [&](const auto& text) { return text.words == factor; }),
                2)
          << "on the picture of the head, too";
      for (const std::string& line : canvas.lines) {
        float ax = 0, ay = 0, bx = 0, by = 0;
        if (std::sscanf(line.c_str(), "line %f %f %f %f", &ax, &ay, &bx, &by) != 4) continue;
        EXPECT_FALSE(std::abs(ax - bx) > 4 && std::abs(ay - by) > 4) << line;
      }
    }
  }
}

/// Probabilities far below 0.001 stay clear of their bars, whose ends are named; losses have a scale.
TEST_F(ModelPageTest, BarsAndLossesHaveTheirScale) {
  set({"weights=trained", "model_temperature=0.2", "query=1"});
  for (const float width : {500.f, 1044.f, 1600.f}) {
    SCOPED_TRACE(width);
    draw::RecordCanvas canvas;
    draw(canvas, width, 850);
    const views::PageInput in = page_input(session_, draw::theme(true));
    int seen = 0;
    float track_left = 0, track_right = 0, lowest = 0;
    for (int rank = 1; rank <= 10; ++rank) {
      const std::string number = in.text("model_next_probability rank=" + std::to_string(rank));
      const draw::RecordCanvas::Text* text = text_of(canvas, number);
      if (!text) continue;
      for (const std::string& line : canvas.lines) {  // tracks are 8 high
        float x = 0, y = 0, w = 0, h = 0;
        if (std::sscanf(line.c_str(), "rect %f %f %f %f", &x, &y, &w, &h) != 4 || h != 8 ||
            std::abs(y + 4 - text->at.y) > 1 || x > text->box.x || x + w < text->box.x - 60)
          continue;
        EXPECT_GE(text->box.x, x + w + 4) << number;
        track_left = x, track_right = std::max(track_right, x + w), lowest = std::max(lowest, y);
        ++seen;
      }
    }
    EXPECT_GT(seen, 0);
    bool zero = false, one = false;
    for (const auto& text : canvas.texts) {
      if (text.at.y < lowest || text.at.y > lowest + 30) continue;
      zero |= text.words == "0" && std::abs(text.box.x - track_left) < 1;
      one |= text.words == "1" && std::abs(text.box.right() - track_right) < 1;
    }
    EXPECT_TRUE(zero && one) << "the ends of the bars";
    EXPECT_TRUE(text_of(canvas, "loss in nats"));
    // Few tokens are words on the grounds of their losses, beside those along both sides of the map.
    EXPECT_GE(std::count_if(canvas.texts.begin(), canvas.texts.end(),
                            [](const auto& text) { return text.words == "mat"; }),
              3);
    // Their losses are below them where there is room.
    if (width < 1044) continue;
    for (int t = 1; t < 3; ++t) {
      const std::string loss = in.text("model_loss query=" + std::to_string(t - 1));
      const auto* text = text_of(canvas, loss);
      ASSERT_TRUE(text) << loss;
      EXPECT_TRUE(std::any_of(canvas.texts.begin(), canvas.texts.end(), [&](const auto& above) {
        return above.words == session_.results().tokens[static_cast<std::size_t>(t)].text &&
               text->at.y - above.at.y > 10 && text->at.y - above.at.y < 30;
      })) << loss;
    }
  }
}

/// The sorted components begin with the one that adds most, whose share of q·k is a column of its own.
TEST_F(ModelPageTest, TheFirstComponentIsANumberToo) {
  set({"weights=trained", "model_detail=components", "query=4", "key=1"});
  draw::RecordCanvas canvas;
  draw(canvas, 2400, 1400);
  const views::PageInput in = page_input(session_, draw::theme(true));
  ASSERT_TRUE(text_of(canvas, "largest component") || text_of(canvas, "largest"));
  for (int key = 0; key < 3; ++key) {
    const std::string number =
        in.text("model_component rank=1 head=" + std::to_string(session_.scene().head.front()) +
                " key=" + std::to_string(key));
    EXPECT_TRUE(text_of(canvas, number)) << number;
  }
}

/// A wide page has wide pictures, up to 1.6 times their height.
TEST_F(ModelPageTest, PicturesFillTheCard) {
  set({"weights=trained"});
  for (const auto& [width, height] : {std::pair{1044.f, 588.f}, {1600.f, 850.f}, {2400.f, 700.f}}) {
    draw::RecordCanvas measure;
    draw::PickCanvas pick({-1, -1}, measure);
    draw(pick, width, height);
    draw::Box hero, last;
    for (const auto& panel : pick.panels()) {
      if (panel.name == "atlas") hero = panel.box;
    }
    for (const auto& target : pick.targets()) {
      if (target.mark.name.starts_with("layer ") && target.mark.area.right() >= last.right())
        last = target.mark.area;
    }
    ASSERT_GT(hero.w, 0);
    ASSERT_GT(last.w, 0);
    EXPECT_TRUE(last.right() > hero.right() - 0.12f * hero.w || last.w > 1.5f * last.h)
        << last.w << " × " << last.h << " in " << hero.w;
  }
}

/// However many heads a model has, each picture is inside the card, above its colour bar.
TEST_F(ModelPageTest, ManyHeadsStayInTheirCard) {
  for (const char* model : {"model=dictionary", "model=random"}) {
    for (const char* order : {"model_order=layer", "model_order=score"}) {
      set({model, "heads=64", "d_model=512", order});
      const auto* own = session_.results().own_as<scene::AtlasResults>();
      ASSERT_TRUE(own && own->atlas);
      const auto heads = static_cast<std::size_t>(own->atlas->all_heads());
      ASSERT_GE(heads, 32u);
      for (const float width : {600.f, 1044.f, 1376.f, 2400.f}) {
        for (float height = 420; height <= 1100; height += 17) {
          SCOPED_TRACE(std::string(model) + " " + order + " " + std::to_string(width) + " x " +
                       std::to_string(height));
          draw::RecordCanvas measure;
          draw::PickCanvas pick({-1, -1}, measure);
          const float needed = draw(pick, width, height);
          draw::Box card;
          for (const auto& panel : pick.panels()) {
            if (panel.name == "atlas") card = panel.box;
          }
          ASSERT_GT(card.h, 0);
          EXPECT_LE(card.bottom(), needed);
          std::size_t pictures = 0;
          for (const auto& target : pick.targets()) {
            if (!target.mark.name.starts_with("layer ")) continue;
            ++pictures;
            EXPECT_GE(target.mark.area.x, card.x);
            EXPECT_LE(target.mark.area.right(), card.right());
            EXPECT_LE(target.mark.area.bottom(), card.bottom() - 34) << target.mark.name;
          }
          EXPECT_EQ(pictures, heads);
        }
      }
    }
  }
}

TEST_F(ModelPageTest, AScoreWithoutRepeatsAndAnAutomaticScaleSayWhatTheyAre) {
  const auto& view = page_info(scene::Page::model).view;
  const auto screen = [&] {
    draw::RecordCanvas canvas;
    draw(canvas, 1600, 850);
    return all_words(canvas);
  };
  const auto has = [](const std::string& words, const char* part) {
    return words.find(part) != std::string::npos;
  };
  set({"sentence=the cat sat on a mat", "model_score=induction"});
  const std::string none = "weight on the token after the last earlier copy: nothing to measure";
  EXPECT_TRUE(has(screen(), none.c_str()));
  EXPECT_TRUE(has(view.describe(page_input(session_, draw::theme(true)), 3), none.c_str()));
  EXPECT_TRUE(has(view.status(page_input(session_, draw::theme(true))), none.c_str()));
  set({"sentence=the cat sat on the mat", "model_score=induction"});
  EXPECT_TRUE(has(screen(), "mean over 1 of 6 queries"));
  EXPECT_TRUE(has(view.describe(page_input(session_, draw::theme(true)), 3), "mean over 1 of 6 queries"));
  EXPECT_FALSE(has(screen(), "one scale for all heads"));
  set({"map_scale=auto", "sentence=the cat sat on the mat"});
  EXPECT_TRUE(has(screen(), "the automatic scale is 0–1 here"));
  std::string many = "sentence=the";
  for (int i = 0; i < 30; ++i) many += " cat sat on a";
  set({"map_scale=auto", many});
  EXPECT_TRUE(has(screen(), "share the last colour"));
  EXPECT_TRUE(has(screen(), "one scale for all heads"));
}

/// The colours of the large map and of the small ones are the same, also where several cells share a pixel.
TEST_F(ModelPageTest, TheBarEndsWhereAllMapsDo) {
  const auto words = [](int count) {
    static const char* const some[] = {"the", "cat", "sat", "on", "a", "mat", "and", "slept", "."};
    std::string out = "sentence=";
    for (int i = 0; i < count; ++i) out += std::string(i > 0 ? " " : "") + some[i * i % 9];
    return out;
  };
  for (const int count : {100, 200}) {
    for (const char* head : {"head=1", "head=2", "head=3"}) {
      for (const auto& [width, height] : {std::pair{1044.f, 588.f}, {1340.f, 850.f}}) {
        SCOPED_TRACE(std::to_string(count) + " words, " + head + ", " + std::to_string(width));
        set({words(count), "weights=trained", head});
        draw::RecordCanvas canvas;
        draw(canvas, width, height);
        float of_all = 0, of_head = 0;
        for (const auto& [box, map] : canvas.maps) {
          const nn::AttentionTrace& trace = session_.results().attention;
          const bool large = map.values == trace.weights.plane(session_.scene().head.front() - 1);
          if (!large && map.view.w <= 0) continue;  // of losses
          float& end = large ? of_head : of_all;
          EXPECT_TRUE(end == 0 || end == map.hi) << end << " and " << map.hi;
          end = map.hi;
        }
        ASSERT_GT(of_all, 0);
        EXPECT_EQ(of_head, of_all);
        for (const auto& text : canvas.texts) {
          if (text.words.starts_with("≥ "))
            EXPECT_EQ(text.words, "≥ " + views::brief(static_cast<double>(of_all), 1));
        }
      }
    }
  }
}

/// In the plane no name covers another one, a point or a line.
TEST_F(ModelPageTest, NamesInThePlaneKeepClear) {
  for (const char* weights : {"weights=random", "weights=trained"}) {
    set({weights, "model_detail=plane", "query=2",
         "sentence=the cat sat on the mat and the dog sat on the rug"});
    draw::RecordCanvas canvas;
    draw(canvas, 1340, 850);
    EXPECT_NE(all_words(canvas).find("variance explained: "), std::string::npos);
    std::vector<std::pair<draw::Point, draw::Point>> lines;  // the largest weights
    std::vector<draw::Point> points;
    for (const std::string& line : canvas.lines) {
      draw::Point a, b;
      float r = 0;
      if (std::sscanf(line.c_str(), "line %f %f %f %f", &a.x, &a.y, &b.x, &b.y) == 4) lines.push_back({a, b});
      if (std::sscanf(line.c_str(), "circle %f %f %f", &a.x, &a.y, &r) == 3) points.push_back(a);
    }
    ASSERT_FALSE(lines.empty());
    for (const auto& text : canvas.texts) {
      const bool name =
          text.style.color == draw::theme(true).query || text.style.color == draw::theme(true).key;
      if (!name || text.box.x < 1340 * 0.58f) continue;
      for (const auto& [a, b] : lines) {
        for (int i = 0; i <= 100; ++i) {
          const float t = static_cast<float>(i) / 100;
          EXPECT_FALSE(text.box.has({a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t})) << text.words;
        }
      }
      for (const draw::Point p : points) EXPECT_FALSE(text.box.has(p)) << text.words;
    }
  }
}

/// By score the first picture is the head that comes first.
TEST_F(ModelPageTest, TheOrderFollowsTheScore) {
  for (const char* score : {"previous", "first", "itself", "entropy"}) {
    set({"weights=trained", "model_order=score", std::string("model_score=") + score});
    draw::RecordCanvas measure;
    draw::PickCanvas pick({-1, -1}, measure);
    draw(pick, 1044, 588);
    const auto* own = session_.results().own_as<scene::AtlasResults>();
    const std::vector<scene::HeadPlace>& ranked = own->atlas->by(session_.scene().model.score);
    std::size_t place = 0;
    for (const auto& target : pick.targets()) {
      if (!target.mark.name.starts_with("layer ")) continue;
      ASSERT_LT(place, ranked.size());
      EXPECT_EQ(target.mark.name, "layer " + std::to_string(ranked[place].layer + 1) + " head " +
                                      std::to_string(ranked[place].head + 1));
      ++place;
    }
    EXPECT_EQ(place, ranked.size());
  }
}

/// The heads beside the chosen one are those with the most similar maps; a click chooses one of them.
TEST_F(ModelPageTest, SimilarHeadsAreChosenByAClick) {
  set({"weights=trained", "weights_layer=2", "head=3"});
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1, -1}, measure);
  draw(pick, 1536, 882);
  const scene::Atlas& atlas = *session_.results().own_as<scene::AtlasResults>()->atlas;
  const std::vector<scene::AlikeHead>& similar = *atlas.alike.heads({1, 2});
  std::size_t seen = 0;
  for (const auto& target : pick.targets()) {
    if (!target.mark.name.starts_with("alike ")) continue;
    ASSERT_LT(seen, similar.size());
    draw::Hit hit;
    hit.mark = target.mark;
    const auto next = click(session_.scene(), session_.results(), hit, false);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->page, scene::Page::model);
    EXPECT_EQ(next->weights_layer, similar[seen].at.layer + 1);
    EXPECT_EQ(next->head, scene::IndexList{similar[seen].at.head + 1});
    ++seen;
  }
  EXPECT_GE(seen, 3u);
  // In a narrow window the map has all of the card.
  draw::PickCanvas narrow({-1, -1}, measure);
  draw(narrow, 900, 700);
  for (const auto& target : narrow.targets()) EXPECT_FALSE(target.mark.name.starts_with("alike "));
}

/// A column for each token that has room, around the one that is shown, with a tick where the sentence goes
/// on with one of the four.
TEST_F(ModelPageTest, EveryTokenHasItsLikeliestSuccessors) {
  std::string sentence = "sentence=the animal does not cross the street because it is too tired";
  for (int i = 0; i < 3; ++i) sentence += " and the cat sat on a mat";
  set({"weights=trained", sentence, "query=20"});
  draw::RecordCanvas canvas;
  draw(canvas, 1536, 882);
  const scene::Predictions& p = session_.results().own_as<scene::AtlasResults>()->predictions;
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1, -1}, measure);
  draw(pick, 1536, 882);
  std::set<int> columns;
  for (const auto& target : pick.targets()) {
    const draw::Mark& mark = target.mark;
    if (mark.part == draw::Part::query_token && mark.area.h > 80) columns.insert(mark.query);
  }
  ASSERT_GE(columns.size(), 6u);
  EXPECT_TRUE(columns.contains(20));
  EXPECT_EQ(*columns.rbegin() - *columns.begin() + 1, static_cast<int>(columns.size()));
  EXPECT_LT(columns.size(), p.after_each.size());
  EXPECT_TRUE(std::any_of(canvas.texts.begin(), canvas.texts.end(), [&](const auto& text) {
    return text.words.find(std::to_string(columns.size()) + " of " + std::to_string(p.after_each.size()) +
                           " tokens") != std::string::npos;
  }));
  int ticks = 0, wanted = 0;
  const draw::Color good = draw::theme(true).good;
  char tick[32];
  std::snprintf(tick, sizeof tick, "polyline %02x%02x%02x", good.r, good.g, good.b);
  for (const std::string& line : canvas.lines) ticks += line.starts_with(tick);
  for (const int token : columns) {
    const auto t = static_cast<std::size_t>(token);
    for (const scene::PredictedToken& one : p.after_each[t])
      wanted += t < p.followers.size() && one.id == p.followers[t].next;
  }
  EXPECT_GT(wanted, 0);
  EXPECT_EQ(ticks, wanted);
}

/// The frame is on the chosen head, which need not be the one that answers the question: both are named.
TEST_F(ModelPageTest, TheChosenHeadIsNamedBesideTheHighest) {
  const auto subtitle_has = [&](const std::string& words) {
    draw::RecordCanvas canvas;
    draw(canvas, 1536, 882);
    std::string all;  // it may have two lines
    for (const auto& text : canvas.texts) all += text.words + " ";
    return all.find(words) != std::string::npos;
  };
  set({"weights=trained", "sentence=the cat sat on the mat"});
  const scene::Atlas& atlas = *session_.results().own_as<scene::AtlasResults>()->atlas;
  const scene::HeadPlace first = atlas.by(scene::ModelScore::previous).front();
  const auto named = [](scene::HeadPlace at) {
    return "layer " + std::to_string(at.layer + 1) + ", head " + std::to_string(at.head + 1);
  };
  const scene::HeadPlace other{1 - first.layer, first.head};
  for (const scene::HeadPlace at : {first, other}) {
    set({"weights=trained", "sentence=the cat sat on the mat",
         "weights_layer=" + std::to_string(at.layer + 1), "head=" + std::to_string(at.head + 1)});
    EXPECT_TRUE(subtitle_has("highest: " + named(first) +
                             (at == first ? ", the chosen head" : "; chosen: " + named(other))));
  }
}

}  // namespace
}  // namespace headlight::app
