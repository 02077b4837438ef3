#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/numbers.h"
#include "learn/training_run.h"
#include "pages/training/curve.h"
#include "pages/training/training.h"
#include "scene/field_values.h"
#include "scene/setting.h"
#include "train/two_relations.h"

namespace headlight::scene {

namespace {

using std::size_t;

constexpr int seeds = 8;
constexpr int ladder_seeds = 4;
constexpr int kept = 24;            // steps of the film
constexpr int printed_steps = 400;  // after this many steps the source prints its losses
constexpr int tokens = 4;

struct Kind {
  std::string name;
  int heads = 2;
  nn::TwoRelationsRepairs repairs;
  int seeds = ladder_seeds;
};

/// The names of the repairs: "none", "places+contents", "all".
std::string repairs_name(const nn::TwoRelationsRepairs& r) {
  if (r == nn::all_repairs) return "all";
  std::string name;
  for (const auto& [on, word] :
       {std::pair{r.places, "places"}, {r.bias, "bias"}, {r.contents, "contents"}, {r.width, "width"}}) {
    if (on) name += (name.empty() ? "" : "+") + std::string(word);
  }
  return name.empty() ? "none" : name;
}

/// The repairs whose losses are listed: each alone, and the pairs that distinguish the two causes.
constexpr std::array<nn::TwoRelationsRepairs, 9> ladder = {{{},
                                                            {.places = true},
                                                            {.bias = true},
                                                            {.contents = true},
                                                            {.width = true},
                                                            {.places = true, .bias = true},
                                                            {.bias = true, .contents = true},
                                                            {.places = true, .contents = true},
                                                            nn::all_repairs}};

nn::TwoRelationsRepairs chosen_repairs(const TrainingSettings& s) {
  return {s.repair_places, s.repair_bias, s.repair_contents, s.repair_width};
}

/// The shown kinds: the source's toy model and, if repairs are chosen, the toy model with them; each with one
/// head and with two. After them come the kinds that the list of repairs needs.
size_t shown_kinds(const nn::TwoRelationsRepairs& chosen) {
  return chosen == nn::TwoRelationsRepairs{} ? 2 : 4;
}

std::vector<Kind> kinds_of(const nn::TwoRelationsRepairs& chosen) {
  std::vector<Kind> kinds = {{"1 head", 1, {}, seeds}, {"2 heads", 2, {}, seeds}};
  if (shown_kinds(chosen) > kinds.size()) {
    const std::string repaired =
        chosen == nn::all_repairs ? ", repaired" : ", repaired " + repairs_name(chosen);
    kinds.push_back({"1 head" + repaired, 1, chosen, seeds});
    kinds.push_back({"2 heads" + repaired, 2, chosen, seeds});
  }
  for (const nn::TwoRelationsRepairs& repairs : ladder) {
    if (repairs != chosen && repairs != nn::TwoRelationsRepairs{})
      kinds.push_back({repairs_name(repairs), 2, repairs, ladder_seeds});
  }
  return kinds;
}

constexpr const char* what_it_proves =
    "The source prints the losses of a single last batch, 0.3505 and 0.3196; both change with the seed. With "
    "the default settings, two heads stay near 0.31 even after 4,000 steps, for two reasons. First, "
    "positions "
    "2 and 3 share a code; with a code for each position, the position term goes to 0. Second, a dot product "
    "cannot single out (1, 0) among random contents, because a longer vector can have a larger score. Four "
    "fixed contents alone leave the content term near 0.084; with position codes or the bias as well, it "
    "goes "
    "to 0. Position codes and contents together are enough after a few hundred steps; the width hardly "
    "helps. "
    "One head cannot do both: with all repairs it stays near 0.21.";

/// Mean and range over the seeds.
CurvePoint over_seeds(int step, const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {step, static_cast<float>(sum / static_cast<double>(values.size())), static_cast<float>(*low),
          static_cast<float>(*high)};
}

/// Weights and moments, one after the other, in the order of a file.
template <class Run, class F>
void parts(Run& run, F&& part) {
  for (auto* w : {&run.weights, &run.m, &run.v}) {
    for (auto* tensor : {&w->w_q, &w->w_k, &w->b_q}) part(*tensor);
  }
}

void pack(const nn::TwoRelationsRun& run, std::vector<float>& out) {
  const std::array<size_t, 3> sizes = {run.weights.w_q.size(), run.weights.w_k.size(),
                                       run.weights.b_q.size()};
  size_t n = 0;
  parts(run, [&](const nn::Matrix& tensor) {  // empty moments are 0
    out.insert(out.end(), tensor.values().begin(), tensor.values().end());
    out.resize(out.size() + sizes[n++ % sizes.size()] - tensor.size());
  });
}

/// The inverse, into a run of the same setup at step 0; returns the remaining values.
std::span<const float> unpack(std::span<const float> values, nn::TwoRelationsRun& run) {
  run.m = run.v = run.weights;  // for their shapes
  parts(run, [&](nn::Matrix& tensor) {
    std::copy_n(values.begin(), tensor.size(), tensor.values().begin());
    values = values.subspan(tensor.size());
  });
  return values;
}

/// One kind of model, trained from several seeds in parallel.
struct Family {
  Kind kind;
  std::vector<nn::TwoRelationsRun> runs;
  std::vector<CurvePoint> loss;                          // of every step
  std::vector<CurvePoint> validation;                    // of the kept steps
  std::vector<FilmFrame> film;                           // of the first seed
  std::vector<std::vector<nn::TwoRelationsRun>> states;  // of the kept steps
  nn::TwoRelationsTerms terms;                           // of the newest kept step, mean over the seeds
  double last_loss = 0;                                  // mean over the seeds, after printed_steps
};

class RelationsRun final : public TrainingRun {
 public:
  explicit RelationsRun(const TrainingSettings& settings)
      : settings_(settings), shown_(shown_kinds(chosen_repairs(settings))) {
    stride_ = std::max(1, (settings_.steps + kept - 1) / kept);
    for (const Kind& kind : kinds_of(chosen_repairs(settings))) {
      Family& family = families_.emplace_back();
      family.kind = kind;
      for (int s = 0; s < kind.seeds; ++s) {
        nn::TwoRelationsSetup setup;
        setup.heads = kind.heads, setup.repairs = kind.repairs;
        setup.batch = settings_.batch, setup.rate = settings_.rate;
        setup.seed = static_cast<std::uint64_t>(settings_.seed + s);
        family.runs.push_back(nn::two_relations_run(setup));
      }
      keep(family);
    }
  }

