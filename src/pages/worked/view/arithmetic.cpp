#include <cmath>

#include "pages/worked/view/view.h"
#include "pages/worked/worked.h"

namespace headlight::views {

using scene::WorkedResults;

int step_of(WorkedStage stage) {
  switch (stage) {
    case WorkedStage::q:
    case WorkedStage::k:
    case WorkedStage::v:
      return 1;
    case WorkedStage::products:
      return 2;
    case WorkedStage::scores:
      return 3;
    case WorkedStage::weights:
      return 4;
    case WorkedStage::output:
      break;
  }
  return 5;
}

const char* name_of(WorkedStage stage) {
  constexpr const char* names[] = {"Q", "K", "V", "QKᵀ", "S", "A", "O"};
  return names[static_cast<int>(stage)];
}

namespace {

constexpr const char* step_names[] = {"project", "multiply", "scale", "softmax", "sum"};

}  // namespace

std::string step_name(int step) {
  return step_names[step - 1];
}

std::array<Choice, worked_steps> step_choices(const PageInput& in, bool short_names,
                                              const std::string& before) {
  constexpr WorkedStage stages[] = {WorkedStage::q, WorkedStage::products, WorkedStage::scores,
                                    WorkedStage::weights, WorkedStage::output};
  std::array<Choice, worked_steps> choices;
  for (int s = 1; s <= worked_steps; ++s) {
    const std::string number = std::to_string(s);
    choices[static_cast<std::size_t>(s - 1)] = {
        short_names ? number : number + " " + step_name(s),
        "worked_step=" + number + ";worked_stage=" + scene::word(stages[s - 1]), before + "step " + number,
        in.scene.worked.step == s, "show the results up to this step"};
  }
  return choices;
}

namespace {

std::string at(const char* name, int row, int col) {
  return std::string(name) + "[" + std::to_string(row) + "," + std::to_string(col) + "]";
}

/// A sum of products, row of `a` by column of `b`, one line for each term.
struct Sum {
  const char *a_name, *b_name;
  const nn::Matrix &a, &b;
  bool b_turned = false;  // the row of b instead of its column
};

void write_sum(std::vector<WorkedLine>& out, const Sum& sum, int row, int col) {
  for (int n = 0; n < sum.a.cols(); ++n) {
    const int b_row = sum.b_turned ? col : n, b_col = sum.b_turned ? n : col;
    const double a = static_cast<double>(sum.a.at(row, n)), b = static_cast<double>(sum.b.at(b_row, b_col));
    out.push_back({(n == 0 ? "" : "+ ") + at(sum.a_name, row, n) + " × " + at(sum.b_name, b_row, b_col) +
                       " = " + worked_number(a) + " × " + worked_number(b),
                   worked_number(a * b)});
  }
}

/// A quantity; while a matrix is invalid quantities have no value, and the numbers of the last good one stay.
std::string kept_number(const PageInput& in, const WorkedResults& r, const std::string& name, float shown) {
  return r.problem.empty() ? in.text(name) : worked_number(static_cast<double>(shown));
}

std::string entry_number(const PageInput& in, const WorkedResults& r, const char* name, WorkedEntry e,
                         float shown) {
  return kept_number(in, r, quantity(name, {{"row", e.row}, {"col", e.col}}), shown);
}

/// The result of a stage.
std::string result_number(const PageInput& in, const WorkedResults& r, WorkedEntry e) {
  constexpr const char* names[] = {"worked_q",     "worked_k",      "worked_v",     "worked_product",
                                   "worked_score", "worked_weight", "worked_output"};
  return entry_number(in, r, names[static_cast<int>(e.stage)], e, value_of(r, e));
}

void write_weight(const PageInput& in, std::vector<WorkedLine>& out, const WorkedResults& r, WorkedEntry e) {
  const double largest = static_cast<double>(r.trace.row_max.at(0, e.row));
  const auto lines_of_sum = [&] {
    std::string words;
    for (int j = 0; j < r.trace.T; ++j) {
      if (!r.trace.allowed[static_cast<std::size_t>(e.row)].has(j)) continue;
      words += (words.empty() ? "" : " + ") + worked_number(static_cast<double>(r.exponentials.at(e.row, j)));
    }
    return words;
  };
  out.push_back(
      {at("S", e.row, e.col), entry_number(in, r, "worked_score", e, r.trace.scores.at(0, e.row, e.col))});
  out.push_back({"− largest score of row " + std::to_string(e.row), worked_number(largest)});
  out.push_back(
      {"exp of the difference", entry_number(in, r, "worked_numerator", e, r.exponentials.at(e.row, e.col))});
  out.push_back(
      {"÷ row sum " + lines_of_sum(),
       kept_number(in, r, quantity("worked_denominator", {{"row", e.row}}), r.trace.row_sum.at(0, e.row))});
}

}  // namespace

int rows_of(const WorkedResults& results, WorkedStage stage) {
  return matrix_of(results, stage).rows();
}
int cols_of(const WorkedResults& results, WorkedStage stage) {
  return matrix_of(results, stage).cols();
}
float value_of(const WorkedResults& results, WorkedEntry entry) {
  return matrix_of(results, entry.stage).at(entry.row, entry.col);
}
bool masked(const WorkedResults& results, WorkedEntry entry) {
  if (entry.stage != WorkedStage::scores && entry.stage != WorkedStage::weights) return false;
  return !results.trace.allowed[static_cast<std::size_t>(entry.row)].has(entry.col);
}

std::string indexed(const char* letter, int index) {
  constexpr const char* digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  return std::string(letter) + digits[index % 10];
}

std::string worked_number(double value) {
  return base::compact(value);
}

std::string entry_words(const PageInput& in, const WorkedResults& results, WorkedEntry entry) {
  return at(name_of(entry.stage), entry.row, entry.col) + " = " +
         (masked(results, entry) && entry.stage == WorkedStage::scores ? "masked"
                                                                       : result_number(in, results, entry));
}

std::vector<WorkedLine> arithmetic(const PageInput& in, const WorkedResults& r, WorkedEntry e) {
  std::vector<WorkedLine> out;
  if (masked(r, e)) {
    out.push_back({"key " + std::to_string(e.col) + " comes after query " + std::to_string(e.row), "masked"});
    out.push_back(
        {e.stage == WorkedStage::weights ? "its weight is exactly" : "its score is not part of the row",
         e.stage == WorkedStage::weights ? "0" : "−∞", true});
    return out;
  }
  switch (e.stage) {
    case WorkedStage::q:
      write_sum(out, {"X", "W_Q", r.x, r.w_q}, e.row, e.col);
      break;
    case WorkedStage::k:
      write_sum(out, {"X", "W_K", r.x, r.w_k}, e.row, e.col);
      break;
    case WorkedStage::v:
      write_sum(out, {"X", "W_V", r.x, r.w_v}, e.row, e.col);
      break;
    case WorkedStage::products:
      write_sum(out, {"Q", "K", r.trace.q, r.trace.k, true}, e.row, e.col);
      break;
    case WorkedStage::scores:
      out.push_back(
          {at("QKᵀ", e.row, e.col), worked_number(static_cast<double>(r.products.at(e.row, e.col)))});
      out.push_back(r.trace.scale == 1 && r.trace.d_k != 1
                        ? WorkedLine{"not divided by √d_k", "÷ 1"}
                        : WorkedLine{"÷ √d_k = √" + std::to_string(r.trace.d_k), worked_number(r.sqrt_d_k)});
      break;
    case WorkedStage::weights:
      write_weight(in, out, r, e);
      break;
    case WorkedStage::output:
      write_sum(out, {"A", "V", r.trace.weights, r.trace.v}, e.row, e.col);
      break;
  }
  out.push_back({at(name_of(e.stage), e.row, e.col), result_number(in, r, e), true});
  return out;
}

namespace {

/// Adds the product "a × b" to a sum, with the sign of a in the place of the plus.
void add_product(std::string& sum, std::string product) {
  constexpr std::string_view times = " × ";
  const auto negative = [](std::string_view number) {
    return number.starts_with("−") ? std::string_view("−").size() : number.starts_with("-") ? 1 : 0;
  };
  const std::size_t at = product.find(times);
  if (at != std::string::npos && negative(std::string_view(product).substr(at + times.size())) > 0)
    product = product.substr(0, at + times.size()) + "(" + product.substr(at + times.size()) + ")";
  if (sum.empty()) {
    sum = product;
  } else if (const std::size_t sign = negative(product); sign > 0) {
    sum += " − " + product.substr(sign);
  } else {
    sum += " + " + product;
  }
}

}  // namespace

std::string equation(const PageInput& in, const WorkedResults& r, WorkedEntry e) {
  const std::string whole = entry_words(in, r, e);
  if (masked(r, e)) return whole;
  constexpr std::string_view is = " = ";
  const std::size_t equals = whole.find(is);
  const std::vector<WorkedLine> lines = arithmetic(in, r, e);
  std::string words;
  if (e.stage == WorkedStage::scores) {
    words = lines[1].value == "÷ 1" ? lines[0].value + " ÷ 1" : lines[0].value + " ÷ " + lines[1].value;
  } else if (e.stage == WorkedStage::weights) {
    words = lines[2].value + " ÷ " + lines[3].value;
  } else {
    for (const WorkedLine& line : lines) {  // "A[0,0] × V[0,0] = 0.401 × 1"
      const std::size_t from = line.words.find(is);
      if (line.result || from == std::string::npos) continue;
      add_product(words, line.words.substr(from + is.size()));
    }
  }
  return whole.substr(0, equals) + std::string(is) + words + whole.substr(equals);
}

}  // namespace headlight::views
