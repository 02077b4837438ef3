// Errors from outside (a file, a setting, the GPU): one line that names the file, field or tensor, what was
// expected, what was found and what to do. Functions that can meet them return Result<T>; they do not throw.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace headlight::base {

struct Error {
  std::string message;  // one line, no full stop at the end, no newline
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}      // NOLINT: `return value;` is the point
  Result(Error error) : value_(std::move(error)) {}  // NOLINT
  explicit operator bool() const { return std::holds_alternative<T>(value_); }
  T& operator*() { return get(); }
  const T& operator*() const { return const_cast<Result*>(this)->get(); }
  T* operator->() { return &get(); }
  const T* operator->() const { return &const_cast<Result*>(this)->get(); }
  const std::string& error() const { return std::get<Error>(value_).message; }

 private:
  T& get() {
    if (!*this) check_failed(__FILE__, __LINE__, "value of a failed Result", error());
    return std::get<T>(value_);
  }
  std::variant<T, Error> value_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT
  explicit operator bool() const { return !error_; }
  const std::string& error() const { return error_->message; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace headlight::base