  int step() const override { return step_; }
  int steps() const override { return settings_.steps; }
  double tokens_in_a_step() const override {
    double models = 0;
    for (const Family& family : families_) models += family.kind.seeds;
    return tokens * settings_.batch * models;
  }

  bool advance(base::Parallel& parallel) override {
    if (step_ >= settings_.steps || !stopped_.empty()) return false;
    const int next = step_ + 1;
    std::vector<nn::TwoRelationsRun*> all;
    for (Family& family : families_) {
      for (nn::TwoRelationsRun& run : family.runs) all.push_back(&run);
    }
    parallel.run(static_cast<int>(all.size()),
                 [&](int task) { nn::two_relations_step(*all[static_cast<size_t>(task)]); });
    if (const std::string where = not_finite(); !where.empty()) {
      rewind(step_, parallel);  // to the newest kept step: the weights after it are not kept
      stopped_ = "the loss of \"" + where + "\" is not a number in step " + number_text(next) +
                 "; the weights of step " + number_text(step_) + " are kept; try a smaller learning rate";
      return false;
    }
    step_ = next;
    for (Family& family : families_) {
      std::vector<double> losses;
      for (const nn::TwoRelationsRun& run : family.runs) losses.push_back(run.last_loss);
      family.loss.push_back(over_seeds(step_, losses));
      if (step_ == printed_steps) family.last_loss = static_cast<double>(family.loss.back().value);
      if (step_ % stride_ == 0 || step_ == settings_.steps) keep(family);
    }
    return true;
  }

  void rewind(int step, base::Parallel&) override {
    stopped_.clear();
    for (Family& family : families_) {
      while (family.film.size() > 1 && family.film.back().step > step) {
        family.film.pop_back(), family.states.pop_back(), family.validation.pop_back();
      }
      step_ = family.film.back().step;
      family.runs = family.states.back();
      measure(family);
      family.loss.resize(std::min(family.loss.size(), static_cast<size_t>(step_)));
      if (step_ < printed_steps) family.last_loss = 0;
    }
  }

  void look(const TrainingLook& look, base::Parallel&) override {
    if (look.example == look_.example) return;
    look_ = look;
    for (Family& family : families_) {
      for (size_t i = 0; i < family.film.size(); ++i)
        family.film[i].maps = maps(family.states[i].front()), family.film[i].moved = -1;
      measure_film(family.film);
    }
  }

