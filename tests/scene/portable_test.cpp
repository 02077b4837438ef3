// A scene with its model in itself: what is written opens elsewhere with the same numbers, for a model of our
// own, an included one and another program's; and a file that claims too much is one line.
#include "scene/portable.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "io/files.h"
#include "io/zip_file.h"
#include "models/opened_model.h"
#include "pages/compute.h"
#include "scene/figure_scene.h"
#include "scene/other_model.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"

namespace headlight::scene {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Portable : public testing::Test {
 protected:
  Portable() {
    ::setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    fs::create_directories(folder_ / "state");
  }
  std::string in(const std::string& name) const { return (folder_.path() / name).string(); }

  /// The same tokens, weights and output, wherever the model lies.
  void expect_same_picture(const Scene& a, const Scene& b) {
    const auto left = compute_now(a, parallel_, nullptr), right = compute_now(b, parallel_, nullptr);
    ASSERT_EQ(left->failure, "");
    ASSERT_EQ(right->failure, "");
    ASSERT_EQ(left->tokens.size(), right->tokens.size());
    for (std::size_t t = 0; t < left->tokens.size(); ++t)
      EXPECT_EQ(left->tokens[t].text, right->tokens[t].text);
    ASSERT_GT(left->attention.weights.size(), 0u);
    const auto x = left->attention.weights.values(), y = right->attention.weights.values();
    EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end()));
    EXPECT_EQ(left->weights_source, right->weights_source);
  }
  base::Result<Scene> back(const std::string& bytes) {
    EXPECT_TRUE(io::write_file(in("scene.zip"), bytes));
    return scene_in_file(in("scene.zip"));
  }

  tests::ScratchFolder folder_;
  base::Parallel parallel_{1};
};

TEST_F(Portable, AnotherProgramsModelGoesAlong) {
  const tests::ReferenceData& data = tests::ReferenceData::instance();
  int models = 0;
  for (const std::string family : {"tiny-gpt2", "models/llama", "models/llama2c", "models/nanogpt"}) {
    const std::string root = data.models() + family;
    if (!data.bytes(root + "/manifest.json")) continue;
    SCOPED_TRACE(family);
    const nlohmann::json variant = data.json(root + "/manifest.json")["variants"][0];
    const std::string path = tests::whole_model(family, variant["dir"], folder_.path()).string();
    Scene scene;
    ASSERT_TRUE(set_field(scene, "model=" + path));
    scene.page = Page::block, scene.token_ids = {5, 1, 7}, scene.weights_layer = 2;
    repair(scene);
    const auto bytes = portable_bytes(scene);
    ASSERT_TRUE(bytes) << bytes.error();
    const auto same = portable_bytes(scene);
    EXPECT_EQ(*bytes, *same);
    const auto opened = back(*bytes);
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_NE(opened->weights_file, path);
    EXPECT_TRUE(fs::path(opened->weights_file).string().starts_with(in("state")));
    expect_same_picture(scene, *opened);
    const auto there = other_model(scene), here = other_model(*opened);
    ASSERT_TRUE(there && here);
    EXPECT_EQ(there->model->name, here->model->name);
    EXPECT_EQ(there->tokenizer != nullptr, here->tokenizer != nullptr);
    // Opened again it is the same place, and what was opened can be saved again.
    const auto again = back(*bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->weights_file, opened->weights_file);
    // What else is there under that name is kept, and the model goes beside it.
    const fs::path first = opened->weights_file;
    const fs::path spoiled = fs::is_directory(first) ? fs::directory_iterator(first)->path() : first;
    const std::string whole = *io::read_file(spoiled, 1 << 26);
    ASSERT_TRUE(io::write_file(spoiled, "another"));
    const auto beside = back(*bytes);
    ASSERT_TRUE(beside) << beside.error();
    EXPECT_NE(beside->weights_file, opened->weights_file);
    EXPECT_EQ(*io::read_file(spoiled, 1 << 26), "another");
    expect_same_picture(scene, *beside);
    ASSERT_TRUE(io::write_file(spoiled, whole));
    const auto twice = portable_bytes(*opened);
    ASSERT_TRUE(twice) << twice.error();
    EXPECT_EQ(*twice, *bytes);
    ++models;
  }
  EXPECT_GT(models, 0);
}

TEST_F(Portable, AnIncludedModelAndOneOfOurOwnGoAlong) {
  Scene scene;
  scene.weights = WeightsSource::trained, scene.weights_file = included_models()[0];
  adopt_model(scene);
  repair(scene);
  const auto bytes = portable_bytes(scene);
  ASSERT_TRUE(bytes) << bytes.error();
  const auto opened = back(*bytes);
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(opened->weights, WeightsSource::file);
  expect_same_picture(scene, *opened);
  // Now it is a file of our own.
  const auto own = portable_bytes(*opened);
  ASSERT_TRUE(own) << own.error();
  EXPECT_EQ(*own, *bytes);
}

/// With the other file of a pair, its tokens and its scale.
TEST_F(Portable, SavedAttentionGoesAlongWithWhatIsBesideIt) {
  const tests::ReferenceData& data = tests::ReferenceData::instance();
  int files = 0;
  for (const std::string name :
       {"qk-npy/q.npy", "npy-cross/cross.npy", "st-attentions/attentions.safetensors"}) {
    const fs::path from = data.on_disk("dumps") / name, to = folder_.path() / fs::path(name).parent_path();
    if (!fs::exists(from)) continue;
    SCOPED_TRACE(name);
    fs::copy(from.parent_path(), to, fs::copy_options::recursive);
    Scene scene;
    ASSERT_TRUE(set_field(scene, "attention=" + (to / from.filename()).string()));
    repair(scene);
    const auto bytes = portable_bytes(scene);
    ASSERT_TRUE(bytes) << bytes.error();
    EXPECT_THAT(*bytes, testing::Not(HasSubstr(folder_.path().string()))) << "names a folder of this machine";
    const auto opened = back(*bytes);
    ASSERT_TRUE(opened) << opened.error();
    expect_same_picture(scene, *opened);
    ++files;
  }
  EXPECT_TRUE(files > 0 || !fs::exists(data.on_disk("dumps"))) << files;
}

