#include "pages/tables.h"

#include "pages/earlier_names.h"
#include "pages/page.h"

namespace headlight::scene {

bool Table::behind(std::string_view panel) const {
  std::string_view rest = panels;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == panel) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

const std::vector<Table>& tables() {
  static const std::vector<Table> all = [] {
    std::vector<Table> made;
    for (const PageRoom* room : rooms()) {
      if (!room->tables) continue;
      const std::vector<Table> of_page = room->tables();
      made.insert(made.end(), of_page.begin(), of_page.end());
    }
    return made;
  }();
  return all;
}

const Table* find_table(std::string_view name) {
  const std::string now = table_name_now(name);
  for (const Table& table : tables()) {
    if (now == table.name) return &table;
  }
  return nullptr;
}

std::vector<const Table*> tables_behind(Page page, std::string_view panel) {
  std::vector<const Table*> out;
  for (const Table& table : tables()) {
    if (table.page == page && (panel.empty() || table.behind(panel))) out.push_back(&table);
  }
  return out;
}

MaybeNumbers numbers_of(const Table& table, const TableSource& source) {
  MaybeNumbers numbers = table.make ? table.make(source) : table.requested(source);
  if (!numbers) return std::nullopt;
  std::visit([&](auto& tensor) { tensor.name = table.name; }, numbers->tensor);
  const bool none = std::visit([](const auto& tensor) { return tensor.values.empty(); }, numbers->tensor);
  return none ? std::nullopt : std::move(numbers);
}

}  // namespace headlight::scene
