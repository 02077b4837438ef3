#include "pages/training/view/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kit/curve.h"
#include "kit/page_input.h"
#include "pages/training/relations_words.h"
#include "pages/training/training.h"
#include "scene/setting.h"

namespace headlight::views {

using scene::RunSnapshot;
using scene::TrainingSnapshot;

namespace {

const TrainingSnapshot& snapshot_of(const PageInput& in) {
  static const TrainingSnapshot nothing;
  // The run of another task is on its way out: nothing of it belongs here.
  const bool ours = in.training && in.training->settings.task == in.scene.training.task;
  return ours ? *in.training : nothing;
}

}  // namespace

TrainingView::TrainingView(draw::Canvas& canvas, const PageInput& input)
    : pen{canvas, input.theme, input.hover},
      in(input),
      snapshot(snapshot_of(input)),
      settings(input.scene.training) {
  newest = settings.shown_step < 0;
  if (!has_runs()) return;
  run = std::clamp(settings.run - 1, 0, static_cast<int>(snapshot.runs.size()) - 1);
  const HeadPlace place = place_in(*this, shown());
  layer = place.layer, head = place.head;
  frame = frame_in(*this, shown());
  newest = newest || frame + 1 == static_cast<int>(shown().film.size());
  if (!in.hover) return;
  const draw::Hit& hit = *in.hover;
  if (starts_with(hit.mark.name, curve_mark) && hit.mark.area.w > 0) {
    const float along = std::clamp((hit.at.x - hit.mark.area.x) / hit.mark.area.w, 0.f, 1.f);
    lit_step = static_cast<int>(std::lround(hit.mark.from + along * (hit.mark.to - hit.mark.from)));
  }
  if (starts_with(hit.mark.name, map_mark) && hit.map.w > 0)
    lit_query = static_cast<int>(hit.cell.y), lit_key = static_cast<int>(hit.cell.x);
}

TrainingView::TrainingView(const TrainingView& page, const scene::TrainingSettings& other)
    : pen(page.pen), in(page.in), snapshot(page.snapshot), settings(other), run(page.run) {
  const HeadPlace place = place_in(*this, shown());
  layer = place.layer, head = place.head;
  frame = frame_in(*this, shown());
  newest = frame + 1 == static_cast<int>(shown().film.size());
}

bool film_pointed_at(const TrainingView& view, scene::TrainingSettings& out) {
  if (!view.in.hover || !view.has_runs() || view.pen.canvas.plain()) return false;
  FilmPicture at;
  if (!film_picture(view.shown(), view.in.hover->mark, at)) return false;
  out.layer = at.place.layer + 1, out.head = at.place.head + 1;
  out.shown_step = view.shown().film[static_cast<std::size_t>(at.frame)].step;
  return true;
}

int film_item(const RunSnapshot& run, FilmPicture picture) {
  return (picture.frame * layers_of(run) + picture.place.layer) * heads_of(run) + picture.place.head;
}

bool film_picture(const RunSnapshot& run, const draw::Mark& mark, FilmPicture& out) {
  if (mark.item < 0 || mark.part != draw::Part::control || !starts_with(mark.name, film_mark)) return false;
  const int heads = heads_of(run), layers = layers_of(run);
  out = {{mark.item / heads % layers, mark.item % heads}, mark.item / heads / layers};
  return out.frame < static_cast<int>(run.film.size());
}

int TrainingView::step() const {
  if (lit_step >= 0) return lit_step;
  if (newest || frame < 0) return snapshot.step;
  return shown().film[static_cast<std::size_t>(frame)].step;
}

int TrainingView::last_step() const {
  int last = std::max({1, snapshot.steps, snapshot.step});
  for (const RunSnapshot& r : snapshot.runs) {
    for (const auto* curve : {&r.loss, &r.validation, &r.score}) {
      if (!curve->empty()) last = std::max(last, curve->back().step);
    }
    if (!r.film.empty()) last = std::max(last, r.film.back().step);
  }
  return last;
}

HeadPlace place_in(const TrainingView& view, const RunSnapshot& run) {
  return {std::clamp(view.settings.layer - 1, 0, layers_of(run) - 1),
          std::clamp(view.settings.head - 1, 0, heads_of(run) - 1)};
}

int frame_in(const TrainingView& view, const RunSnapshot& run) {
  return scene::shown_frame(run.film, view.settings.shown_step);
}

const float* map_of(const RunSnapshot& run, int frame, HeadPlace place) {
  if (frame < 0 || frame >= static_cast<int>(run.film.size())) return nullptr;
  const nn::Matrix& maps = *run.film[static_cast<std::size_t>(frame)].maps;
  const int plane = place.layer * heads_of(run) + place.head;
  if (plane >= maps.depth() || maps.rows() == 0 || maps.rows() != maps.cols()) return nullptr;
  return maps.plane(plane);
}

std::uint64_t map_version(const float* values, int tokens) {
  const std::size_t count = static_cast<std::size_t>(tokens) * static_cast<std::size_t>(tokens);
  const std::size_t step = std::max<std::size_t>(1, count / 128);
  std::uint64_t hash = 1469598103934665603ull ^ count;
  for (std::size_t i = 0; i < count; i += step) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, values + i, sizeof bits);
    hash = (hash ^ bits) * 1099511628211ull;
  }
  return hash | 1;
}

