// Files of runs that say what no run can have been: each is answered in one line that names the run, before
// any number of it is used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "training_runs.h"

namespace headlight::scene::hostile_runs_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

io::TensorFile file_of_a_run(TrainingTask task) {
  base::Parallel parallel(1);
  TrainingSettings settings = training_run_test::quick(task);
  settings.d_model = 8, settings.length = 6, settings.steps = 60, settings.batch = 2;
  const auto run = training_run_test::started(settings, parallel);
  training_run_test::advance(*run, 20, parallel);
  return training_run_test::tensors_of(*run);
}

/// "" when the file can be gone on with; then it is, to its end.
std::string error_of(const io::TensorFile& file) {
  base::Parallel parallel(1);
  const auto opened = training_run_test::open_run(training_run_test::bytes_of(file), parallel);
  if (!opened.run) {
    EXPECT_LT(opened.error.size(), 600u);
    EXPECT_EQ(opened.error.find('\n'), std::string::npos);
    return opened.error;
  }
  opened.run->rewind(3, parallel);
  training_run_test::finish(*opened.run, parallel);
  EXPECT_EQ(training_run_test::picture(*opened.run).step, 60);
  return "";
}

class HostileRun : public testing::Test {
 protected:
  std::string with(const std::function<void(json&)>& change) const {
    io::TensorFile changed = file_;
    json state = json::parse(changed.metadata.at("training"));
    change(state);
    changed.metadata["training"] = state.dump();
    return error_of(changed);
  }
  io::TensorFile file_ = file_of_a_run(TrainingTask::reverse);
};

TEST_F(HostileRun, TheFileItselfIsGoneOnWith) {
  EXPECT_EQ(error_of(file_), "");
  EXPECT_EQ(with([](json& s) { s["film"][0] = json::array(); }), "") << "a film may be thinned";
  EXPECT_EQ(with([](json& s) { s["validation"][0][1][1] = nullptr; }), "") << "JSON's word for NaN";
}

TEST_F(HostileRun, ItsStepIsOneOfTheRun) {
  for (const char* step : {"4294967295", "4294967296", "4294967316", "18446744073709551615", "-1", "61",
                           "1e300", "-1e300", "20.5", "\"20\"", "null", "[20]", "true"}) {
    EXPECT_THAT(with([&](json& s) { s["steps"][0] = json::parse(step); }),
                HasSubstr("run 1: expected its step, 0 to 60, found"))
        << step;
  }
  EXPECT_THAT(with([](json& s) { s.erase("steps"); }), HasSubstr("found nothing"));
  EXPECT_THAT(with([](json& s) { s["steps"] = json::array(); }), HasSubstr("found nothing"));
  EXPECT_THAT(with([](json& s) { s["steps"] = 20; }), HasSubstr("found nothing"));
  EXPECT_THAT(with([](json& s) { s["steps"][0] = 19; }), HasSubstr("run 1: the"));
  EXPECT_THAT(with([](json& s) { s["steps"][0] = 21; }), HasSubstr("expected 21 losses, found 20"));
}

TEST_F(HostileRun, ItsCurvesAscendWithinIt) {
  for (const char* name : {"validation", "score"}) {
    for (const char* step : {"-1000000000", "-1", "21", "1000000000", "4294967297", "1e300", "0.5", "null"}) {
      EXPECT_THAT(with([&](json& s) { s[name][0][1][0] = json::parse(step); }), HasSubstr(name)) << step;
    }
    EXPECT_THAT(with([&](json& s) { std::swap(s[name][0][0], s[name][0][1]); }), HasSubstr("ascending"));
    EXPECT_THAT(with([&](json& s) { s[name][0][1] = s[name][0][0]; }), HasSubstr("ascending"));
    EXPECT_THAT(with([&](json& s) { s[name][0][1][2] = 1e39; }), HasSubstr(name))
        << "more than a float holds";
    EXPECT_THAT(with([&](json& s) { s[name][0][1].push_back(1); }), HasSubstr(name));
    EXPECT_THAT(with([&](json& s) { s[name][0][1] = 5; }), HasSubstr(name));
    EXPECT_THAT(with([&](json& s) { s[name][0] = json::object(); }), HasSubstr(name));
  }
}

