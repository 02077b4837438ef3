// config.json of a model, read number by number with its range. The first thing that is wrong is kept, and
// everything asked for afterwards gets its default, so that a family is a plain list of what it wants.
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

using Names = std::initializer_list<const char*>;  // the same setting, the usual name first

class Config {
 public:
  /// `file` is what errors call it.
  Config(io::Json json, std::string file) : json_(std::move(json)), file_(std::move(file)) {}

  /// A whole number from `low` on; the default where there is no such member.
  int whole(Names names, int missing, int low = 1);
  /// The same, but null counts as missing.
  int whole_or_null(Names names, int missing, int low = 1);
  /// How many keys a query sees; null: all of them, 0.
  int window(Names names, int missing);
  double number(Names names, double missing, double low, double high);
  /// null: 0.
  double number_or_null(Names names, double missing, double low, double high);
  bool flag(Names names, bool missing);
  std::string text(Names names, const char* missing);
  nn::NetworkActivation activation(Names names, const char* missing);

  /// The member, or null where there is none or it is null.
  const io::Json* member(const char* name) const;
  bool has(const char* name) const { return member(name) != nullptr; }

  /// Members of an object inside are read as another Config with the same file.
  Config inside(const io::Json& object) const { return {object, file_}; }
  /// Takes over what was wrong inside.
  void take_error(const Config& other) {
    if (!error_) error_ = other.error_;
  }

  /// "FILE: what"; the first one stays.
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

/// rope_scaling of transformers 4 and rope_parameters of transformers 5, for heads of `head_dim`, of which a
/// part turns.
struct RopeDefaults {
  double base = 10000, part = 1;
};
nn::NetworkRope read_rope(Config& config, int head_dim, int max_positions, const RopeDefaults& defaults);

/// The windows of `layers` layers from layer_types; empty where config.json has none.
std::vector<int> windows_by_type(Config& config, int layers, int window);

}  // namespace headlight::models
