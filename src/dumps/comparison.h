// Where do two runs of the same attention differ, and is it more than rounding? For each head the largest
// |a − b| with its place; of all of them the largest; and the first layer where a difference is larger than
// two runs may differ by (run_rounding() in measures.h, of the less exact of the two types). Tested in
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
  std::string type;  // whose rounding counts: "float16"
  double tolerance = 0, storage = 0;
  std::vector<HeadDifference> heads;  // layer by layer, sequence by sequence
};

/// The less exact of two types, whose rounding counts.
std::string rougher(const Dump& a, const Dump& b);
/// With the rounding of this type, and no heads yet.
Comparison comparison_in(const std::string& type);

/// The head with the largest difference of all; there must be heads.
const HeadDifference& largest_of(const Comparison& comparison);
/// The largest of the first layer that rounding does not explain; null: there is none.
const HeadDifference* first_beyond(const Comparison& comparison);

/// Rows [first, first + count) of a head of the other side.
using OtherRows = std::function<base::Status(int layer, int sequence, int head, int first, int count,
                                             std::span<double> to)>;
/// All heads of a layer of sequences [first, last) against `other`, which is a or b, but for the queries that
/// are not `visible` [queries]; empty: all are. Appends to `heads`.
base::Status compare_layer(const Dump& dump, int layer, int first_sequence, int last_sequence,
                           const OtherRows& other, bool other_is_a, std::span<const std::uint8_t> visible,
                           std::vector<HeadDifference>& heads);

/// [keys] 0 = a position of padding; empty: there is none. A shorter text of a batch is filled up at its end,
/// with keys that no query attends to, not even their own; or at its start, with keys that no later query
/// attends to, whose own queries have nothing to choose from: all their weights are the same. Looks at every
/// weight of the sequence. Of attention of a text to itself, T = S.
base::Result<std::vector<std::uint8_t>> visible_positions(const Dump& dump, int sequence);
/// "3 positions of padding are left out"; empty: there is none.
std::string padding_words(std::span<const std::uint8_t> visible);

/// "it has the shape …, … has …: they cannot be compared"; empty: they can.
std::string not_comparable(const Dump& a, const Dump& b);

}  // namespace headlight::dumps
