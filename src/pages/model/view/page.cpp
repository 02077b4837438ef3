#include "pages/model/view/page.h"

#include <algorithm>
#include <cmath>

#include "draw/record_canvas.h"
#include "kit/no_results.h"
#include "pages/model/heads_off.h"

namespace headlight::views {

namespace {

constexpr float wide_from = 900;
constexpr float hero_share = 0.58f, least_hero = 400;

const scene::Atlas* atlas_in(const PageInput& in) {
  const auto* r = in.own<scene::AtlasResults>();
  return r && r->atlas->layers() > 0 && in.results.attention.T > 0 ? r->atlas.get() : nullptr;
}

ModelView view_of(const Sheet& sheet, const scene::Atlas& atlas, const scene::AtlasResults& own) {
  const PageInput& in = sheet.in;
  ModelView view{sheet, atlas, own.details, own.predictions, {}, {}};
  view.shown = shown_head(in.results.scene, in.results, atlas);
  view.shown.head = scene::first_head(in.scene, in.results.attention.heads);
  view.chosen = {std::min(std::max(1, in.scene.weights_layer), atlas.layers()) - 1, view.shown.head};
  if (!atlas.has(view.shown)) view.shown = {0, 0};
  return view;
}

/// Where nothing is predicted there is no card: a line says why, and a figure or a slide does without it.
float without_next(const Pen& pen) {
  return pen.canvas.plain() ? 0.f : 16.f;
}
void say_no_next(const Pen& pen, Box line, const std::string& why) {
  if (line.h <= 0) return;
  put(pen, {line.x + 2, line.centre().y}, "No predictions: " + why, words_style(pen.theme.dim), line.w - 4);
}

}  // namespace

std::string choosing(scene::HeadPlace at) {
  const std::string head = std::to_string(at.head + 1);
  return "weights_layer=" + std::to_string(at.layer + 1) + ";head=" + head + ";bench_a=" + head;
}

std::string head_name(const ModelView& view, scene::HeadPlace at) {
  const std::string head = "head " + std::to_string(at.head + 1);
  return view.atlas.layers() > 1 ? "layer " + std::to_string(at.layer + 1) + ", " + head : head;
}

const char* score_words(scene::ModelScore score) {
  switch (score) {
    case scene::ModelScore::previous:
      return "weight on the previous token";
    case scene::ModelScore::first:
      return "weight on the first token";
    case scene::ModelScore::itself:
      return "weight on itself";
    case scene::ModelScore::same_token:
      return "weight on the same token";
    case scene::ModelScore::induction:
      return "weight on the token after the last earlier copy";
    case scene::ModelScore::entropy:
      return "entropy";
  }
  return "";
}

std::string no_score_words(const scene::Atlas& atlas, scene::ModelScore score) {
  if (atlas.all_heads() == 0 || !std::isnan(atlas.of(atlas.by(score).front()).score(score))) return {};
  if (score == scene::ModelScore::entropy) return "no query attends to a key, or weights are not finite";
  if (!atlas.one_line) return "queries and keys are not the same tokens";
  if (atlas.queries_of(score) > 0)
    return "queries that have such a key attend to none, or weights are not finite";
  if (score == scene::ModelScore::same_token) return "no token occurs twice";
  if (score == scene::ModelScore::induction) return "no token occurs again after another one";
  return "no query has such a key";
}

std::string beyond_training_words(const scene::Atlas& atlas) {
  if (!atlas.beyond_training()) return {};
  return "trained for " + std::to_string(atlas.trained_tokens) + " positions; later ones are extrapolation";
}

std::string score_text(const PageInput& in, scene::HeadPlace at, scene::ModelScore score) {
  const std::string name =
      std::string("model_") + scene::Words<scene::ModelScore>::list[static_cast<int>(score)];
  const std::string of_head = quantity(name.c_str(), {{"layer", at.layer + 1}, {"head", at.head + 1}});
  // Means of weights as on the page Compare.
  return score == scene::ModelScore::entropy ? in.text(of_head) : in.text(of_head, mean_weight_text);
}

std::string uniform_text(const PageInput& in, int layer, scene::ModelScore score) {
  if (score == scene::ModelScore::entropy)
    return in.text(quantity("model_most_entropy", {{"layer", layer + 1}}));
  const std::string name =
      std::string("model_uniform_") + scene::Words<scene::ModelScore>::list[static_cast<int>(score)];
  return in.text(quantity(name.c_str(), {{"layer", layer + 1}}), mean_weight_text);
}

std::string model_question(const PageInput& in) {
  const scene::Atlas* atlas = atlas_in(in);
  if (!atlas) return "What does each head attend to?";
  const std::string which = atlas->all_heads() == 1 ? "Does the head attend"
                                                    : "Which of " + in.text("model_heads") + " heads attends";
  switch (in.scene.model.score) {
    case scene::ModelScore::previous:
      return which + " to the previous token?";
    case scene::ModelScore::first:
      return which + " to the first token?";
    case scene::ModelScore::itself:
      return which + " to the query itself?";
    case scene::ModelScore::same_token:
      return which + " to the same token?";
    case scene::ModelScore::induction:
      return which + " to the token after an earlier copy?";
    case scene::ModelScore::entropy:
      return which + " to few tokens?";
  }
  return which + "?";
}

float model_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  const scene::Atlas* atlas = atlas_in(in);
  const auto* own = in.own<scene::AtlasResults>();
  if (!atlas) {
    return no_results(pen, area, own ? own->problem : "", !in.results.tokens.empty() || in.busy >= 0,
                      {.failed = "Not all layers can be computed",
                       .computing = "The heads are being computed",
                       .appears = "they appear here when they are done",
                       .sentence = "then compare the heads of all layers"});
  }
  const Selection selection = select(in);
  const Sheet sheet{pen, in, selection};
  const ModelView view = view_of(sheet, *atlas, *own);
  constexpr float above = 8;  // as on the other pages whose picture has the question
  Box rest = area.inset(card_gap);
  rest.h += rest.y - area.y - above, rest.y = area.y + above;
  if (area.w >= wide_from) {
    const float hero = std::round(rest.w * hero_share);
    const bool predicts = own->predictions.none.empty();
    const float next = predicts ? next_height(own->predictions, rest.w, canvas.plain()) : without_next(pen),
                check = check_height(own->check.get(), rest.w);
    const float under = next + (check > 0 ? check + card_gap : 0);
    Box row = rest;
    row.h = atlas_height(
        view, hero,
        first_row(rest.h, std::max(rest.h - under - card_gap, least_hero), check > 0 ? check : next));
    Box below{rest.x, row.bottom() + card_gap, rest.w, next};
    if (check > 0) {
      check_card(view, *own->check, {below.x, below.y, below.w, check});
      below.y += check + card_gap;
    }
    atlas_card(view, row.cut_left(hero));
    row.cut_left(card_gap);
    // On a slide the card is alone, and as wide as the slide.
    if (on_slide(pen)) row = {rest.x, below.y, rest.w, row.h}, below.y += row.h + card_gap;
    head_card(view, row);
    if (predicts) {
      next_card(view, own->predictions, below);
    } else {
      say_no_next(pen, below, own->predictions.none);
    }
    return std::max(area.h, below.bottom() + card_gap - area.y);
  }
  rest.h = 1e6f;
  const float hero = hero_height(pen, area.h - 2 * card_gap, std::clamp(rest.w * 0.9f, 300.f, 560.f), 240);
  atlas_card(view, rest.cut_top(atlas_height(view, rest.w, hero)));
  rest.cut_top(card_gap);
  head_card(view, rest.cut_top(std::clamp(rest.w * 0.9f + 150, 380.f, 640.f)));
  rest.cut_top(card_gap);
  if (const float check = check_height(own->check.get(), rest.w); check > 0) {
    check_card(view, *own->check, rest.cut_top(check));
    rest.cut_top(card_gap);
  }
  if (own->predictions.none.empty()) {
    next_card(view, own->predictions, rest.cut_top(next_height(own->predictions, rest.w, canvas.plain())));
  } else {
    say_no_next(pen, rest.cut_top(without_next(pen)), own->predictions.none);
  }
  return std::max(area.h, rest.y + card_gap - area.y);
}

