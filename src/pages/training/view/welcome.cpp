#include <algorithm>
#include <array>
#include <cmath>

#include "kit/choices.h"
#include "kit/matrix_panel.h"
#include "kit/words.h"
#include "pages/training/view/cards.h"

namespace headlight::views {

namespace {

/// Where every query of the story should look: key[q], drawn as a map with one bright cell in each row.
struct Request {
  std::string title, words;
  std::vector<int> key;
  std::vector<float> values = {};  // [n, n], filled from `key`
};

struct Story {
  std::string title, question, body;
  std::vector<std::string> tokens, wanted;  // wanted: under each token, what it is asked for
  std::vector<std::pair<int, int>> looks;   // query → key, as arcs
  std::vector<Request> requests;
  bool causal = true;
  std::vector<base::Interval> allowed = {};  // filled where a token reads only what came before
};

std::vector<Story> written() {
  std::vector<Story> out = {
      {"Two relations",
       "Can one head learn two relations at once?",
       "Four tokens. In one relation every token must attend to position 2, in the other to the token with a "
       "planted content. A head has one map whose rows add up to 1, so for both relations it can only split "
       "its weight. Two heads can take one relation each. Many seeds are trained side by side, because a "
       "single run proves little. “Repaired” models are the source’s with changes that all together let two "
       "heads come close to a loss of 0.",
       {"a", "planted", "c", "d"},
       {},
       {{0, 2}, {0, 1}, {3, 2}, {3, 1}},
       {{"position", "always position 2", {2, 2, 2, 2}},
        {"content", "always the planted token", {1, 1, 1, 1}}},
       false},
      {"Reverse",
       "How are letters reversed?",
       "At every position the model must predict the letter at the mirrored position. The letters themselves "
       "contain no position: only the positional encoding does. Without positions, attention treats the "
       "string as a bag of letters: equal letters get equal answers at every position, and the loss stays "
       "high however long the model is trained.",
       {"d", "a", "f", "c", "b", "e"},
       {"e", "b", "c", "f", "a", "d"},
       {{0, 5}, {1, 4}, {2, 3}},
       {{"a reversing head", "attends to the mirrored position", {5, 4, 3, 2, 1, 0}}},
       false},
      {"Copy, by induction",
       "Which letter followed the first time?",
       "A random sequence is repeated. The first half cannot be predicted. In the second half a model can "
       "attend to what came next the first time. It can do so by a fixed distance, if positions encode it. "
       "Or two layers work together: one head adds the previous token to each vector, and an induction head "
       "in the layer above attends to the token after the earlier copy, at any position.",
       {"k", "e", "m", "a", "k", "e", "m", "a"},
       {"", "", "", "", "e", "m", "a", ""},
       {{4, 1}, {5, 2}, {6, 3}},
       {{"previous token", "layer 1: what came before?", {0, 0, 1, 2, 3, 4, 5, 6}},
        {"induction", "layer 2: what followed last time?", {0, 0, 0, 0, 1, 2, 3, 4}}}},
      {"Small English",
       "The dogs near the cat … sleep or sleeps?",
       "Sentences of a small grammar, one token after another. To predict the verb, the model has to use its "
       "subject, and the nearest noun is often the wrong one. Watch which head attends to it, and from which "
       "step on.",
       {"the", "dogs", "near", "the", "cat", "sleep"},
       {"", "", "", "", "sleep", ""},
       {{4, 1}},
       {{"subject of the verb", "past the nearer noun", {0, 1, 1, 1, 1, 1}},
        {"previous token", "word order is learned first", {0, 0, 1, 2, 3, 4}}}},
      {"Pronouns",
       "It was too tired: which of the two nouns?",
       "Sentences with two nouns, a reason and a pronoun. At the pronoun the model must predict the noun "
       "that is meant: the one that fits both the pronoun, by number and gender, and the reason, by meaning. "
       "It is measured on combinations of noun and reason that are held out from training. The right answer "
       "need not be visible in the attention. One head can be guided by a second loss to attend to the noun "
       "that is meant.",
       {"the", "dog", "left", "the", "river", "because", "it", "was", "tired"},
       {"", "", "", "", "", "", "dog", "", ""},
       {{6, 1}, {6, 8}},
       {{"a guided head", "from the pronoun to the noun that is meant", {0, 1, 2, 3, 4, 5, 1, 7, 8}},
        {"a free head", "perhaps to the reason", {0, 1, 2, 3, 4, 5, 8, 7, 8}}},
       false},
      {"Your text",
       "Predict the next piece of your own text.",
       "The text is split into characters, words, or pieces learned from it. The model gets a section of it "
       "and predicts the next piece at every position at once. The baseline is a bigram table, which uses "
       "only the last piece: a loss well below it needs earlier pieces, which only attention provides.",
       {"once", "upon", "a", "time", "there"},
       {"upon", "a", "time", "there", "was"},
       {{4, 3}, {4, 0}},
       {{"previous token", "one piece more than a bigram table", {0, 0, 1, 2, 3}},
        {"first token", "default target of heads", {0, 0, 0, 0, 0}}}}};
  for (Story& story : out) {
    const std::size_t n = story.tokens.size();
    for (int t = 0; story.causal && t < static_cast<int>(n); ++t) story.allowed.push_back({0, t + 1});
    for (Request& request : story.requests) {
      request.values.assign(n * n, 0.02f);
      for (std::size_t q = 0; q < n; ++q)
        request.values[q * n + static_cast<std::size_t>(request.key[q])] = 0.96f;
    }
  }
  return out;
}

const Story& story_of(const TrainingView& view) {
  static const std::vector<Story> all = written();  // maps are drawn from it: it outlives the frame
  return all[static_cast<std::size_t>(view.settings.task)];
}

/// Everything grows with the window, words as well.
struct Measure {
  float scale = 1;
  bool low = false;  // little height: flatter arcs, smaller gaps
  float title() const { return 22 * scale; }
  float question() const { return 15 * scale; }
  float body() const { return 13 * scale; }
  float arcs() const { return (low ? 40 : 64) * scale; }
  float above_start() const { return (low ? 10 : 18) * scale; }
  float above_sequence() const { return (low ? 12 : 26) * scale; }
};

float words_height(const TrainingView& view, const Story& story, float width, Measure m) {
  return m.title() * 1.5f +
         paragraph(view.pen, {}, width, story.question, words_style(view.theme().text, m.question()), 3,
                   false) +
         8 * m.scale +
         paragraph(view.pen, {}, width, story.body, words_style(view.theme().dim, m.body()), 12, false);
}

constexpr float button_high = 40;

/// Below the button: what is to be chosen first, else what the run will be.
std::string start_words(const TrainingView& view) {
  if (view.settings.task == scene::TrainingTask::text && view.settings.file.empty())
    return "Any UTF-8 file up to 50 MB, or a folder of .txt and .md files";
  return settings_words(view.settings);
}

float start_height(const TrainingView& view, float width, Measure m) {
  return m.above_start() + button_high * m.scale + 10 * m.scale +
         paragraph(view.pen, {}, width, start_words(view), words_style(view.theme().dim), 3, false);
}

void draw_start(const TrainingView& view, Box area, Measure m) {
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  const bool text = view.settings.task == scene::TrainingTask::text && view.settings.file.empty();
  const bool reading = view.snapshot.preparing >= 0;
  Box box{area.x, area.y + m.above_start(), 180 * m.scale, button_high * m.scale};
  const std::string name = text ? "training choose file" : "training start";
  const bool enabled = (text || training_may(view, "training start")) && !reading;
  if (enabled)
    control_mark(pen, name, "",
                 text ? "type its path, or drop the file or a folder of .txt and .md files onto the window"
                      : "starts the run; its maps then replace this picture",
                 box);
  const draw::Color ground = enabled ? theme.accent : theme.field;
  pen.canvas.rect(box, enabled && pen.over(name) ? draw::mix(ground, theme.text, 0.12f) : ground, 8);
  const std::string label = reading ? "Reading the text…" : text ? "Choose a text" : "Train";
  const draw::TextStyle style = strong_style(enabled ? theme.on_accent : theme.dim, 15 * m.scale);
  const float wide = pen.canvas.text_width(label, style), icon = enabled && !text ? 22 * m.scale : 0;
  const float x = box.centre().x - (wide + icon) / 2;
  if (icon > 0) play_sign(pen, {x + 6 * m.scale, box.centre().y}, 13 * m.scale, false, style.color);
  put(pen, {x + icon, box.centre().y}, label, style, box.w);
  pen.canvas.mark({});
  paragraph(pen, {area.x, box.bottom() + 10 * m.scale}, area.w, start_words(view), words_style(theme.dim), 3);
}

constexpr float chip_high = 30, wanted_high = 34;

float sequence_height(const Story& story, Measure m) {
  return m.arcs() + (22 + chip_high + (story.wanted.empty() ? 0 : wanted_high)) * m.scale;
}

/// "the answer, drawn for the queries a and d only": every token attends, and not all of them have arcs.
std::string answer_words(const Story& story) {
  std::vector<int> asking;
  for (const auto& look : story.looks) {
    if (std::find(asking.begin(), asking.end(), look.first) == asking.end()) asking.push_back(look.first);
  }
  if (asking.empty() || asking.size() == story.tokens.size()) return "the answer";
  std::string out =
      asking.size() == 1 ? "the answer, drawn for the query " : "the answer, drawn for the queries ";
  for (std::size_t i = 0; i < asking.size(); ++i)
    out += (i == 0                   ? ""
            : i + 1 == asking.size() ? " and "
                                     : ", ") +
           story.tokens[static_cast<std::size_t>(asking[i])];
  return out + " only";
}

/// The tokens of the story, what each is asked for, and arcs to where the answer stands.
void draw_sequence(const TrainingView& view, const Story& story, Box area, Measure m) {
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  put(pen, {area.x, area.y + 7}, answer_words(story), words_style(theme.dim, small_size), area.w);
  const auto n = static_cast<float>(story.tokens.size());
  const float pitch = std::min(area.w / n, 84 * m.scale), gap = 6 * m.scale;
  const float top = area.y + 22 * m.scale + m.arcs();
  const auto middle = [&](int t) { return area.x + (static_cast<float>(t) + 0.5f) * pitch - gap / 2; };
  for (std::size_t i = 0; i < story.looks.size(); ++i) {
    const auto [query, key] = story.looks[i];
    const float high = std::min(m.arcs(), (16 + 11 * static_cast<float>(std::abs(query - key))) * m.scale);
    const Point a{middle(query), top - 3}, b{middle(key), top - 3};
    const draw::Color color = theme.key;
    pen.canvas.curve(a, {a.x, a.y - high * 1.2f}, {b.x, b.y - high * 1.2f}, b,
                     {draw::faded(color, 0.85f), 2});
    pen.canvas.circle(b, 4, color);
    pen.canvas.ring(a, 3.5f, {theme.query, 2});
  }
  for (int t = 0; t < static_cast<int>(story.tokens.size()); ++t) {
    const auto at = static_cast<std::size_t>(t);
    const Box chip{middle(t) - (pitch - gap) / 2, top, pitch - gap, chip_high * m.scale};
    const bool asks =
        std::any_of(story.looks.begin(), story.looks.end(), [&](auto l) { return l.first == t; });
    pen.canvas.rect(chip, theme.field, 6);
    pen.canvas.frame(chip, {asks ? draw::faded(theme.query, 0.8f) : theme.border, 1}, 6);
    put(pen, chip.centre(), story.tokens[at], aligned(words_style(theme.text, 13 * m.scale), Align::centre),
        chip.w - 8);
    if (story.wanted.empty() || story.wanted[at].empty()) continue;
    put(pen, {chip.centre().x, chip.bottom() + 20 * m.scale}, story.wanted[at],
        aligned(strong_style(theme.good, 13 * m.scale), Align::centre), chip.w);
    pen.canvas.line({chip.centre().x, chip.bottom() + 3}, {chip.centre().x, chip.bottom() + 10 * m.scale},
                    {draw::faded(theme.good, 0.8f), 1.5f});
  }
}

constexpr float request_name = 22, request_gap = 24;  // the name above a map; between maps
constexpr int most_request_lines = 4;

float request_width(const Story& story, float width) {
  const auto count = static_cast<float>(story.requests.size());
  return (width - request_gap * (count - 1)) / count;
}

/// Returns the height of the names and words above the maps.
float request_head(const Pen& pen, const Story& story, float width) {
  float words = 0;
  for (const Request& request : story.requests)
    words = std::max(words, paragraph(pen, {}, request_width(story, width), request.words,
                                      words_style(pen.theme.dim, small_size), most_request_lines, false));
  return request_name + words + 7;
}

/// Height of the maps side by side, with their names, in this width.
float requests_height(const Pen& pen, const Story& story, float width) {
  return 20 + request_head(pen, story, width) + std::min(request_width(story, width), 360.f);
}

void draw_requests(const TrainingView& view, const Story& story, Box area, Measure m) {
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  const int n = static_cast<int>(story.tokens.size());
  put(pen, {area.x, area.y + 7}, "drawn by hand, not learned", words_style(theme.dim, small_size), area.w);
  area.cut_top(24);
  const float wide = request_width(story, area.w), above = request_head(pen, story, area.w);
  for (std::size_t i = 0; i < story.requests.size(); ++i) {
    const Request& request = story.requests[i];
    Box place = area.cut_left(wide);
    area.cut_left(request_gap);
    const Box head = place.cut_top(above);
    MatrixPanel map;
    map.values = request.values.data(), map.rows = map.cols = n, map.version = 1;
    map.row_names = map.col_names = story.tokens, map.allowed = story.allowed;
    map.mark.part = draw::Part::note, map.mark.name = "wish " + std::to_string(i + 1);
    map.mark.note = request.title + ": " + request.words;
    map.numbers = map.mask_name = false, map.most_cell = 64 * m.scale;
    const Box cells = draw_matrix_panel(pen, place, map).cells;
    // Words begin above the cells where they fit there on one line.
    const draw::TextStyle quiet = words_style(theme.dim, small_size);
    const float widest = std::max(pen.canvas.text_width(request.title, strong_style(theme.text, 14)),
                                  pen.canvas.text_width(request.words, quiet));
    const float x = widest <= head.right() - cells.x ? cells.x : head.x;
    put(pen, {x, head.y + 11}, request.title, strong_style(theme.text, 14), head.right() - x);
    paragraph(pen, {x, head.y + request_name}, head.right() - x, request.words, quiet, most_request_lines);
  }
}

/// Both columns, or one below the other.
struct Plan {
  bool beside = true;
  float left = 0, right = 0, gap = 48;
  Measure m;
};

Plan plan_for(float width, float height) {
  Plan plan;
  plan.beside = width >= 820;
  plan.m.scale = std::clamp(std::min(width / 1040, height / 500), 1.f, 1.9f);
  const float whole = std::min(width, 1240 * plan.m.scale);
  plan.left = plan.beside ? std::round((whole - plan.gap) * 0.55f) : width;
  plan.right = plan.beside ? whole - plan.gap - plan.left : width;
  return plan;
}

float left_height(const TrainingView& view, const Story& story, const Plan& plan) {
  return words_height(view, story, plan.left, plan.m) + start_height(view, plan.left, plan.m) +
         plan.m.above_sequence() + sequence_height(story, plan.m);
}

}  // namespace

float training_welcome_height(const TrainingView& view, float width) {
  const Story& story = story_of(view);
  const float inner = width - 2 * card_padding - 24;
  Plan plan = plan_for(inner, 500);
  plan.m.low = plan.beside;
  const float left = left_height(view, story, plan);
  return 2 * card_padding + 24 + (plan.beside ? left : left + 28 + requests_height(view.pen, story, inner));
}

void training_welcome_card(const TrainingView& view, Box box) {
  const Pen& pen = view.pen;
  const Story& story = story_of(view);
  Box inside = card(pen, box, {}, "welcome").inset(12);
  Plan plan = plan_for(inside.w, inside.h);
  plan.m.low = plan.beside && left_height(view, story, plan) > inside.h;
  const Measure m = plan.m;
  const float left_high = left_height(view, story, plan);
  if (plan.beside) {  // in the middle of what is left over
    const float whole = plan.left + plan.gap + plan.right;
    inside.cut_left((inside.w - whole) / 2);
    inside.cut_top(std::max(0.f, (inside.h - left_high) * 0.4f));
  }
  Box left{inside.x, inside.y, plan.left, left_high};
  const Box whole_left = left;
  put(pen, {left.x, left.y + m.title() * 0.6f}, story.title, strong_style(view.theme().text, m.title()),
      left.w);
  left.cut_top(m.title() * 1.5f);
  left.cut_top(paragraph(pen, {left.x, left.y}, left.w, story.question,
                         words_style(view.theme().text, m.question()), 3));
  left.cut_top(8 * m.scale);
  left.cut_top(
      paragraph(pen, {left.x, left.y}, left.w, story.body, words_style(view.theme().dim, m.body()), 12));
  draw_start(view, left, m);
  left.cut_top(start_height(view, plan.left, m) + m.above_sequence());
  draw_sequence(view, story, left, m);
  if (plan.beside) {
    const Box right{whole_left.right() + plan.gap, whole_left.y, plan.right,
                    std::min(inside.h, std::max(left_high, requests_height(pen, story, plan.right)))};
    draw_requests(view, story, right, m);
  } else {
    const Box right{inside.x, inside.y + left_high + 28, plan.right, requests_height(pen, story, plan.right)};
    draw_requests(view, story, right, m);
  }
}

}  // namespace headlight::views
