#include "scene/own_positions.h"

#include <algorithm>

#include "base/numbers.h"
#include "models/opened_model.h"
#include "network/network.h"
#include "scene/scene.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

using nn::RopeScalingKind;

std::string scaling_words(const nn::NetworkRope& rope, int tokens) {
  const nn::RopeScaling& s = rope.scaling;
  switch (s.kind) {
    case RopeScalingKind::none:
      return {};
    case RopeScalingKind::linear:
      return "; linear scaling: every frequency ÷ " + base::compact(s.factor);
    case RopeScalingKind::dynamic:
      return "; dynamic NTK, factor " + base::compact(s.factor) + ": beyond " + base::compact(s.original) +
             " tokens the base grows with their number. P is that of these " + base::compact(tokens) +
             (tokens > s.original ? "" : ", with the base as it is");
    case RopeScalingKind::llama3:
      return "; llama3 scaling: wavelengths below " + base::compact(s.original / s.high_freq_factor) +
             " positions kept, beyond " + base::compact(s.original / s.low_freq_factor) + " frequencies ÷ " +
             base::compact(s.factor) + ", in between blended";
    case RopeScalingKind::yarn:
      return "; YaRN: fast pairs kept, slow ones ÷ " + base::compact(s.factor) +
             ", in between blended; cosines and sines × " +
             base::written(s.attention_factor, base::decimals(4)) + " when they turn q and k";
  }
  return {};
}

}  // namespace

OwnPositions own_positions(const OtherModel& model) {
  const nn::Network& network = model.model->network;
  const nn::TensorRef& table = model.model->weights.positions;
  if (network.positions == nn::PositionKind::table) {
    // not_padding counts the token itself: the first token has row 1 after the offset.
    const int first =
        network.position_offset + (network.position_rule == nn::PositionRule::not_padding ? 1 : 0);
    return {PositionSource::table, table.cols, std::max(0, table.rows - first), first};
  }
  if (network.positions == nn::PositionKind::sinusoid)
    return {PositionSource::sinusoid, 2 * table.rows, 0, 0};
  if (network.rope.rotary_dim > 0) return {PositionSource::rope, network.rope.rotary_dim, 0, 0};
  return {};
}

int position_columns(const Scene& scene) {
  const auto other = shown_other_model(scene);
  const int own = other ? own_positions(*other).columns : 0;
  return own > 0 ? own : scene.d_model;
}

base::Result<std::vector<double>> own_frequencies(const OtherModel& model, int tokens) {
  const nn::Network& network = model.model->network;
  if (network.positions == nn::PositionKind::sinusoid) {
    const nn::TensorRef& stored = model.model->weights.positions;
    std::vector<float> read(static_cast<std::size_t>(stored.rows));
    if (const base::Status done = nn::read_rows(stored, 0, stored.rows, read.data()); !done)
      return base::Error{done.error()};
    return std::vector<double>(read.begin(), read.end());
  }
  if (network.positions == nn::PositionKind::table || network.rope.rotary_dim == 0)
    return std::vector<double>();
  return nn::rope_frequencies(network.rope, tokens);
}

std::vector<int> turning_columns(const OtherModel& model, const std::vector<int>& columns, int positions) {
  constexpr double turns = 1, hardly = 0.5;  // radians from the first position to the last
  if (own_positions(model).source != PositionSource::rope) return {};
  const auto omega = own_frequencies(model, positions);
  if (!omega || omega->empty()) return {};
  const auto angle = [&](int pair) { return (*omega)[static_cast<std::size_t>(pair)] * (positions - 1); };
  const int pairs = static_cast<int>(omega->size());
  for (const int column : columns) {
    if (column / 2 < pairs && angle(column / 2) >= turns) return {};
  }
  int slow = pairs - 1;
  while (slow > 0 && angle(slow) < hardly) --slow;
  std::vector<int> found;
  for (const int pair : {0, (slow + 1) / 2, slow}) {
    if (found.empty() || found.back() < 2 * pair) found.insert(found.end(), {2 * pair, 2 * pair + 1});
  }
  return found;
}

base::Result<nn::Matrix> own_table(const OtherModel& model, int first, int rows) {
  const nn::TensorRef& table = model.model->weights.positions;
  const int begin = own_positions(model).first_row + first;
  nn::Matrix out(rows, table.cols);
  if (const base::Status done = nn::read_rows(table, begin, begin + rows, out.data()); !done)
    return base::Error{done.error()};
  return out;
}

std::string positions_in_words(const OtherModel& model, int tokens) {
  const nn::Network& network = model.model->network;
  const std::string& name = model.model->name;
  const OwnPositions own = own_positions(model);
  switch (own.source) {
    case PositionSource::table:
      return "P is the learned table of " + name + ", " + base::with_commas(own.rows) + " rows of " +
             base::with_commas(own.columns) +
             (own.first_row > 0 ? " (position p is row p + " + std::to_string(own.first_row) +
                                      " of the file’s " + base::with_commas(own.rows + own.first_row) + ")"
                                : "") +
             ", added to the tokens. Its columns have no frequencies: clocks, rotation, build-up and binary "
             "digits are left out.";
    case PositionSource::sinusoid:
      return "P as " + name + " adds it, with the " + base::with_commas(own.columns / 2) +
             " frequencies of its file. Sine and cosine of a pair are side by side here; in the model all "
             "sines come first.";
    case PositionSource::rope: {
      const int head = network.layers.front().head_dim;
      const bool next = network.rope.pairs == nn::RopePairs::interleaved;
      return name + " adds no positions: its RoPE turns " + base::with_commas(own.columns) + " of the " +
             base::with_commas(head) + " components of each head’s q and k, components " +
             (next ? "2j and 2j + 1" : "j and j + " + base::with_commas(own.columns / 2)) +
             " together, base " + base::compact(network.rope.base) + scaling_words(network.rope, tokens) +
             ". Columns 2j and 2j + 1 in row i of P: sine and cosine of the angle i · ω_j.";
    }
    default:
      return name + " has no positions: neither a table nor RoPE.";
  }
}

}  // namespace headlight::scene