TEST_F(HostileRun, ItsFilmAscendsBelowItsStep) {
  for (const char* film :
       {"[-5]", "[0]", "[20]", "[4, 4]", "[6, 4]", "[4294967300]", "[1e300]", "[4.5]", "4", "[null]"}) {
    EXPECT_THAT(with([&](json& s) { s["film"][0] = json::parse(film); }), HasSubstr("kept steps")) << film;
  }
  EXPECT_THAT(with([](json& s) { s["film"][0] = {3, 19}; }), HasSubstr("is missing"));
}

TEST_F(HostileRun, WhatItSaysOfItselfIsBounded) {
  const auto message = [&](const std::string& text) {
    io::TensorFile changed = file_;
    changed.metadata["training"] = text;
    return error_of(changed);
  };
  EXPECT_THAT(message("{\"settings\":" + std::string(100'000, '[')), HasSubstr("nested more deeply"));
  EXPECT_THAT(message("[]"), HasSubstr("expected a JSON object"));
  EXPECT_THAT(message("{}"), HasSubstr("the settings are missing"));
  EXPECT_THAT(with([](json& s) { s["settings"]["training_steps"] = "4294967297"; }),
              HasSubstr("out of range"));
  EXPECT_THAT(with([](json& s) { s["settings"]["training_rate"] = "nan"; }), HasSubstr("training_rate"));
  EXPECT_THAT(with([](json& s) { s["settings"]["training_heads"] = std::string(1 << 20, 'W'); }),
              HasSubstr("\"WWW"));
}

/// Changes of its settings: within the run, of settings that leave the network as it is, ending at its own.
TEST_F(HostileRun, ItsChangesLeadToItsSettings) {
  const auto changed = [&](const char* text) {
    return with([&](json& s) {
      s["settings"]["training_rate"] = "0.003";
      s["changes"] = json::parse(text);
    });
  };
  const std::string good = R"([{"step":5,"new_run":false,"settings":[["training_rate","0.01","0.003"]]}])";
  EXPECT_EQ(changed(good.c_str()), "");
  for (const char* bad :
       {"7", "[7]", "[{}]", R"([{"step":-1,"new_run":true,"settings":[]}])",
        R"([{"step":1e9,"new_run":true,"settings":[]}])", R"([{"step":5,"new_run":1,"settings":[]}])",
        R"([{"step":5,"new_run":true,"settings":[7]}])",
        R"([{"step":5,"new_run":true,"settings":[["training_heads","2","4"]]}])",
        R"([{"step":5,"new_run":false,"settings":[["training_batch","2","4"]]}])",
        R"([{"step":5,"new_run":false,"settings":[["training_rate","nan","0.003"]]}])",
        R"([{"step":5,"new_run":false,"settings":[["training_rate","0.01","0.02"]]}])",
        R"([{"step":9,"new_run":true,"settings":[]},{"step":5,"new_run":true,"settings":[]}])"})
    EXPECT_THAT(changed(bad), HasSubstr("the changes of its settings")) << bad;
  EXPECT_THAT(changed(R"([{"step":40,"new_run":true,"settings":[]}])"), HasSubstr("change after its step"));
}

TEST_F(HostileRun, ItsLossesAreAsManyAsItsSteps) {
  io::TensorFile changed = file_;
  changed.tensors["run1.losses"].values.pop_back(), --changed.tensors["run1.losses"].shape[0];
  EXPECT_THAT(error_of(changed), HasSubstr("expected 20 losses, found 19"));
  changed.tensors.erase("run1.losses");
  EXPECT_THAT(error_of(changed), HasSubstr("expected 20 losses, found 0"));
}

TEST(HostileRelations, TheirStepsAreWholeAndAscend) {
  const io::TensorFile file = file_of_a_run(TrainingTask::two_relations);
  EXPECT_EQ(error_of(file), "");
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (const float wild : {-1.f, -1e9f, 0.5f, 1e9f, 1e30f, inf, -inf, nan, 61.f}) {
    for (const std::size_t at :
         {std::size_t(0), std::size_t(1), file.tensors.at("steps").values.size() - 1}) {
      io::TensorFile changed = file;
      changed.tensors["steps"].values[at] = wild;
      EXPECT_THAT(error_of(changed), HasSubstr("\"steps\"")) << wild << " at " << at;
    }
  }
  io::TensorFile changed = file;
  changed.tensors["steps"].values[2] = changed.tensors["steps"].values[1];
  EXPECT_THAT(error_of(changed), HasSubstr("\"steps\""));
}

}  // namespace
}  // namespace headlight::scene::hostile_runs_test
