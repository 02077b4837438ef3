// Commands for attention that other programs have saved: the contents of a file, its numbers as files, its
// differences from another file or from a model. Tested in tests/command/dumps_command_test.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dumps/dump.h"

namespace headlight::app {

/// Shapes, type, tokens, row sums and remarks, one per line; or as JSON.
std::string describe_dump(const dumps::Dump& dump, bool json);

struct ExportDumpRequest {
  std::string what;  // "weights", "entropy", "roles", "tokens"
  std::filesystem::path
      out;  // .npy, .npz, .csv, .json; tokens .json or .txt; empty: roles and tokens as text
  std::optional<int> sequence;  // of a batch; nothing: all
};
/// weights [L, B, H, T, S], entropy [L, B, H, T] in bits, roles [L, B, H, 5]. Returns the text to print. In
/// text, layers and heads count from 1; in every file, from 0.
base::Result<std::string> export_dump(const dumps::Dump& dump, const ExportDumpRequest& request);

struct CompareRequest {
  std::optional<int> sequence;      // of a batch; nothing: all of two files, the first against a model
  std::optional<double> tolerance;  // replaces the limit that rounding explains
  bool json = false;
};
/// The largest difference of each head and layer, the largest of all with its position, and the first layer
/// where the difference is more than rounding explains. Layers and heads count from 1 in text, from 0 in
/// JSON.
base::Result<std::string> compare_dumps(const dumps::Dump& a, const dumps::Dump& b,
                                        const CompareRequest& request);

struct ModelSide {
  std::filesystem::path model;
  std::optional<std::string> text;  // if it is nothing and there are no ids: the tokens of the dump
  std::vector<int> ids;
};
base::Result<std::string> compare_with_model(const dumps::Dump& dump, const ModelSide& side,
                                             const CompareRequest& request);

}  // namespace headlight::app
