// The last value made, kept under a text that describes its inputs, so that moving one slider does not remake
// values that do not depend on it. Thread-safe: threads share the value and never change it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace headlight::scene {

template <class T>
class Remembered {
 public:
  /// The value that was made for this key, or the result of make(). Two threads that request different keys
  /// at once both get their own.
  template <class Make>
  std::shared_ptr<const T> get(const std::string& key, Make&& make) {
    if (std::shared_ptr<const T> known = find(key)) return known;
    auto made = std::make_shared<const T>(make());
    keep(key, made);
    return made;
  }

  std::shared_ptr<const T> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return key == key_ ? last_ : nullptr;
  }

  void keep(const std::string& key, std::shared_ptr<const T> made) {
    const std::lock_guard lock(mutex_);
    key_ = key;
    last_ = std::move(made);
  }

 private:
  std::mutex mutex_;
  std::string key_;
  std::shared_ptr<const T> last_;
};

}  // namespace headlight::scene
