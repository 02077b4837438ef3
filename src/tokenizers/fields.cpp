#include "tokenizers/fields.h"

#include <nlohmann/json.hpp>

#include "base/one_line.h"

namespace headlight::tokenizers {

Fields::Fields(const io::Json& json, std::string where) : json_(json), where_(std::move(where)) {
  if (!json.is_object()) {
    keep(wrong("expected an object, found " + io::found(json)));
    return;
  }
  if (const io::Json* type = member("type"); type != nullptr && type->is_string()) {
    type_ = type->get_ref<const std::string&>();
    where_ += " " + base::shortened(type_);
  }
}

void Fields::keep(base::Error error) {
  if (!error_) error_ = std::move(error);
}

const io::Json* Fields::member(std::string_view name) const {
  const io::Json* found = io::member(json_, name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

base::Error Fields::wrong(const std::string& what) const {
  return {base::one_line(where_ + ": " + what)};
}

base::Error Fields::expected(std::string_view name, const std::string& what) const {
  const io::Json* there = member(name);
  return wrong(std::string(name) + ": expected " + what + ", found " +
               (there ? io::found(*there) : "nothing"));
}

base::Error Fields::unknown() const {
  if (type_.empty()) return wrong("it has no type");
  return wrong("this type of component is not supported");
}

std::optional<bool> Fields::flag(std::string_view name) {
  const io::Json* there = member(name);
  if (there == nullptr) return std::nullopt;
  if (!there->is_boolean()) return keep(expected(name, "true or false")), std::nullopt;
  return there->get_ref<const bool&>();
}

bool Fields::flag(std::string_view name, bool otherwise) {
  return flag(name).value_or(otherwise);
}

std::string Fields::text(std::string_view name) {
  const io::Json* there = member(name);
  if (there == nullptr || !there->is_string()) return keep(expected(name, "a text")), std::string();
  return there->get_ref<const std::string&>();
}

std::string Fields::text_or(std::string_view name, const std::string& otherwise) {
  return member(name) == nullptr ? otherwise : text(name);
}

std::int64_t Fields::number(std::string_view name, std::int64_t low, std::int64_t high,
                            std::int64_t otherwise) {
  const io::Json* there = member(name);
  if (there == nullptr) return otherwise;
  const auto number = io::whole_number(*there, low, high);
  if (!number) {
    keep(expected(name, "a whole number from " + std::to_string(low) + " to " + std::to_string(high)));
    return otherwise;
  }
  return *number;
}

const io::Json& Fields::list(std::string_view name) {
  static const io::Json nothing = io::Json::array();
  const io::Json* there = member(name);
  if (there == nullptr || !there->is_array()) return keep(expected(name, "a list")), nothing;
  return *there;
}

}  // namespace headlight::tokenizers
