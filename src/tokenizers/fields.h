// The members of one component in a tokenizer's file. The first error is kept; the caller reads the whole
// component and then checks for an error.
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

  /// A missing member and null count as `otherwise`.
  bool flag(std::string_view name, bool otherwise);
  std::optional<bool> flag(std::string_view name);
  std::string text(std::string_view name);  // required
  std::string text_or(std::string_view name, const std::string& otherwise);
  std::int64_t number(std::string_view name, std::int64_t low, std::int64_t high, std::int64_t otherwise);
  /// Required; returns an empty list if it is missing.
  const io::Json& list(std::string_view name);
  /// Null if it is missing or null.
  const io::Json* member(std::string_view name) const;

  /// "WHERE: MEMBER: expected WHAT, found …"
  base::Error expected(std::string_view name, const std::string& what) const;
  /// "WHERE: WHAT"
  base::Error wrong(const std::string& what) const;
  /// The error for an unknown type.
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
