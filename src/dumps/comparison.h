// Where do two runs of the same attention differ, and is it more than rounding? For each head, the largest |a
// − b| and its place; the largest over all heads; and the first layer in which a difference exceeds what two
// runs may differ by (run_rounding() in measures.h, for the less exact of the two types). Tested in
// tests/command/dumps_command_test.cpp and tests/scene/check_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "dumps/dump.h"
#include "dumps/measures.h"

namespace headlight::dumps {

struct HeadDifference {
  int layer = 0, sequence = 0, head = 0;
  Difference largest;
};

struct Comparison {
  std::string type;  // the type whose rounding applies: "float16"
  double tolerance = 0, storage = 0;
  std::vector<HeadDifference> heads;  // layer by layer, sequence by sequence
};

/// Returns the less exact of the two types, whose rounding applies.
std::string rougher(const Dump& a, const Dump& b);
/// Returns a comparison with the rounding of this type and no heads yet.
Comparison comparison_in(const std::string& type);

/// Returns the head with the largest difference; there must be heads.
const HeadDifference& largest_of(const Comparison& comparison);
/// Returns the largest difference in the first layer where rounding does not explain it; null if there is
/// none.
const HeadDifference* first_beyond(const Comparison& comparison);

/// Reads rows [first, first + count) of a head of the other run.
using OtherRows = std::function<base::Status(int layer, int sequence, int head, int first, int count,
                                             std::span<double> to)>;
/// Compares all heads of a layer of sequences [first, last) with `other`, which is a or b, except for queries
/// that are not `visible` [queries]; empty: all are. Appends to `heads`.
base::Status compare_layer(const Dump& dump, int layer, int first_sequence, int last_sequence,
                           const OtherRows& other, bool other_is_a, std::span<const std::uint8_t> visible,
                           std::vector<HeadDifference>& heads);

/// Returns [keys], 0 = a padding position; empty: no padding. A shorter text of a batch is padded at its end,
/// with keys that no query attends to, not even their own; or at its start, with keys that no later query
/// attends to and whose own queries have equal weights on all their keys. Reads every weight of the sequence.
/// Only for self-attention, T = S.
base::Result<std::vector<std::uint8_t>> visible_positions(const Dump& dump, int sequence);
/// Returns "3 positions of padding are left out"; empty if there is no padding.
std::string padding_words(std::span<const std::uint8_t> visible);

/// Returns "it has the shape …, … has …: they cannot be compared"; empty if they can.
std::string not_comparable(const Dump& a, const Dump& b);

}  // namespace headlight::dumps