int map_tokens(const RunSnapshot& run, int frame) {
  if (frame < 0 || frame >= static_cast<int>(run.film.size())) return 0;
  return run.film[static_cast<std::size_t>(frame)].maps->rows();
}

std::vector<base::Interval> readable_keys(const RunSnapshot& run, int tokens) {
  std::vector<base::Interval> out;
  if (!run.config.causal) return out;
  for (int t = 0; t < tokens; ++t) out.push_back({0, t + 1});
  return out;
}

std::string head_words(const RunSnapshot& run, HeadPlace place) {
  const std::string head = "head " + std::to_string(place.head + 1);
  return layers_of(run) > 1 ? "layer " + std::to_string(place.layer + 1) + ", " + head : head;
}

std::string role_words(const TrainingView& view, const RunSnapshot& run, HeadPlace place) {
  for (const scene::HeadLabel& label : run.labels) {
    if (label.layer != place.layer || label.head != place.head) continue;
    const std::string score = fixed(label.score, 2),
                      role = label.role.empty() ? "" : label.role + ": " + score;
    if (view.in.stated && !role.empty())
      view.in.noted(quantity("label_score", {{"run", static_cast<int>(&run - view.snapshot.runs.data()) + 1},
                                             {"layer", place.layer + 1},
                                             {"head", place.head + 1}}),
                    label.score, score);
    if (!label.guided) return role;
    return role.empty() ? "guided during training" : "guided, " + role;
  }
  return {};
}

std::string example_token(const TrainingSnapshot& snapshot, const RunSnapshot& run, int t) {
  const std::vector<std::string>& example = scene::example_of(snapshot, run);
  if (t < 0 || t >= static_cast<int>(example.size())) return std::to_string(t);
  const std::string& text = example[static_cast<std::size_t>(t)];
  // The tokens of two relations are numbers with their role, not text.
  return snapshot.settings.task == scene::TrainingTask::two_relations ? text : shown_token(text);
}

Prediction prediction_at(const TrainingSnapshot& snapshot, const RunSnapshot& run, int t) {
  Prediction out;
  const auto at = static_cast<std::size_t>(t);
  const std::string wanted = at < snapshot.wanted.size() ? snapshot.wanted[at] : std::string();
  if (!wanted.empty()) out.wanted = shown_token(wanted);
  if (at >= run.predicted.size() || run.predicted[at] < 0) return out;
  const auto id = static_cast<std::size_t>(run.predicted[at]);
  if (id >= snapshot.vocabulary.size()) {
    out.predicted = "#" + std::to_string(id);
    return out;
  }
  out.predicted = shown_token(snapshot.vocabulary[id]);
  out.judged = !wanted.empty(), out.right = wanted == snapshot.vocabulary[id];
  return out;
}