TEST_F(Portable, RandomWeightsNeedNoModel) {
  const auto bytes = portable_bytes(Scene{});
  ASSERT_TRUE(bytes);
  const auto opened = back(*bytes);
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(*opened, Scene{});
  EXPECT_FALSE(fs::exists(folder_of_portable_models()));
}

/// An archive with these entries beside a scene that names `model`.
std::string archive_of(const std::string& model,
                       const std::vector<std::pair<std::string, std::string>>& files) {
  Scene scene;
  scene.weights = WeightsSource::file, scene.weights_file = model;
  const std::string text = to_json(scene);
  std::vector<io::ZipPart> parts{{"scene.json", {text}}};
  for (const auto& [name, bytes] : files) parts.push_back({name, {bytes}});
  return *io::encode_zip(parts);
}

TEST_F(Portable, WhatIsNoModelsFileIsRefused) {
  const auto refused = [&](const std::string& bytes, const std::string& why) {
    const auto opened = back(bytes);
    ASSERT_FALSE(opened) << why;
    EXPECT_THAT(opened.error(), HasSubstr(why));
    EXPECT_EQ(opened.error().find('\n'), std::string::npos);
    EXPECT_FALSE(fs::exists(folder_of_portable_models()));
  };
  for (const char* name :
       {"model/../x", "model/a/../../x", "model/a/b/c", "model/..", "model/a\\b", "model//x"})
    refused(archive_of("model/a", {{name, "1"}}), "is not the name of a model’s file");
  refused(archive_of("model/a", {{"model/b", "1"}}), "does not use the model that it holds");
  refused(archive_of("/etc", {{"model/b", "1"}}), "does not use the model that it holds");
  std::vector<std::pair<std::string, std::string>> many;
  for (int i = 0; i < 40; ++i) many.emplace_back("model/f" + std::to_string(i), "1");
  refused(archive_of("model/f1", many), "more than 32 files");
  // One that claims another size or another content than it has.
  std::string damaged = archive_of("model/a", {{"model/a", "weights"}});
  damaged[damaged.find("weights")] = 'W';
  refused(damaged, "its checksum differs");
  std::string cut = archive_of("model/a", {{"model/a", std::string(5000, 'x')}});
  cut.resize(cut.size() - 10);
  EXPECT_FALSE(back(cut));
}

TEST_F(Portable, ADamagedModelIsNamedAsTheArchiveAndTheUserKnowIt) {
  for (const char* name : {"model/a.safetensors", "model/a"}) {
    const auto opened = back(archive_of(name, {{name, "no weights"}}));
    ASSERT_FALSE(opened) << name;
    EXPECT_THAT(opened.error(), HasSubstr(std::string(".zip: ") + name + ": "));
    EXPECT_THAT(opened.error(), HasSubstr("save the scene with its model again"));
    EXPECT_THAT(opened.error(), testing::Not(HasSubstr(folder_of_portable_models().string())));
    std::error_code none;
    EXPECT_TRUE(fs::is_empty(folder_of_portable_models(), none))
        << "an unpacked copy of " << name << " is left";
  }
}

TEST_F(Portable, WithoutAFolderForItsModelItSaysSo) {
  const std::string bytes = archive_of("model/a", {{"model/a", "weights"}});
  ASSERT_TRUE(io::write_file(in("scene.zip"), bytes));
  const auto opened = open_portable(in("scene.zip"), {});
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error(), HasSubstr("set HOME or XDG_STATE_HOME"));
}

TEST_F(Portable, AModelThatIsTooLargeIsNamedInstead) {
  Scene scene;
  scene.weights = WeightsSource::file, scene.weights_file = in("missing.safetensors");
  EXPECT_FALSE(portable_bytes(scene));
  const tests::ReferenceData& data = tests::ReferenceData::instance();
  const std::string root = data.models() + "tiny-gpt2";
  if (!data.bytes(root + "/manifest.json")) HEADLIGHT_LACKS("tiny-gpt2");
  const std::string dir = data.json(root + "/manifest.json")["variants"][0]["dir"];
  const fs::path path = tests::whole_model("tiny-gpt2", dir, folder_.path());
  ASSERT_TRUE(set_field(scene, "model=" + path.string()));
  ASSERT_TRUE(portable_bytes(scene));
  // A tokenizer's file that is padded to be too large: it is part of the model.
  ASSERT_TRUE(fs::exists(path / "tokenizer.json") || fs::exists(path / "vocab.json"));
  const fs::path padded = fs::exists(path / "config.json") ? path / "generation_config.json" : path / "x";
  ASSERT_TRUE(io::write_file(padded, "{}"));
  fs::resize_file(padded, most_portable_bytes + 1);
  const auto bytes = portable_bytes(scene);
  ASSERT_FALSE(bytes);
  EXPECT_THAT(bytes.error(), AllOf(HasSubstr("MiB"), HasSubstr("save the scene as .json")));
}

}  // namespace
}  // namespace headlight::scene
