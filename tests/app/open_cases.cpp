#include "open_cases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "pages/cost/cost.h"

namespace headlight::app {

using scene::Page;
using scene::QuantityInfo;

namespace {

/// Times of no machine in particular.
std::shared_ptr<const scene::CostMeasurements> some_times(int d) {
  auto times = std::make_shared<scene::CostMeasurements>();
  times->d = d, times->lengths = 3;
  times->rows = {{16, {0.123, 5}, {0.0456, 5}, {0.0789, 5}},
                 {32, {0.223, 5}, {0.1456, 5}, {0.1789, 5}},
                 {64, {0.423, 5}, {0.3456, 5}, {0.2789, 5}}};
  return times;
}

}  // namespace

const std::vector<OpenCase>& cases_of(Page page) {
  static std::map<Page, std::vector<OpenCase>> all;
  const auto known = all.find(page);
  if (known != all.end()) return known->second;
  std::vector<OpenCase>& out = all[page];
  const views::PageView& view = page_info(page).view;
  for (NumberCase& one : number_cases(page)) {
    OpenCase open{std::move(one), nullptr, {}};
    open.doors = std::make_unique<Doors>(open.one.scene);
    EXPECT_EQ(open.doors->results->failure, "") << open.one.name;
    if (open.one.measured) open.doors->measured = some_times(open.one.scene.cost.d);
    const views::PageInput in = open.doors->input();
    read_page(open.screen, view, in, {0, 0, 2400, 1800});
    read_page(open.screen, view, in, {0, 0, 1216, 602});
    if (open.one.slides) read_page(open.screen, view, in, {0, 0, 560, 900});
    if (open.one.slides) read_slides(open.screen, view, in);
    out.push_back(std::move(open));
  }
  return out;
}

std::vector<std::string> requested(const QuantityInfo& info, const Doors& doors) {
  std::vector<std::string> out = {info.name};
  std::istringstream arguments(info.arguments);
  const int T = static_cast<int>(doors.results->tokens.size()), heads = doors.results->attention.heads;
  for (std::string argument; arguments >> argument;) {
    std::vector<std::string> values;
    if (argument == "head") {
      for (int head = 1; head <= std::min(heads, 8); ++head) values.push_back(std::to_string(head));
    } else if (argument == "query" || argument == "key") {
      values = {"0", std::to_string(std::max(0, T - 1))};
    } else if (const scene::ArgumentInfo* words = scene::argument_info(info, argument);
               words && (words->any_word || !words->words.empty())) {
      values.assign(words->words.begin(), words->words.end());
    } else if (argument == "d") {
      values = {"16", "64"};
    } else if (argument == "T") {
      values = {"64", "512"};
    } else {
      values = {"1", "2"};
    }
    const std::vector<std::string> before = out;
    for (const std::string& text : before) {
      for (const std::string& value : values) out.push_back(text + " " + argument + "=" + value);
    }
  }
  return out;
}

std::vector<double> elements_of(const Doors& doors, const std::vector<const scene::Table*>& tables,
                                bool with_largest) {
  std::vector<double> out;
  for (const scene::Table* table : tables) {
    double largest = 0;
    for (const double value : doors.exported(*table)) {
      if (!std::isfinite(value)) continue;
      out.push_back(value), largest = std::max(largest, std::abs(value));
    }
    if (with_largest) out.push_back(largest), out.push_back(-largest);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool among(const std::vector<double>& sorted, double value, double tolerance) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), value - tolerance);
  return at != sorted.end() && *at <= value + tolerance;
}

bool among(const std::vector<double>& sorted, const WrittenAs& number) {
  return std::any_of(number.readings.begin(), number.readings.end(),
                     [&](const WrittenAs::Reading& one) { return among(sorted, one.value, one.tolerance); });
}

namespace {

std::vector<Page> pages_with_quantities() {
  std::vector<Page> out;
  for (const PageInfo& page : pages()) {
    if (page.room.quantities) out.push_back(page.page());
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Pages, QuantityDoors, testing::ValuesIn(pages_with_quantities()),
                         [](const auto& info) { return std::string(scene::word(info.param)); });

}  // namespace
}  // namespace headlight::app
