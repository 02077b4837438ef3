// The members of one component of a tokenizer's file. The first thing that is wrong is kept; the component
// is read to its end and then asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json_reader.h"

namespace headlight::tokenizers {

class Fields {
 public:
  /// `where` begins every message: "tokenizer.json: normalizer".
  Fields(const io::Json& json, std::string where);

  const std::string& where() const { return where_; }
  const std::string& type() const { return type_; }

  /// Nothing and null count as `otherwise`.
  bool flag(std::string_view name, bool otherwise);
  std::optional<bool> flag(std::string_view name);
  std::string text(std::string_view name);  // has to be there
  std::string text_or(std::string_view name, const std::string& otherwise);
  std::int64_t number(std::string_view name, std::int64_t low, std::int64_t high, std::int64_t otherwise);
  /// Has to be there; an empty list when it is not.
  const io::Json& list(std::string_view name);
  /// Null when it is not there or null.
  const io::Json* member(std::string_view name) const;

  /// "WHERE: MEMBER: expected WHAT, found …"
  base::Error expected(std::string_view name, const std::string& what) const;
  /// "WHERE: WHAT"
  base::Error wrong(const std::string& what) const;
  /// The type is none of those that are known.
  base::Error unknown() const;

  bool failed() const { return error_.has_value(); }
  base::Error error() const { return *error_; }

 private:
  void keep(base::Error error);
  const io::Json& json_;
  std::string where_, type_;
  std::optional<base::Error> error_;
};

}  // namespace headlight::tokenizers
