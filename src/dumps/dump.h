// Attention that a user has saved from a run of their own, without the model: weights [layers, batch, heads,
// queries, keys], the tokens, and remarks about the numbers. It reads .npy, .npz, .safetensors, and .pt of
// torch.save; nothing in a file is executed. Weights stay in the file and are read a few rows at a time; if
// the file has q and k, they are computed:
//
//   w_ij = softmax_j(scale · q_i · k_j), scale = 1/√d unless the file gives one; causal: j <= i + S − T
//
// A file is refused if its numbers are not attention weights: NaN, infinite, negative, or rows that do not
// sum to one. A row is valid if its sum is within 0.001 of one (float32, float64), 0.01 (float16) or 0.05
// (bfloat16), or if it is all 0: a query that may not attend to any key. Numbers of a narrower type that were
// widened before they were saved, for example by .float(), count as that type. Nothing is repaired.
//
//   const auto dump = dumps::open_dump("attentions.npz");
//   if (!dump) … dump.error() is one line …
//   (*dump)->rows(layer, sequence, head, 0, (*dump)->shape.queries, map);
//
// Tested in tests/dumps.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "dumps/layers.h"
#include "dumps/token_lists.h"

namespace headlight::dumps {

struct DumpShape {
  int layers = 0, batch = 0, heads = 0, queries = 0, keys = 0;
  bool operator==(const DumpShape&) const = default;
};
/// "[2, 1, 4, 8, 8]".
std::string shape_words(const DumpShape& shape);

/// All counted from 0.
struct RowPlace {
  int layer = 0, sequence = 0, head = 0, query = 0;
};
/// Returns "layer 1, head 2, query 3": layers and heads counted from 1, queries from 0, as everywhere; with
/// the sequence, from 0, if there are several in the batch.
std::string place_words(const RowPlace& place, const DumpShape& shape);

/// Statistics of the sums of all rows.
struct RowSums {
  long long rows = 0;
  long long zero = 0;     // all weights 0
  long long unsound = 0;  // the sum is not one; only if such a file may be opened
  double worst = 1;       // the sum furthest from one, of a row that is not all 0
  RowPlace worst_place, first_zero;
};

class Dump {
 public:
  std::filesystem::path path;
  std::string file;    // name in errors
  std::string format;  // "NPZ"
  std::string entry;   // name of the weights in the file
  DumpShape shape;
  std::string type;       // as stored: "float16"
  std::string precision;  // type of the numbers before they were widened for the file: often `type`
  bool computed = false;  // from q and k
  bool causal = false;    // computed, and causal
  double scale = 1;       // computed: factor on q · k
  double tolerance = 0;   // how far from one the sum of a valid row may be
  RowSums sums;
  TokenLists tokens;
  std::vector<std::string> remarks;  // notes about it, one sentence each

  /// Reads the weights of queries [first, first + count) of a head, [count, keys], in double: stored numbers
  /// exactly. Several threads may read. Error: the file has been changed or cannot be read.
  base::Status rows(int layer, int sequence, int head, int first, int count, std::span<double> to) const;
  /// Computed weights: q [queries, width()] of a head, and the k [keys, width()] that it uses, as stored.
  int width() const { return computed ? static_cast<int>(layers_.layers.front().side(3)) : 0; }
  base::Status vectors(int layer, int sequence, int head, std::span<double> q, std::span<double> k) const;
  /// Returns how many rows to read at once.
  int rows_at_once() const;
  double numbers() const;  // count of all weights

 private:
  friend class Opener;
  Layers layers_;
  struct KeyPlane;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const KeyPlane> keys_;  // for q and k: the last requested head
  base::Result<std::shared_ptr<const KeyPlane>> keys_of(int layer, int sequence, int kv_head) const;
};

struct DumpOptions {
  bool any_rows = false;  // rows that do not sum to one become a remark instead of an error
  std::string entry;      // the array, or the series of arrays, to use; empty: detected
  std::string tokens;     // a file of tokens; "none": positions; empty: detected
};

/// Reads and checks everything once. Errors are one line that names the file, what is wrong, where (layer and
/// head counted from 1; sequence, query and key from 0) and what to do.
base::Result<std::shared_ptr<const Dump>> open_dump(const std::filesystem::path& path,
                                                    const DumpOptions& options = {});

/// Returns whether the file has arrays that are attention by their names and shapes. Only headers are read.
bool holds_attention(const std::filesystem::path& path);

/// Returns whether a file of this name may hold attention: .npy, .npz, .pt, .pth, .safetensors.
bool may_be_dump(const std::filesystem::path& path);

}  // namespace headlight::dumps
