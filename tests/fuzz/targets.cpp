#include "fuzz/targets.h"

namespace headlight::fuzz {

std::span<const Target> targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> list;
    for (const auto part : {own_targets(), model_targets(), tokenizer_targets(), dump_targets()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Target* target_of(const std::string& name) {
  for (const Target& target : targets())
    if (name == target.name) return &target;
  return nullptr;
}

std::string unfit_error(const std::string& error) {
  if (error.empty()) return "an error without words";
  if (error.size() >= 600) return "an error of " + std::to_string(error.size()) + " bytes: " + error;
  for (const char c : error)
    if (static_cast<unsigned char>(c) < 32) return "an error that is not one line: " + error;
  return "";
}

}  // namespace headlight::fuzz