  void fill(TrainingSnapshot& snapshot) const override {
    snapshot.runs.clear();
    snapshot.verdicts.clear();
    for (size_t f = 0; f < shown_; ++f) {
      const Family& family = families_[f];
      RunSnapshot run;
      run.name = family.kind.name;
      run.config.d_model = family.runs.front().weights.w_q.cols();
      run.config.heads = family.kind.heads, run.config.layers = 1, run.config.causal = false;
      run.config.positions = nn::ModelPositions::learned;
      run.config.context = tokens;
      run.loss = thinned_bands(family.loss);
      run.validation = family.validation;
      run.film = family.film;
      for (int h = 0; h < family.kind.heads; ++h) run.labels.push_back(label(family, h));
      run.step = step_, run.rate = settings_.rate;
      run.stopped = stopped_;
      run.example = example_words(family.runs.front());
      snapshot.runs.push_back(std::move(run));
    }
    snapshot.step = step_, snapshot.steps = settings_.steps;
    snapshot.note = what_it_proves;
    snapshot.score_name.clear(), snapshot.baselines.clear();
    add_verdicts(snapshot);
    add_repairs(snapshot);
    snapshot.example = snapshot.runs.front().example;
    snapshot.wanted.assign(tokens, "");
  }

  base::Result<std::string> file(int, bool to_continue, const FirstLook&, StoredWeights, int) const override {
    if (!to_continue)
      return base::Error{
          "two_relations trains attention maps only, so there is no model to save; train another task"};
    nlohmann::ordered_json state = {{"format", 1}};
    for (const Setting& one : training_settings()) state["settings"][one.field.name] = one.text(settings_);
    std::vector<float> steps;
    for (const FilmFrame& frame : families_.front().film) steps.push_back(static_cast<float>(frame.step));
    steps.push_back(static_cast<float>(step_));
    std::vector<io::TensorView<float>> tensors = {{"steps", {steps.size()}, steps, {}}};
    std::vector<std::array<std::vector<float>, 3>> packed(families_.size());  // they outlive the views
    for (size_t f = 0; f < families_.size(); ++f) {
      const Family& family = families_[f];
      for (const auto& states : family.states) {
        for (const nn::TwoRelationsRun& run : states) pack(run, packed[f][0]);
      }
      for (const nn::TwoRelationsRun& run : family.runs) pack(run, packed[f][0]);
      for (const CurvePoint& p : family.loss)
        packed[f][1].insert(packed[f][1].end(), {p.value, p.low, p.high});
      for (const CurvePoint& p : family.validation)
        packed[f][2].insert(packed[f][2].end(), {p.value, p.low, p.high});
      for (size_t part = 0; part < packed[f].size(); ++part) {
        if (!packed[f][part].empty())
          tensors.push_back({tensor_name(f, part), {packed[f][part].size()}, packed[f][part], {}});
      }
    }
    return io::write_safetensors(tensors, {{training_entry, state.dump()}});
  }

  /// Restores the state that file() wrote, into a run at step 0.
  base::Status restore(const io::TensorFile& file, const std::string& name) {
    const auto values = [&](const std::string& tensor) -> std::span<const float> {
      const auto found = file.tensors.find(tensor);
      if (found == file.tensors.end()) return {};
      return found->second.values;
    };
    const std::span<const float> steps = values("steps");
    const auto wrong = [&](const std::string& tensor) {
      return base::Error{name + ": the tensor \"" + tensor + "\" is missing or invalid"};
    };
    // The kept steps, ascending, followed by the newest, which may equal the last of them.
    if (steps.size() < 2 || steps.front() != 0) return wrong("steps");
    // file() writes the first step, one after each stride, and the last one. Each takes more memory than file
    // size.
    if (steps.size() > kept + 3) return wrong("steps");
    float before = -1;
    for (size_t i = 0; i < steps.size(); ++i) {
      const bool again = i + 1 == steps.size() && steps[i] == before;
      const bool later = steps[i] > before && steps[i] <= static_cast<float>(settings_.steps);
      if (!(again || later) || steps[i] != std::trunc(steps[i])) return wrong("steps");
      before = steps[i];
    }
    const size_t film = steps.size() - 1, losses = static_cast<size_t>(before);
    for (size_t f = 0; f < families_.size(); ++f) {
      if (f == shown_ && values(tensor_name(f, 0)).empty()) {
        families_.resize(shown_);  // written before the repairs were listed
        break;
      }
      Family& family = families_[f];
      std::vector<float> one;
      pack(family.runs.front(), one);
      std::span<const float> weights = values(tensor_name(f, 0));
      const std::span<const float> loss = values(tensor_name(f, 1)), held = values(tensor_name(f, 2));
      if (weights.size() != steps.size() * family.runs.size() * one.size()) return wrong(tensor_name(f, 0));
      if (loss.size() != 3 * losses) return wrong(tensor_name(f, 1));
      if (held.size() != 3 * film) return wrong(tensor_name(f, 2));
      const std::vector<nn::TwoRelationsRun> fresh = family.runs;
      family.film.clear(), family.states.clear(), family.validation.clear();
      const auto point = [](std::span<const float> from, size_t i, int step) {
        return CurvePoint{step, from[3 * i], from[3 * i + 1], from[3 * i + 2]};
      };
      for (size_t i = 0; i < losses; ++i) family.loss.push_back(point(loss, i, static_cast<int>(i) + 1));
      if (losses >= printed_steps)
        family.last_loss = static_cast<double>(family.loss[printed_steps - 1].value);
      for (size_t i = 0; i < steps.size(); ++i) {
        const int at = static_cast<int>(steps[i]);
        family.runs = fresh;
        for (nn::TwoRelationsRun& run : family.runs) {
          weights = unpack(weights, run);
          if (!fit(run)) {
            return base::Error{name + ": the tensor \"" + tensor_name(f, 0) +
                               "\" holds numbers that no run produces; start the run again"};
          }
          run.step = at;
        }
        if (i == film) break;
        family.states.push_back(family.runs);
        family.validation.push_back(point(held, i, at));
        family.film.push_back({at, maps(family.runs.front())});
        measure_film(family.film);
      }
      const std::vector<nn::TwoRelationsRun> newest = std::exchange(family.runs, family.states.back());
      measure(family);
      family.runs = newest;
    }
    step_ = static_cast<int>(losses);
    return {};
  }