std::string model_tooltip(const PageInput& in, const draw::Hit& hit) {
  const draw::Mark& mark = hit.mark;
  if (!mark.note.empty()) return mark.note;
  const scene::Atlas* atlas = atlas_in(in);
  if (!atlas) return {};
  const Selection selection = select(in);
  if (mark.part == Part::cell && mark.query >= 0 && mark.key >= 0 && mark.query < in.results.attention.T &&
      mark.key < in.results.attention.S && mark.head >= 0 && mark.head < in.results.attention.heads) {
    const std::string pair = quoted_token(in, mark.query) + " → " + quoted_key(in, mark.key);
    if (!may_read(in.results.attention, mark.query, mark.key)) return pair + ": masked";
    return pair + "  " +
           in.text(quantity("weight", {{"head", mark.head + 1}, {"query", mark.query}, {"key", mark.key}}));
  }
  return token_tooltip(in, mark);
}

namespace {

/// Of the head that comes first: ", not above uniform attention"; empty where it is.
std::string beside_uniform(const scene::Atlas& atlas, scene::ModelScore score) {
  if (atlas.beyond_uniform(atlas.by(score).front(), score)) return {};
  return score == scene::ModelScore::entropy ? ", not below uniform attention"
                                             : ", not above uniform attention";
}

}  // namespace

bool first_alone(const scene::Atlas& atlas, scene::ModelScore score) {
  if (!atlas.one_first(score)) return false;
  const auto shown = [&](std::size_t rank) {
    const double value = atlas.of(atlas.by(score)[rank]).score(score);
    return score == scene::ModelScore::entropy ? fixed(value, 2) : mean_weight_text(value);
  };
  return shown(0) != shown(1);
}

