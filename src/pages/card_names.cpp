#include "pages/card_names.h"

namespace headlight::scene {

namespace {

struct Renamed {
  std::string_view before, now;
};
constexpr Renamed renamed[] = {{"hats", "roles"}, {"seats", "token-order"}};

}  // namespace

std::string card_name_now(std::string_view name) {
  for (const Renamed& one : renamed) {
    if (name == one.before) return std::string(one.now);
  }
  return std::string(name);
}

std::string place_name_now(std::string_view place) {
  constexpr std::string_view card = "card ";
  if (!place.starts_with(card)) return std::string(place);
  return std::string(card) + card_name_now(place.substr(card.size()));
}

}  // namespace headlight::scene