 private:
  std::string tensor_name(size_t family, size_t part) const {
    constexpr std::array<const char*, 3> names = {"weights and moments", "losses", "held out"};
    return families_[family].kind.name + ", " + names[part];
  }

  /// True if weights and moments are finite, and no square is below 0: else the next step would be spoiled
  /// before anything is shown.
  static bool fit(const nn::TwoRelationsRun& run) {
    constexpr float largest = 1e6f;  // far beyond what 100,000 steps at the largest rate reach
    bool sound = true;
    parts(run, [&](const nn::Matrix& tensor) {
      for (const float x : tensor.values()) sound = sound && std::abs(x) <= largest;
    });
    for (const nn::Matrix* squares : {&run.v.w_q, &run.v.w_k, &run.v.b_q}) {
      for (const float x : squares->values()) sound = sound && x >= 0;
    }
    return sound;
  }

  /// The kind of model whose newest loss is not a number for some seed; empty: none.
  std::string not_finite() const {
    for (size_t f = 0; f < families_.size(); ++f) {
      for (const nn::TwoRelationsRun& run : families_[f].runs) {
        if (!std::isfinite(run.last_loss)) return families_[f].kind.name;
      }
    }
    return {};
  }

  nn::TwoRelationsBatch example(const nn::TwoRelationsRun& run) const {
    nn::TwoRelationsSetup setup = run.setup;
    setup.batch = 1;
    nn::TwoRelationsBatch batch;
    nn::two_relations_batch(setup, -1 - std::max(0, look_.example), batch);
    return batch;
  }

  /// The positions of the example with what is planted there. Runs with fixed contents have examples of their
  /// own, so their planted token may be another one.
  std::vector<std::string> example_words(const nn::TwoRelationsRun& run) const {
    const int planted = example(run).planted.front();
    std::vector<std::string> out;
    for (int t = 0; t < tokens; ++t) {
      const char* role = t == planted ? (t == 2 ? ": position, content" : ": content")
                         : t == 2     ? ": position"
                                      : "";
      out.push_back(number_text(t) + role);
    }
    return out;
  }

  std::shared_ptr<const nn::Matrix> maps(const nn::TwoRelationsRun& run) const {
    auto all = std::make_shared<nn::Matrix>();
    nn::TwoRelationsSetup setup = run.setup;
    setup.batch = 1;
    (void)nn::two_relations_loss(setup, run.weights, example(run), *all, nullptr);
    return all;
  }

  /// Measures the two terms of the family's runs in their current state; returns their sums.
  static std::vector<double> measure(Family& family) {
    std::vector<double> losses;
    family.terms = {};
    const auto share = 1 / static_cast<double>(family.runs.size());
    for (const nn::TwoRelationsRun& run : family.runs) {
      const nn::TwoRelationsTerms terms = nn::two_relations_terms(run);
      family.terms.place += share * terms.place, family.terms.content += share * terms.content;
      losses.push_back(terms.loss());
    }
    return losses;
  }

  void keep(Family& family) {
    const std::vector<double> losses = measure(family);
    family.validation.push_back(over_seeds(step_, losses));
    family.states.push_back(family.runs);
    family.film.push_back({step_, maps(family.runs.front())});
    measure_film(family.film);
  }

