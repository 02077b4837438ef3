// The copied texts: LaTeX that is escaped, Python that runs and prints the same weight.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kit/cell_text.h"
#include "views/attention_fixture.h"

namespace headlight::views {
namespace {

nn::CellTrace some_cell(const Case& what = {}) {
  AttentionFixture f(what);
  f.open(1, 2, 3);
  return f.cell;
}

/// The few parts of NumPy that the program uses, for machines without it.
constexpr const char* small_numpy = R"(
import math
class array(list):
    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self, other))
exp, inf, nan = math.exp, math.inf, math.nan
)";

/// What `python3` prints for a program.
std::string run_python(const std::string& program) {
  const std::string folder = testing::TempDir() + "headlight_python";
  std::filesystem::create_directories(folder);
  if (std::system("python3 -c 'import numpy' > /dev/null 2>&1") != 0)
    std::ofstream(folder + "/numpy.py") << small_numpy;
  std::ofstream(folder + "/cell.py") << program;
  FILE* pipe =
      popen(("PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1 python3 '" + folder + "/cell.py' 2>&1").c_str(), "r");
  if (!pipe) return {};
  std::string out;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe)) out += buffer;
  pclose(pipe);
  std::filesystem::remove_all(folder);
  return out;
}

TEST(AttentionText, LatexCarriesTheNumbersAndEscapesTokens) {
  const nn::CellTrace cell = some_cell();
  const std::string text = cell_latex(cell, "50%_{a}\\$&#~^", "<|>");
  EXPECT_NE(text.find("50\\%\\_\\{a\\}\\textbackslash{}\\$\\&\\#\\textasciitilde{}\\textasciicircum{}"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\\textless{}\\textbar{}\\textgreater{}"), std::string::npos);
  EXPECT_NE(text.find("\\begin{align*}"), std::string::npos);
  EXPECT_NE(text.find("\\end{align*}"), std::string::npos);
  char weight[32];
  std::snprintf(weight, sizeof weight, "%.4f", cell.weight);
  EXPECT_NE(text.find(weight), std::string::npos);
  EXPECT_NE(text.find("\\sqrt{8}"), std::string::npos);
}

TEST(AttentionText, LatexBracesBalance) {
  for (const char* token : {"}", "{", "}}{", "plain"}) {
    int depth = 0;
    const std::string text = cell_latex(some_cell(), token, token);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i > 0 && text[i - 1] == '\\') continue;
      depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
      EXPECT_GE(depth, 0);
    }
    EXPECT_EQ(depth, 0);
  }
}

TEST(AttentionText, ABlockedKeyIsZeroInBothTexts) {
  const nn::CellTrace cell = some_cell({.mask = {.causal = true}});
  EXPECT_NE(cell_latex(cell, "a", "b").find("&= 0 \\quad\\text{(masked)}"), std::string::npos);
  EXPECT_NE(cell_numpy(cell, "a", "b").find("weight = 0.0"), std::string::npos);
}

TEST(AttentionText, PythonEscapesTokens) {
  const std::string text = cell_numpy(some_cell(), "say \"hi\"\\", "a\nb");
  EXPECT_NE(text.find("\"say \\\"hi\\\"\\\\\", \"a\\u000ab\""), std::string::npos) << text;
}

TEST(AttentionText, PythonPrintsTheSameWeight) {
  if (std::system("python3 -c pass > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3";
  nn::CellTrace cell = some_cell();
  char weight[32];
  std::snprintf(weight, sizeof weight, "%.6f", cell.weight);
  EXPECT_EQ(run_python(cell_numpy(cell, "say \"hi\"\\", "ü{x}")),
            "say \"hi\"\\ -> ü{x}: " + std::string(weight) + "\n");
  cell = some_cell({.settings = {"temperature=0.7"}});
  cell.add = 0.25, cell.score += cell.add;  // which only models of other programs have
  cell.weight = std::exp(cell.score - cell.row_max) / cell.row_sum;
  std::snprintf(weight, sizeof weight, "%.6f", cell.weight);
  EXPECT_EQ(run_python(cell_numpy(cell, "a", "b")), "a -> b: " + std::string(weight) + "\n");
}

}  // namespace
}  // namespace headlight::views
