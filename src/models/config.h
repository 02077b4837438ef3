// Reads a model's config.json setting by setting and checks ranges. The first error is kept, and every later
// request returns its default, so that a family's reader is a plain list of settings.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/json_reader.h"
#include "network/network.h"

namespace headlight::models {

using Names = std::initializer_list<const char*>;  // names of the same setting, the usual one first

class Config {
 public:
  /// `file` is its name in errors.
  Config(io::Json json, std::string file) : json_(std::move(json)), file_(std::move(file)) {}

  /// Returns a whole number of at least `low`; the default if there is no such member.
  int whole(Names names, int missing, int low = 1);
  /// The same, but null counts as missing.
  int whole_or_null(Names names, int missing, int low = 1);
  /// Returns how many keys a query attends to; null: all of them, 0.
  int window(Names names, int missing);
  double number(Names names, double missing, double low, double high);
  /// The same, but null counts as 0.
  double number_or_null(Names names, double missing, double low, double high);
  bool flag(Names names, bool missing);
  std::string text(Names names, const char* missing);
  nn::NetworkActivation activation(Names names, const char* missing);

  /// Returns the member; null if it does not exist or is null.
  const io::Json* member(const char* name) const;
  bool has(const char* name) const { return member(name) != nullptr; }

  /// Reads the members of a nested object as another Config with the same file.
  Config inside(const io::Json& object) const { return {object, file_}; }
  /// Adopts the error of a nested Config.
  void take_error(const Config& other) {
    if (!error_) error_ = other.error_;
  }

  /// Sets the error "FILE: what"; the first one is kept.
  void fail(const std::string& what);
  bool failed() const { return error_.has_value(); }
  const base::Error& error() const { return *error_; }
  const std::string& file() const { return file_; }

 private:
  const io::Json* find(Names names, const char*& name) const;
  int whole_of(const io::Json& json, const char* name, int missing, int low);

  io::Json json_;
  std::string file_;
  std::optional<base::Error> error_;
};

/// Reads rope_scaling of transformers 4 and rope_parameters of transformers 5, for heads of `head_dim`, a
/// part of which is rotated.
struct RopeDefaults {
  double base = 10000, part = 1;
};
nn::NetworkRope read_rope(Config& config, int head_dim, int max_positions, const RopeDefaults& defaults);

/// Returns the windows of `layers` layers from layer_types; empty if config.json has none.
std::vector<int> windows_by_type(Config& config, int layers, int window);

}  // namespace headlight::models
