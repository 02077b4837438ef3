#include "kit/plain_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/numbers.h"
#include "base/utf8.h"
#include "base/words.h"

namespace headlight::views::plain {

namespace {

constexpr std::size_t widest_token = 16;  // characters; longer ones end in an ellipsis

}  // namespace

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

std::string decimals(double value, int count) {
  return base::weight_text(value, count);
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], base::characters(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) line += base::padded(row[i], widths[i] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string matrix_text(const std::string& name, const nn::Matrix& m, int plane, int most) {
  if (m.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  const int down = std::min(m.rows(), most), across = std::min(m.cols(), most);
  for (int r = 0; r < down; ++r) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const float value : m.row(plane, r).first(static_cast<std::size_t>(across)))
      row.push_back((value < 0 ? "" : " ") + decimals(static_cast<double>(value), 3));
  }
  std::string out = name + " (" + std::to_string(m.rows()) + " × " + std::to_string(m.cols()) + ")";
  if (down < m.rows() || across < m.cols())
    out += ", its first " + std::to_string(down) + " rows and " + std::to_string(across) + " columns";
  return out + "\n" + table(rows);
}

std::string list_text(std::span<const int> list) {
  std::string out;
  for (const int i : list) out += (out.empty() ? "" : " ") + std::to_string(i);
  return out.empty() ? "none" : out;
}

std::vector<int> strongest(std::span<const float> row, int keys) {
  std::vector<int> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  const auto most = std::min(order.size(), static_cast<std::size_t>(keys));
  // NaN and infinity are sorted last and left out.
  const auto weight = [&](int i) {
    const float w = row[static_cast<std::size_t>(i)];
    return std::isfinite(w) ? w : -1.f;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](int a, int b) { return weight(a) != weight(b) ? weight(a) > weight(b) : a < b; });
  order.resize(most);
  while (!order.empty() && !(weight(order.back()) > 0)) order.pop_back();
  return order;
}

std::string strongest_keys(const nn::Matrix& weights, int plane, const std::vector<nn::Token>& queries,
                           const std::vector<nn::Token>& keys_of, int keys) {
  std::vector<std::string> names, query_names;
  std::size_t widest = 5;
  for (const nn::Token& token : keys_of) names.push_back(printable(token.text));
  for (const nn::Token& token : queries) query_names.push_back(printable(token.text));
  for (const auto* list : {&names, &query_names}) {
    for (const std::string& name : *list) widest = std::max(widest, base::characters(name));
  }
  const int rows = std::min(weights.rows(), static_cast<int>(query_names.size()));
  const std::size_t index_width = std::to_string(std::max(0, rows - 1)).size();
  std::string out =
      base::padded("", index_width) + " " + base::padded("query", widest) + "  → keys and weights\n";
  for (int query = 0; query < rows; ++query) {
    const std::string index = std::to_string(query);
    std::string line = std::string(index_width - index.size(), ' ') + index + " " +
                       base::padded(query_names[static_cast<std::size_t>(query)], widest) + "  →";
    const std::span<const float> row = weights.row(plane, query);
    const std::vector<int> order = strongest(row.first(std::min(row.size(), names.size())), keys);
    for (const int key : order) {
      const auto at = static_cast<std::size_t>(key);
      line += " " + base::padded(names[at], widest) + " " + decimals(static_cast<double>(row[at]), 3) + " ";
    }
    if (order.empty()) line += " nothing: every key is masked";
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace headlight::views::plain
