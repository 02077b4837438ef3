#include "pages/earlier_names.h"

#include <span>

namespace headlight::scene {

namespace {

struct Renamed {
  std::string_view before, now;
};
constexpr Renamed cards_before[] = {{"hats", "roles"}, {"seats", "token-order"}};
constexpr Renamed tables_before[] = {{"order_seats", "order_positions"}};
constexpr Renamed arguments_before[] = {{"seat", "position"}};

std::string name_now(std::span<const Renamed> renamed, std::string_view name) {
  for (const Renamed& one : renamed) {
    if (name == one.before) return std::string(one.now);
  }
  return std::string(name);
}

}  // namespace

std::string card_name_now(std::string_view name) {
  return name_now(cards_before, name);
}

std::string table_name_now(std::string_view name) {
  return name_now(tables_before, name);
}

std::string argument_name_now(std::string_view name) {
  return name_now(arguments_before, name);
}

std::string place_name_now(std::string_view place) {
  constexpr std::string_view card = "card ";
  if (!place.starts_with(card)) return std::string(place);
  return std::string(card) + card_name_now(place.substr(card.size()));
}

}  // namespace headlight::scene
