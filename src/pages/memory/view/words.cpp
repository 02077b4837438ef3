// The tooltip of a cell of any matrix on the Memory page.
#include <array>

#include "kit/page_input.h"
#include "pages/memory/binary.h"
#include "pages/memory/memory.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

std::string four_decimals(float value) {
  return fixed(static_cast<double>(value), 4);
}

bool inside(const nn::Matrix& m, int row, int col) {
  return row >= 0 && row < m.rows() && col >= 0 && col < m.cols();
}

std::string element(const std::string& name, int row, int col) {
  return name + "[" + std::to_string(row + 1) + ", " + std::to_string(col + 1) + "]";
}

}  // namespace

std::string memory_cell_words(const PageInput& in, const draw::Hit& hit) {
  const scene::MemoryResults* r = in.own<scene::MemoryResults>();
  const std::string& name = hit.mark.name;
  if (!r || hit.map.w <= 0 || name.empty()) return {};
  const int row = static_cast<int>(hit.cell.y), col = static_cast<int>(hit.cell.x);
  if (row < 0 || col < 0) return {};
  if (name == "pattern weights") {
    if (!inside(r->retrieval.weights, col, row)) return {};
    return "update " + std::to_string(col + 1) + ", pattern " + std::to_string(row + 1) + "\nweight " +
           in.text(quantity("pattern_weight", {{"update", col + 1}, {"pattern", row + 1}}));
  }
  if (name == "bits" && r->binary) {
    if (!inside(r->binary->states, row, col)) return {};
    const char* what[] = {"pattern 1", "probe", "final state"};
    return std::string(what[row]) + ", bit " + std::to_string(col + 1) + "\n" +
           fixed(static_cast<double>(r->binary->states.at(row, col)), 0);
  }
  if (name == "nearest pattern" || name == "state") {
    const int line = name == "state" ? row + 1 : row;
    if (!inside(r->retrieval.comparison, line, col)) return {};
    const std::string what = name == "nearest pattern" ? "pattern " + std::to_string(r->retrieval.nearest + 1)
                             : row == 0                ? "probe"
                                                       : "after update " + std::to_string(row);
    return what + ", element " + std::to_string(col + 1) + "\n" +
           four_decimals(r->retrieval.comparison.at(line, col));
  }
  if (!r->sentence) return {};
  const scene::SentenceMemory& m = *r->sentence;
  const bool delta = in.results.scene.memory.write == scene::MemoryWrite::delta;
  const auto token = [&](int t) {
    return in_quotes(shown_token(in.results.tokens[static_cast<std::size_t>(t)].text));
  };
  const struct {
    const char* name;
    const nn::Matrix& values;
    bool over_tokens;  // columns are keys
    const char* rows = "query ";
  } by_token[] = {{"linear weights", m.linear, true},
                  {"softmax weights", m.softmax, true},
                  {"weight difference", m.weight_difference, true},
                  {"linear output", m.linear_output, false},
                  {"softmax output", m.softmax_output, false},
                  {"output difference", m.output_difference, false},
                  {"q", m.q, false},
                  {"k", m.k, false, "key "},
                  {"values", m.v, false, "key "},
                  {"output", m.linear_output, false}};
  for (const auto& known : by_token) {
    if (name != known.name || !inside(known.values, row, col)) continue;
    const std::string where = known.over_tokens
                                  ? "query " + token(row) + ", key " + token(col)
                                  : known.rows + token(row) + ", element " + std::to_string(col + 1);
    if (known.over_tokens && col > row) return name + "\n" + where + "\nmasked: the key comes later";
    const char* of = name == "linear weights"    ? "linear_weight"
                     : name == "softmax weights" ? "softmax_weight"
                                                 : nullptr;
    return name + "\n" + where + "\n" +
           (of ? in.text(quantity(of, {{"query", row}, {"key", col}}))
               : four_decimals(known.values.at(row, col)));
  }
  const int t = r->step - 1;
  const nn::FastWeightTrace<float>& trace = delta ? m.delta : m.sum;
  if (row >= m.v.cols() || col >= m.phi_k.cols()) return {};
  if (name == "W before")
    return element(name, row, col) + "\n" +
           four_decimals(!r->kept.empty() ? r->kept.at(row, col)
                         : t > 0          ? trace.states.at(t - 1, row, col)
                                          : 0.f);
  if (name == "W at the end")
    return element(name, row, col) + "\n" + four_decimals(m.sum.states.at(m.q.rows() - 1, row, col));
  if (name == "W after") return element(name, row, col) + "\n" + four_decimals(trace.states.at(t, row, col));
  if (name == "outer product") {
    const float key = (delta ? m.unit_k : m.phi_k).at(t, col);
    return element(name, row, col) + "\n" + four_decimals(r->value[static_cast<std::size_t>(row)]) + " · " +
           four_decimals(key) + " = " + four_decimals(r->written.at(row, col));
  }
  if (name == "φ(k)")
    return element(name, 0, col) + "\n" + four_decimals((delta ? m.unit_k : m.phi_k).at(t, col));
  if (name == "φ(q)")
    return element(name, 0, col) + "\n" + four_decimals((delta ? m.unit_q : m.phi_q).at(t, col));
  if (name == "y") return element(name, row, 0) + "\n" + four_decimals(trace.y.at(t, row));
  if (name == "v" || name == "v − W φ(k)")
    return element(name, row, 0) + "\n" + four_decimals(r->value[static_cast<std::size_t>(row)]);
  return {};
}

}  // namespace headlight::views