std::string right_words(const TrainingSnapshot& snapshot, const RunSnapshot& run) {
  int judged = 0, right = 0;
  for (int t = 0; t < static_cast<int>(run.predicted.size()); ++t) {
    const Prediction p = prediction_at(snapshot, run, t);
    judged += p.judged ? 1 : 0, right += p.right ? 1 : 0;
  }
  return judged > 0 ? std::to_string(right) + " of " + std::to_string(judged) + " right" : std::string();
}

draw::Color run_color(const draw::Theme& theme, int run) {
  static constexpr std::array<int, 6> order = {2, 1, 4, 5, 6, 7};  // red and the accent mean something else
  return draw::series(theme, order[static_cast<std::size_t>(run) % order.size()]);
}

float run_dash(int run) {
  return series_dash(run);
}

CurveStyle run_curve(const draw::Theme& theme, int run) {
  CurveStyle style = series_style(run_color(theme, run), run, 3.5f);
  style.width = 2.2f;
  return style;
}

void run_marker(const Pen& pen, Point c, int run, float size) {
  series_mark(pen, c, run_color(pen.theme, run), run, size);
}

void run_swatch(const Pen& pen, Point at, int run) {
  pen.canvas.line(at, {at.x + 26, at.y}, {run_color(pen.theme, run), 2, run_dash(run)});
  run_marker(pen, {at.x + 13, at.y}, run);
}

const scene::CurvePoint* nearest_point(const std::vector<scene::CurvePoint>& curve, int step) {
  if (curve.empty()) return nullptr;
  auto after = std::lower_bound(curve.begin(), curve.end(), step,
                                [](const scene::CurvePoint& p, int s) { return p.step < s; });
  if (after == curve.end()) return &curve.back();
  if (after != curve.begin() && step - std::prev(after)->step < after->step - step) --after;
  return &*after;
}

std::string loss_words(double loss) {
  return base::loss_words(loss);
}

void percent_name(const TrainingView& view, Box plot) {
  const Pen& pen = view.pen;
  const draw::TextStyle style = words_style(pen.theme.dim, small_size);
  const std::string words = std::string(view.snapshot.score_name) + ", %";
  const float high = text_line(pen, 14);
  pen.canvas.rect(
      {plot.x, plot.y - high - 3, std::min(plot.w, pen.canvas.text_width(words, style) + 6), high},
      pen.theme.panel, 0);
  put(pen, {plot.x, plot.y - 3 - high / 2}, words, style, plot.w);
}

std::string percent_words(double share) {
  return fixed(share * 100, 1) + " %";
}

std::string left_words(double seconds) {
  if (!(seconds > 0) || !std::isfinite(seconds)) return {};
  if (seconds < 9.95) return fixed(seconds, 1) + " s left";
  if (seconds < 99.5) return fixed(seconds, 0) + " s left";
  const auto minutes = static_cast<long long>(seconds / 60 + 0.5);
  if (minutes < 90) return std::to_string(minutes) + " min left";
  return with_commas(minutes / 60) + " h " + std::to_string(minutes % 60) + " min left";
}

namespace {

std::string value_words(double value) {
  return value == std::round(value) ? with_commas(std::llround(value)) : brief(value, 2);
}
std::string value_words(const scene::Word& value) {
  std::string words = value.text();
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}
std::string value_words(const std::string& value) {
  return value;
}

/// Every setting that trains another run: its label, and both values in words.
std::vector<std::string> differences(const scene::TrainingSettings& run,
                                     const scene::TrainingSettings& chosen) {
  std::vector<std::string> out;
  if (chosen.task == scene::TrainingTask::text && run.file != chosen.file)
    out.push_back("text " + file_name(run.file) + " → " + file_name(chosen.file));
  const auto words = [](const scene::Setting& one, const scene::TrainingSettings& of) {
    return one.visit(of, [](const auto& value) {
      if constexpr (requires { value_words(value); }) return value_words(value);
      return std::string();
    });
  };
  for (const scene::Setting& one : scene::training_settings()) {
    if (one.field.group != scene::Group::own || one.same(run, chosen)) continue;
    if (scene::training_applies(chosen, one.field.name))
      out.push_back(std::string(one.field.label) + ' ' + words(one, run) + " → " + words(one, chosen));
  }
  return out;
}

}  // namespace