std::string model_words(const PageInput& in) {
  const auto* own = in.own<scene::AtlasResults>();
  if (own && !own->problem.empty()) return own->problem;
  if (!atlas_in(in)) return {};
  std::string words = in.text("model_heads") + (in.value("model_heads") > 1 ? " heads" : " head");
  const bool alone = first_alone(*atlas_in(in), in.scene.model.score) || in.value("model_heads") <= 1;
  if (!std::isnan(in.value("model_best")))
    words += std::string("   ") +
             (in.scene.model.score == scene::ModelScore::entropy ? "lowest" : "highest") + ": " +
             (alone ? "layer " + in.text("model_best_layer") + ", head " + in.text("model_best_head")
                    : std::string("several")) +
             ", " + score_words(in.scene.model.score) + " " +
             (in.scene.model.score == scene::ModelScore::entropy ? in.text("model_best", base::decimals(2))
                                                                 : in.text("model_best", mean_weight_text)) +
             beside_uniform(*atlas_in(in), in.scene.model.score);
  else
    words += std::string("   ") + score_words(in.scene.model.score) + ": nothing to measure, " +
             no_score_words(*atlas_in(in), in.scene.model.score);
  return words;
}

namespace {

/// Of the head on show: its score beside that of uniform attention, and its factor in the predictions.
std::string finding_of_head(const PageInput& in, const scene::Atlas& atlas) {
  scene::HeadPlace at = shown_head(in.results.scene, in.results, atlas);
  at.head = scene::first_head(in.scene, in.results.attention.heads);
  if (!atlas.has(at)) return {};
  const std::string layer = std::to_string(at.layer + 1), head = std::to_string(at.head + 1);
  const scene::ModelScore score = in.scene.model.score;
  const bool entropy = score == scene::ModelScore::entropy;
  const double factor = scene::head_factor(in.scene.model.off, at.layer + 1, at.head + 1);
  std::string words = atlas.layers() > 1 ? "Layer " + layer + ", head " + head : "Head " + head;
  if (factor == 0) words += ", switched off in the predictions";
  if (factor != 0 && factor != 1) words += ", output × " + brief(factor, 3) + " in the predictions";
  if (std::isnan(atlas.of(at).score(score)))
    return words + ": no " + score_words(score) + " to measure, " + no_score_words(atlas, score);
  return words + ": " + score_words(score) + " " + score_text(in, at, score) + (entropy ? " bits" : "") +
         " on average; uniform attention has " + uniform_text(in, at.layer, score) + (entropy ? " bits" : "");
}

/// The most probable token, and how probable it is.
std::string next_finding(const PageInput& in) {
  const auto* own = in.own<scene::AtlasResults>();
  if (!own || !own->predictions.none.empty() || own->predictions.top.empty()) return {};
  const scene::Predictions& p = own->predictions;
  const bool shared = p.top.size() > 1 && p.top[0].probability == p.top[1].probability;
  return std::string(p.causal ? "After " : "In place of ") + token_in_words(in, p.position) +
         (shared ? " no token is more probable than " : " the most probable token is ") +
         in_quotes(p.top.front().text) + ", with probability " + in.text("model_next_probability rank=1");
}

}  // namespace

std::string model_finding(const PageInput& in, std::string_view card) {
  if (card == "next") return next_finding(in);
  if (card == "head" && atlas_in(in)) return finding_of_head(in, *atlas_in(in));
  if (!atlas_in(in) || std::isnan(in.value("model_best"))) return {};
  const bool entropy = in.scene.model.score == scene::ModelScore::entropy;
  const scene::Atlas& atlas = *atlas_in(in);
  if (atlas.all_heads() > 1 && !first_alone(atlas, in.scene.model.score))
    return "No head comes first: several have the " + std::string(entropy ? "lowest " : "highest ") +
           score_words(in.scene.model.score) + ", " +
           (entropy ? in.text("model_best", base::decimals(2)) + " bits"
                    : in.text("model_best", mean_weight_text)) +
           " on average";
  const std::string head = "ead " + in.text("model_best_head");
  return (atlas.layers() > 1 ? "Layer " + in.text("model_best_layer") + ", h" : "H") + head + " has the " +
         (entropy ? "lowest " : "highest ") + score_words(in.scene.model.score) + ": " +
         (entropy ? in.text("model_best", base::decimals(2)) + " bits"
                  : in.text("model_best", mean_weight_text)) +
         " on average; uniform attention has " +
         uniform_text(in, static_cast<int>(in.value("model_best_layer")) - 1, in.scene.model.score) +
         (entropy ? " bits" : "") +
         (atlas.beyond_uniform(in.scene.model.score) ? ""
          : entropy                                  ? "; no head has less than that"
                                                     : "; no head has more than that");
}

}  // namespace headlight::views
