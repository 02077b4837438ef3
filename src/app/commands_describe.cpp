#include <algorithm>
#include <cstdio>
#include <numeric>

#include "app/commands.h"
#include "base/utf8.h"
#include "scene/compute.h"

namespace headlight::app {

namespace {

constexpr std::size_t widest_token = 16;  // characters; longer ones end in an ellipsis

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// What can stand in a line of text: blanks visible, control characters escaped, long tokens shortened.
std::string printable(const std::string& token) {
  std::string out;
  std::size_t at = 0, characters = 0;
  while (at < token.size()) {
    const std::size_t bytes = base::cluster_bytes(token, at);
    if (++characters == widest_token && at + bytes < token.size()) return out + "…";
    for (std::size_t i = at; i < at + bytes;) {
      const base::CodePoint c = base::decode(token, i);
      if (c.value == ' ') {
        out += "␣";
      } else if (c.value == '\n') {
        out += "\\n";
      } else if (c.value == '\t') {
        out += "\\t";
      } else if (c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0)) {
        constexpr char digits[] = "0123456789abcdef";
        out += {'\\', 'x', digits[c.value >> 4], digits[c.value & 15]};
      } else {
        base::append_utf8(out, c.value);
      }
      i += c.bytes;
    }
    at += bytes;
  }
  return out;
}

std::size_t characters(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += base::cluster_bytes(text, at)) ++count;
  return count;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = characters(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string count(std::size_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string heading(const scene::Scene& scene, const scene::Results& results) {
  const auto heads = static_cast<std::size_t>(scene.heads);
  std::string line = count(results.tokens.size(), "token", "tokens") + ", d_model " +
                     std::to_string(scene.d_model) + ", " + count(heads, "head", "heads") + " of width " +
                     std::to_string(scene.d_model / scene.heads);
  line += scene.position == scene::Position::none ? ", no positions"
                                                  : std::string(", positions ") + word(scene.position);
  return line + ", " + results.weights_source + "\n";
}

/// The keys of one query that have weight, the strongest first and the earlier of equals.
std::vector<int> strongest(std::span<const float> row, int keys) {
  std::vector<int> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  const auto most = std::min(order.size(), static_cast<std::size_t>(keys));
  const auto weight = [&](int i) { return row[static_cast<std::size_t>(i)]; };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](int a, int b) { return weight(a) != weight(b) ? weight(a) > weight(b) : a < b; });
  order.resize(most);
  while (!order.empty() && !(weight(order.back()) > 0)) order.pop_back();
  return order;
}

std::string head_table(const scene::Results& results, int head, int keys) {
  const nn::HeadSummary& summary = results.heads[static_cast<std::size_t>(head)];
  std::vector<std::string> names;
  std::size_t widest = 5;
  for (const nn::Token& token : results.tokens) {
    names.push_back(printable(token.text));
    widest = std::max(widest, characters(names.back()));
  }
  const std::size_t index_width = std::to_string(names.size() - 1).size();
  std::string out = "\nhead " + std::to_string(head + 1) + ": entropy " +
                    number("%.2f", summary.entropy_bits) + " bits, largest weight " +
                    number("%.3f", static_cast<double>(summary.largest)) + "\n";
  out += padded("", index_width) + " " + padded("query", widest) + "  → keys and weights\n";
  for (std::size_t query = 0; query < names.size(); ++query) {
    const std::string index = std::to_string(query);
    std::string line =
        std::string(index_width - index.size(), ' ') + index + " " + padded(names[query], widest) + "  →";
    const std::span<const float> row = results.attention.weights.row(head, static_cast<int>(query));
    const std::vector<int> order = strongest(row, keys);
    for (const int key : order) {
      const auto at = static_cast<std::size_t>(key);
      line += " " + padded(names[at], widest) + " " + number("%.3f", static_cast<double>(row[at])) + " ";
    }
    if (order.empty()) line += " nothing: every key is masked";
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string describe(const scene::Scene& scene, int keys, std::string& note) {
  base::Parallel parallel;
  const std::shared_ptr<const scene::Results> results = scene::compute(scene, parallel, nullptr);
  note = shortened(*results);
  std::string out = heading(scene, *results);
  if (results->tokens.empty()) return out + "\nthe sentence has no tokens\n";
  for (int head = 0; head < scene.heads; ++head) {
    const bool shown =
        scene.head.empty() || std::find(scene.head.begin(), scene.head.end(), head + 1) != scene.head.end();
    if (shown) out += head_table(*results, head, keys);
  }
  return out;
}

}  // namespace headlight::app