  /// The relation on which the head has more weight, place or planted content, with its mean weight over the
  /// queries of batch −1; no name if the weight is hardly above uniform attention.
  HeadLabel label(const Family& family, int head) const {
    const nn::TwoRelationsRun& run = family.runs.front();
    nn::TwoRelationsBatch batch;
    nn::two_relations_batch(run.setup, -1, batch);
    nn::Matrix maps;
    (void)nn::two_relations_loss(run.setup, run.weights, batch, maps, nullptr);
    const int H = run.setup.heads;
    double place = 0, content = 0;
    for (int b = 0; b < batch.B; ++b) {
      for (int t = 0; t < tokens; ++t) {
        const std::span<const float> row = maps.row(b * H + head, t);
        place += static_cast<double>(row[2]);
        content += static_cast<double>(row[static_cast<size_t>(batch.planted[static_cast<size_t>(b)])]);
      }
    }
    place /= batch.B * tokens, content /= batch.B * tokens;
    constexpr double stands_out = 1.2 / tokens;  // uniform attention has 1 / tokens
    if (std::max(place, content) < stands_out) return HeadLabel{0, head, "", std::max(place, content)};
    return place >= content ? HeadLabel{0, head, "position 2", place}
                            : HeadLabel{0, head, "planted content", content};
  }

  static std::vector<CurvePoint> thinned_bands(const std::vector<CurvePoint>& all) {
    constexpr int most = 400;
    const int count = static_cast<int>(all.size()), width = std::max(1, (count + most - 1) / most);
    std::vector<CurvePoint> points;
    for (int begin = 0; begin < count; begin += width) {
      const int end = std::min(count, begin + width);
      CurvePoint mean = all[static_cast<size_t>((begin + end - 1) / 2)];
      double value = 0, low = 0, high = 0;
      for (int i = begin; i < end; ++i) {
        const CurvePoint& p = all[static_cast<size_t>(i)];
        value += static_cast<double>(p.value), low += static_cast<double>(p.low),
            high += static_cast<double>(p.high);
      }
      const int n = end - begin;
      mean.value = static_cast<float>(value / n), mean.low = static_cast<float>(low / n),
      mean.high = static_cast<float>(high / n);
      points.push_back(mean);
    }
    return points;
  }

  void add_verdicts(TrainingSnapshot& snapshot) const {
    constexpr std::array<double, 2> printed = {0.3505, 0.3196};
    for (size_t f = 0; f < printed.size(); ++f) {
      const Family& family = families_[f];
      if (family.last_loss > 0) {
        snapshot.verdicts.push_back({family.kind.name + ", last batch of " + std::to_string(printed_steps) +
                                         " steps, mean of " + std::to_string(seeds) + " seeds",
                                     printed[f], family.last_loss, true});
      }
    }
  }

  /// Adds the losses of two heads with every repair of the list, and with the chosen repairs.
  void add_repairs(TrainingSnapshot& snapshot) const {
    std::vector<nn::TwoRelationsRepairs> listed(ladder.begin(), ladder.end());
    const nn::TwoRelationsRepairs chosen = chosen_repairs(settings_);
    if (std::find(listed.begin(), listed.end(), chosen) == listed.end()) listed.push_back(chosen);
    for (const nn::TwoRelationsRepairs& repairs : listed) {
      for (const Family& family : families_) {
        if (family.kind.heads != 2 || family.kind.repairs != repairs) continue;
        snapshot.verdicts.push_back({"2 heads, repaired " + repairs_name(repairs) + ", held out: position " +
                                         base::fixed(family.terms.place, 4) + " + content " +
                                         base::fixed(family.terms.content, 4),
                                     0, family.terms.loss(), false});
        break;
      }
    }
  }

  TrainingSettings settings_;
  size_t shown_;  // number of families at the front that are shown
  std::vector<Family> families_;
  TrainingLook look_;
  int step_ = 0, stride_ = 1;
  std::string stopped_;  // why the run cannot continue
};

}  // namespace

std::unique_ptr<TrainingRun> relations_run(const TrainingSettings& settings) {
  return std::make_unique<RelationsRun>(settings);
}

base::Result<std::unique_ptr<TrainingRun>> relations_run_from(const TrainingSettings& settings,
                                                              const io::TensorFile& file,
                                                              const std::string& name) {
  auto run = std::make_unique<RelationsRun>(settings);
  if (const base::Status restored = run->restore(file, name); !restored) return base::Error{restored.error()};
  return std::unique_ptr<TrainingRun>(std::move(run));
}

}  // namespace headlight::scene