bool trains_differently(const scene::TrainingSettings& a, const scene::TrainingSettings& b) {
  return !differences(a, b).empty();
}

std::string difference_words(const scene::TrainingSettings& run, const scene::TrainingSettings& chosen) {
  const auto all = differences(run, chosen);
  if (all.empty()) return {};
  return all.front() + (all.size() > 1 ? " and " + std::to_string(all.size() - 1) + " more" : "");
}

std::string settings_words(const scene::TrainingSettings& s) {
  std::string out;
  if (s.task == scene::TrainingTask::two_relations)
    return with_commas(s.steps) + " steps of " + std::to_string(s.batch) + " sequences per seed, " +
           scene::repairs_words(s);
  out = std::to_string(s.layers) + (s.layers == 1 ? " layer of " : " layers of ") + std::to_string(s.heads) +
        (s.heads == 1 ? " head" : " heads") + ", width " + std::to_string(s.d_model) + ", ";
  out += s.positions == scene::TrainingPositions::none ? "no positions"
         : s.positions == scene::TrainingPositions::rope
             ? std::string(scene::rope_words(s.rope_pairs))
             : std::string(scene::word(s.positions)) + " positions";
  if (s.feed_forward && s.activation == nn::Activation::relu) out += ", ReLU";
  if (s.feed_forward && s.activation == nn::Activation::gelu_erf) out += ", GELU by erf";
  if (!s.residual) out += ", no residuals";
  if (s.norm != nn::NormPlace::pre) out += s.norm == nn::NormPlace::post ? ", post-norm" : ", no layer norm";
  if (!s.feed_forward) out += ", no feed-forward";
  if (s.dropout > 0) out += ", dropout " + brief(s.dropout, 2);
  if (s.end_token && s.task == scene::TrainingTask::reverse) out += ", end token";
  out += "; " + with_commas(s.steps) + " steps of " + std::to_string(s.batch) + " sequences";
  const bool guided = s.guide > 0 && s.task == scene::TrainingTask::pronouns;
  if (guided) out += "; head 1 of layer " + std::to_string(s.layers) + " is guided";
  if (s.compare == scene::TrainingCompare::no_guide && guided) out += "; also without a guide";
  if (s.compare == scene::TrainingCompare::one_head) out += "; also with one head";
  if (s.compare == scene::TrainingCompare::no_positions) out += "; also without positions";
  if (s.compare == scene::TrainingCompare::no_residuals && s.residual) out += "; also without residuals";
  if (s.compare == scene::TrainingCompare::no_norms && s.norm != nn::NormPlace::none)
    out += "; also without layer norms";
  if (s.compare == scene::TrainingCompare::no_feed_forward && s.feed_forward)
    out += "; also without feed-forward layers";
  if (s.compare == scene::TrainingCompare::no_dropout && s.dropout > 0) out += "; also without dropout";
  if (s.compare == scene::TrainingCompare::other && !s.compare_set.empty()) {
    std::string set = s.compare_set;
    std::replace(set.begin(), set.end(), '=', ' ');
    if (starts_with(set, "training_")) set.erase(0, std::string_view("training_").size());
    out += "; also with " + set;
  }
  if (s.compare == scene::TrainingCompare::every_position)
    out += "; also with all other positions, every output head and embedding initialized as with sinusoids";
  return out;
}

const char* task_words(scene::TrainingTask task) {
  static constexpr std::array<const char*, 6> words = {"two relations", "reverse",  "copy / induction",
                                                       "small English", "pronouns", "your text"};
  return words[static_cast<std::size_t>(task)];
}

std::string file_name(const std::string& path) {
  // Of a folder there may be a slash behind the name.
  const std::size_t end = path.find_last_not_of("/\\");
  if (end == std::string::npos) return path;
  const std::size_t slash = path.find_last_of("/\\", end);
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(begin, end + 1 - begin);
}

void control_mark(const Pen& pen, const std::string& name, const std::string& set, const std::string& note,
                  draw::Box area, int item) {
  draw::Mark mark;
  mark.item = item;
  mark.part = draw::Part::control, mark.name = name, mark.set = set, mark.note = note, mark.area = area;
  pen.canvas.mark(mark);
}

}  // namespace headlight::views
