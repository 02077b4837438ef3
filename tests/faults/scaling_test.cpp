// How work grows with what comes from outside: twice the size costs what growing.cpp says, counted in
// allocations, in bytes and in instructions.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <string>

#include "faults/failing_calls.h"
#include "faults/growing.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

namespace headlight::faults {

static void PrintTo(const Growing& growing, std::ostream* out) {
  *out << growing.name;
}

namespace {

namespace fs = std::filesystem;

class Scaling : public testing::TestWithParam<Growing> {};

TEST_P(Scaling, AllocationsAndBytesGrowAsStated) {
  const Growing& one = GetParam();
  const auto counted = [&](int n) {
    const auto work = one.work(n);
    work();  // tables that are made once are there
    return memory_of(work);
  };
  const Memory once = counted(one.n), twice = counted(2 * one.n);
  EXPECT_LE(static_cast<double>(twice.allocations), one.most * static_cast<double>(once.allocations) + 32)
      << once.allocations << " allocations, then " << twice.allocations;
  EXPECT_LE(static_cast<double>(twice.bytes), one.most * static_cast<double>(once.bytes) + 65'536)
      << once.bytes << " bytes, then " << twice.bytes;
}
INSTANTIATE_TEST_SUITE_P(Every, Scaling, testing::ValuesIn(growing().begin(), growing().end()),
                         [](const auto& parameter) {
                           std::string name = parameter.param.name;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

/// "NAME n" → instructions.
std::map<std::string, double> counts_in(const fs::path& folder) {
  std::map<std::string, double> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    const std::string trigger = "desc: Trigger: Client Request: ", totals = "totals: ";
    std::string line, name;
    while (std::getline(file, line)) {
      if (line.starts_with(trigger)) name = line.substr(trigger.size());
      if (line.starts_with(totals) && !name.empty()) out[name] = std::atof(line.c_str() + totals.size());
    }
  }
  return out;
}

TEST(ScalingOfInstructions, GrowsAsStated) {
  if (const std::string missing = tests::missing_tool("valgrind"); !missing.empty()) GTEST_SKIP() << missing;
  const tests::ScratchFolder folder;
  const tests::ToolOutcome outcome =
      tests::run_tool({"valgrind", "--tool=callgrind", "--collect-atstart=no",
                       "--callgrind-out-file=" + (folder / "out").string(), HEADLIGHT_GROWTH});
  ASSERT_EQ(outcome.status, 0) << outcome.message.substr(0, 2000);
  const auto counts = counts_in(folder.path());
  for (const Growing& one : growing()) {
    const std::string name = one.name;
    ASSERT_TRUE(counts.contains(name + " n") && counts.contains(name + " 2n")) << name;
    const double once = counts.at(name + " n"), twice = counts.at(name + " 2n");
    EXPECT_GT(once, 1000) << name;
    EXPECT_LE(twice, one.most * once) << name << ": " << once << " instructions, then " << twice;
  }
}

}  // namespace
}  // namespace headlight::faults
