#include "scene/setting.h"

#include <algorithm>

#include "scene/field_values.h"
#include "scene/shared_settings.h"

namespace headlight::scene {

namespace {

/// The settings, and the range of those of the Training page.
struct All {
  std::vector<Setting> list;
  std::size_t training = 0, after_training = 0, offset_of_training = 0;
};

const All& all() {
  static const All found = [] {
    All out;
    const Scene scene;
    const char* const training = reinterpret_cast<const char*>(&scene.training);
    const auto add = [&](const Field& field, const auto& member) {
      const auto within = reinterpret_cast<const char*>(&member) - training;
      if (within >= 0 && static_cast<std::size_t>(within) < sizeof scene.training) {
        if (out.after_training == 0) out.training = out.list.size();
        out.after_training = out.list.size() + 1;
      }
      const auto before = std::find_if(out.list.begin(), out.list.end(), [&](const Setting& one) {
        return field.after && std::string_view(one.field.name) == field.after;
      });
      out.list.emplace(before == out.list.end() ? before : before + 1, field, member, scene);
    };
    list_fields(scene, add);
    out.offset_of_training = static_cast<std::size_t>(training - reinterpret_cast<const char*>(&scene));
    return out;
  }();
  return found;
}

template <class T>
const T& as(const char* at) {
  return *reinterpret_cast<const T*>(at);
}

}  // namespace

std::span<const Setting> settings() {
  return all().list;
}

std::span<const Setting> training_settings() {
  const All& every = all();
  return settings().subspan(every.training, every.after_training - every.training);
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const Setting& one : settings()) names.emplace_back(one.field.name);
  return names;
}

const Setting* find_setting(std::string_view name) {
  for (const Setting& one : settings()) {
    if (name == one.field.name) return &one;
  }
  return nullptr;
}

std::size_t Setting::within_training() const {
  return offset_ - all().offset_of_training;
}

std::string Word::label(int index) const {
  const auto at = static_cast<std::size_t>(index);
  if (!kind_->labels.empty()) return kind_->labels[at];
  std::string words = list()[at];
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string Setting::text_at(const char* at) const {
  return visit_at(at, [&](const auto& value) { return value_text(field, value); });
}

base::Status Setting::read_at(char* at, std::string_view text) const {
  if (type == Type::word) {
    const base::Result<int> index = parse_word(text, words_->list);
    if (!index) return base::Error{index.error()};
    words_->put(at, *index);
    return {};
  }
  return visit_at(at, [&](auto& value) -> base::Status {
    if constexpr (!std::derived_from<std::decay_t<decltype(value)>, Word>) {
      auto read = parse_value(field, text, &value);
      if (!read) return base::Error{read.error()};
      value = std::move(*read);
    }
    return {};
  });
}

bool Setting::same_at(const char* a, const char* b) const {
  if (type == Type::word) return words_->index(a) == words_->index(b);
  return visit_at(a, [&](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::derived_from<Value, Word>)
      return true;
    else
      return value == as<Value>(b);
  });
}

void Setting::copy_at(const char* from, char* to) const {
  if (type == Type::word) return words_->put(to, words_->index(from));
  visit_at(to, [&](auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (!std::derived_from<Value, Word>) value = as<Value>(from);
  });
}

}  // namespace headlight::scene
