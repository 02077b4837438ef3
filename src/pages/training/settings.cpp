#include "pages/training/settings.h"

#include <algorithm>
#include <iterator>

#include "base/numbers.h"
#include "scene/setting.h"
#include "tasks/vocabulary.h"

namespace headlight::scene {

bool same_run(const TrainingSettings& a, const TrainingSettings& b) {
  TrainingSettings x = a, y = b;
  for (TrainingSettings* s : {&x, &y}) {
    s->run = s->layer = s->head = 1, s->example = 0, s->shown_step = -1;
    s->plot = TrainingPlot::curves, s->beside = TrainingBeside::map;
  }
  return x == y;
}

void suggest(TrainingSettings& s) {
  const TrainingSettings before = s;
  s = TrainingSettings{};
  s.task = before.task, s.seed = before.seed, s.file = before.file, s.unit = before.unit;
  s.vocabulary = before.vocabulary;
  switch (s.task) {
    case TrainingTask::two_relations:  // as in the sources
      s.steps = 400, s.rate = 5e-3, s.compare = TrainingCompare::nothing;
      break;
    case TrainingTask::reverse:  // as a new scene has it
      break;
    case TrainingTask::induction:  // two layers: one head finds the token before, the next what came after it
      s.d_model = 64, s.length = 24, s.steps = 800;
      s.positions = TrainingPositions::rope, s.compare = TrainingCompare::nothing;
      break;
    case TrainingTask::english:
      s.d_model = 64, s.length = 40, s.steps = 3000, s.compare = TrainingCompare::nothing;
      break;
    case TrainingTask::pronouns:
      s.d_model = 48, s.steps = 800, s.batch = 64, s.guide = 0.3;
      s.compare = TrainingCompare::no_guide;
      break;
    case TrainingTask::text:
      s.d_model = 64, s.length = 64, s.steps = 2000;
      s.positions = TrainingPositions::rope, s.compare = TrainingCompare::nothing;
      break;
  }
}

base::Result<TrainingSettings> other_run(const TrainingSettings& s) {
  constexpr std::string_view names[] = {"training_d",         "training_heads",      "training_layers",
                                        "training_positions", "training_rope_pairs", "training_activation",
                                        "training_norm",      "training_residual",   "training_feed_forward",
                                        "training_dropout",   "training_rate",       "training_guide",
                                        "training_batch"};
  const std::size_t sign = s.compare_set.find('=');
  if (sign == std::string::npos)
    return base::Error{"training_compare_set: expected name=value, such as training_rate=0.01, found \"" +
                       s.compare_set + "\""};
  std::string name = s.compare_set.substr(0, sign);
  if (!name.starts_with("training_")) name = "training_" + name;
  const auto known = std::find(std::begin(names), std::end(names), name);
  for (const Setting& one : training_settings()) {
    if (one.field.name != name || one.field.group != Group::own) continue;
    if (known == std::end(names))
      return base::Error{"training_compare_set: both runs have the same " + name +
                         "; they can differ in training_rate, training_batch, training_dropout, "
                         "training_guide, or a setting of the network"};
    TrainingSettings other = s;
    other.compare = TrainingCompare::nothing, other.compare_set.clear();
    if (const base::Status read = one.read(other, std::string_view(s.compare_set).substr(sign + 1)); !read)
      return base::Error{"training_compare_set: " + name + ": " + read.error()};
    if (!training_applies(other, name) || !training_applies(s, name))
      return base::Error{"training_compare_set: " + name + " does not apply to this run"};
    if (one.same(s, other))
      return base::Error{"training_compare_set: " + name + " is " + one.text(s) +
                         " also in the first run; choose another value"};
    if (other.d_model % other.heads != 0)
      return base::Error{"training_compare_set: the width d (" + std::to_string(other.d_model) +
                         ") must be a multiple of the number of heads (" + std::to_string(other.heads) + ")"};
    return other;
  }
  return base::Error{"training_compare_set: there is no setting " + name};
}

namespace {

/// Does the run that is compared differ from this one?
bool differs(const TrainingSettings& s) {
  switch (s.compare) {
    case TrainingCompare::no_guide:
      return s.task == TrainingTask::pronouns && s.guide > 0;
    case TrainingCompare::no_residuals:
      return s.residual;
    case TrainingCompare::no_norms:
      return s.norm != nn::NormPlace::none;
    case TrainingCompare::no_feed_forward:
      return s.feed_forward;
    case TrainingCompare::no_dropout:
      return s.dropout > 0;
    default:
      return true;
  }
}

}  // namespace

void repair(TrainingSettings& s) {
  if (!differs(s)) s.compare = TrainingCompare::nothing;
  s.heads = std::min(s.heads, s.d_model);
  // The multiple of `heads` nearest to d, within the range of d.
  const int multiples = std::max(1, (s.d_model + s.heads / 2) / s.heads);
  s.d_model = multiples * s.heads;
  if (s.d_model > 256) s.d_model -= s.heads;
  if (s.d_model < 4) s.d_model = (3 + s.heads) / s.heads * s.heads;
  if (s.unit == TextUnit::byte_pieces) s.vocabulary = std::max(s.vocabulary, nn::smallest_of_all_bytes);
}

int training_runs(const TrainingSettings& s) {
  if (s.task == TrainingTask::two_relations)
    return s.repair_places || s.repair_bias || s.repair_contents || s.repair_width ? 4 : 2;
  switch (s.compare) {
    case TrainingCompare::nothing:
      return 1;
    case TrainingCompare::one_head:
      return s.heads > 1 ? 2 : 1;
    case TrainingCompare::no_positions:
      return s.positions != TrainingPositions::none ? 2 : 1;
    case TrainingCompare::every_position:
      return static_cast<int>(std::size(Words<TrainingPositions>::list));
    case TrainingCompare::other:
      return other_run(s) ? 2 : 1;
    default:
      return differs(s) ? 2 : 1;
  }
}

}  // namespace headlight::scene
