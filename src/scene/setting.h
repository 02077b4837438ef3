// A setting: its field, and its location in a scene. JSON, the command line (--set heads=8), the settings
// panel, undo and the cache key of results all loop over settings(), so each is compiled once. Tested in
// tests/scene/settings_test.cpp.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scene/scene.h"

namespace headlight::scene {

/// An enumeration without its type: its words, and how to read and write a value.
struct WordKind {
  std::span<const char*const> list, labels;  // no labels: those of the words
  int (*index)(const void*);
  void (*put)(void*, int);
};
template <Worded E>
constexpr std::span<const char* const> labels_of() {
  if constexpr (requires { Words<E>::labels; }) {
    static_assert(std::size(Words<E>::labels) == std::size(Words<E>::list));
    return Words<E>::labels;
  }
  return {};
}
template <Worded E>
inline constexpr WordKind word_kind = {
    Words<E>::list, labels_of<E>(),
    [](const void* at) { return static_cast<int>(*static_cast<const E*>(at)); },
    [](void* at, int index) { *static_cast<E*>(at) = static_cast<E>(index); }};

/// A reference to the value of a setting that is one of several words.
class Word {
 public:
  Word(const WordKind& kind, const void* at) : kind_(&kind), at_(at) {}
  Word(const Word&) = delete;  // a reference, not a value
  Word& operator=(const Word&) = delete;
  int index() const { return kind_->index(at_); }
  std::span<const char* const> list() const { return kind_->list; }
  const char* text() const { return list()[static_cast<std::size_t>(index())]; }
  /// What a button shows for the word with this index.
  std::string label(int index) const;
  std::string label() const { return label(index()); }
  template <Worded E>
  bool is() const {
    return kind_ == &word_kind<E>;
  }

 protected:
  const WordKind* kind_;
  const void* at_;
};
class SettableWord : public Word {
 public:
  SettableWord(const WordKind& kind, void* at) : Word(kind, at), place_(at) {}
  /// `index` is an index into list().
  void set(int index) const { kind_->put(place_, index); }

 private:
  void* place_;
};

class Setting {
 public:
  enum class Type { boolean, integer, number, text, mask, list, word };

  template <class T>
  Setting(const Field& named, const T& member, const Scene& scene)
      : field(named),
        type(type_of(&member)),
        offset_(static_cast<std::size_t>(reinterpret_cast<const char*>(&member) -
                                         reinterpret_cast<const char*>(&scene))) {
    if constexpr (Worded<T>) words_ = &word_kind<T>;
  }

  Field field;
  Type type;

  /// The words of an enumeration; empty for any other type.
  std::span<const char* const> words() const {
    return words_ ? words_->list : std::span<const char* const>();
  }

  // `s` is a scene or, for the settings of the Training page, TrainingSettings alone.
  template <class S>
  std::string text(const S& s) const {
    return text_at(place(s));
  }
  /// An error is the part behind the field's name; on error nothing is changed.
  template <class S>
  base::Status read(S& s, std::string_view text) const {
    return read_at(place(s), text);
  }
  template <class S>
  bool same(const S& a, const S& b) const {
    return same_at(place(a), place(b));
  }
  template <class S>
  void copy(const S& from, S& to) const {
    copy_at(place(from), place(to));
  }
  /// Calls visit(value) with a reference to bool, int, double, std::string, MaskSet or IndexList, or with a
  /// Word (a SettableWord when `s` can be changed).
  template <class S, class F>
  decltype(auto) visit(S& s, F&& visit) const {
    return visit_at(place(s), visit);
  }

 private:
  static constexpr Type type_of(const bool*) { return Type::boolean; }
  static constexpr Type type_of(const int*) { return Type::integer; }
  static constexpr Type type_of(const double*) { return Type::number; }
  static constexpr Type type_of(const std::string*) { return Type::text; }
  static constexpr Type type_of(const MaskSet*) { return Type::mask; }
  static constexpr Type type_of(const IndexList*) { return Type::list; }
  template <Worded E>
  static constexpr Type type_of(const E*) {
    return Type::word;
  }

  char* place(Scene& scene) const { return reinterpret_cast<char*>(&scene) + offset_; }
  const char* place(const Scene& scene) const { return reinterpret_cast<const char*>(&scene) + offset_; }
  char* place(TrainingSettings& settings) const {
    return reinterpret_cast<char*>(&settings) + within_training();
  }
  const char* place(const TrainingSettings& settings) const {
    return reinterpret_cast<const char*>(&settings) + within_training();
  }
  std::size_t within_training() const;

  std::string text_at(const char* at) const;
  base::Status read_at(char* at, std::string_view text) const;
  bool same_at(const char* a, const char* b) const;
  void copy_at(const char* from, char* to) const;

  template <class F>
  decltype(auto) visit_at(char* at, F&& visit) const {
    switch (type) {
      case Type::boolean:
        return visit(*reinterpret_cast<bool*>(at));
      case Type::integer:
        return visit(*reinterpret_cast<int*>(at));
      case Type::number:
        return visit(*reinterpret_cast<double*>(at));
      case Type::text:
        return visit(*reinterpret_cast<std::string*>(at));
      case Type::mask:
        return visit(*reinterpret_cast<MaskSet*>(at));
      case Type::list:
        return visit(*reinterpret_cast<IndexList*>(at));
      case Type::word:
        break;
    }
    SettableWord word(*words_, at);
    return visit(word);
  }
  template <class F>
  decltype(auto) visit_at(const char* at, F&& visit) const {
    switch (type) {
      case Type::boolean:
        return visit(*reinterpret_cast<const bool*>(at));
      case Type::integer:
        return visit(*reinterpret_cast<const int*>(at));
      case Type::number:
        return visit(*reinterpret_cast<const double*>(at));
      case Type::text:
        return visit(*reinterpret_cast<const std::string*>(at));
      case Type::mask:
        return visit(*reinterpret_cast<const MaskSet*>(at));
      case Type::list:
        return visit(*reinterpret_cast<const IndexList*>(at));
      case Type::word:
        break;
    }
    const Word word(*words_, at);
    return visit(word);
  }

  std::size_t offset_;  // bytes from the start of a scene
  const WordKind* words_ = nullptr;
};

/// Every setting, in the order of the panel.
std::span<const Setting> settings();

/// The settings of the Training page: these work on TrainingSettings alone, too.
std::span<const Setting> training_settings();

std::vector<std::string> setting_names();

/// Returns nullptr when there is no setting of this name.
const Setting* find_setting(std::string_view name);

/// Calls visit(field, value) for every setting, with the value as in Setting::visit. S: Scene or
/// TrainingSettings.
template <class S, class F>
requires std::same_as<std::remove_const_t<S>, Scene> || std::same_as<std::remove_const_t<S>, TrainingSettings>
void fields(S& s, F&& visit) {
  constexpr bool all = std::same_as<std::remove_const_t<S>, Scene>;
  for (const Setting& one : all ? settings() : training_settings())
    one.visit(s, [&](auto& value) { visit(one.field, value); });
}

}  // namespace headlight::scene
