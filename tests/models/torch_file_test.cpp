#include "io/torch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "models/model_case.h"
#include "support/scratch_folder.h"

namespace headlight::tests::torch_file_test {
namespace {

using testing::HasSubstr;

std::optional<std::string> checkpoint() {
  return ReferenceData::instance().bytes(ReferenceData::instance().models() + "models/nanogpt/ckpt/ckpt.pt");
}
void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(TorchFile, TensorsLieWhereTheyAreSaid) {
  const auto bytes = checkpoint();
  if (!bytes) GTEST_SKIP() << "no checkpoint";
  const ScratchFolder folder;
  write(folder / "ckpt.pt", *bytes);
  const auto file = io::TorchFile::open(folder / "ckpt.pt");
  ASSERT_TRUE(file) << file.error();
  const io::Pickle& pickle = file->pickle();
  const io::PickleValue* model = pickle.member(pickle.at(pickle.root), "model");
  ASSERT_NE(model, nullptr);
  int tensors = 0;
  for (std::size_t i = 1; i < model->items.size(); i += 2) {
    const io::PickleValue& tensor = pickle.at(model->items[i]);
    ASSERT_EQ(tensor.kind, io::PickleValue::Kind::tensor);
    ++tensors;
    const auto values = file->values(tensor, 1 << 20);
    ASSERT_TRUE(values) << values.error();
    ASSERT_EQ(values->size(), io::element_count(tensor));
    float first = 0;
    ASSERT_TRUE(file->bytes()->read(file->begin(tensor), sizeof first, reinterpret_cast<std::byte*>(&first)));
    EXPECT_EQ(static_cast<double>(first), values->front());
  }
  EXPECT_EQ(tensors, 16);
}

TEST(TorchFile, DamagedFilesAreErrorsOrRead) {
  const auto bytes = checkpoint();
  if (!bytes) GTEST_SKIP() << "no checkpoint";
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "ckpt.pt";
  for (std::size_t size = 0; size < bytes->size(); size += 1 + bytes->size() / 97) {
    write(path, bytes->substr(0, size));
    const auto model = models::open_model(path);
    ASSERT_FALSE(model) << size;
    EXPECT_THAT(model.error(), HasSubstr("ckpt.pt"));
    EXPECT_LT(model.error().size(), 600u);
  }
  // The pickle and the list of entries, where a changed byte means most.
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string changed = *bytes;
    const std::size_t at = i % 2 == 0 ? random() % 2200 : bytes->size() - 1 - random() % 3000;
    changed[at] = static_cast<char>(random());
    write(path, changed);
    (void)models::open_model(path);
  }
}

TEST(TorchFile, AttentionSavedByOtherPrograms) {
  const ReferenceData& data = ReferenceData::instance();
  if (!data.bytes("dumps/manifest.json")) GTEST_SKIP() << "dumps: not in " << data.origin();
  const nlohmann::json manifest = data.json("dumps/manifest.json");
  int count = 0;
  for (const nlohmann::json& entry : manifest.contains("cases") ? manifest["cases"] : manifest["entries"]) {
    const std::string path = entry.at("path");
    if (path.size() < 3 || path.substr(path.size() - 3) != ".pt") continue;
    ++count;
    const auto file = io::TorchFile::open(data.on_disk("dumps") / path);
    if (entry.at("expect") == "ok") {
      EXPECT_TRUE(file) << file.error();
    } else {
      EXPECT_FALSE(file) << path;
    }
  }
  EXPECT_GT(count, 5);
}

}  // namespace
}  // namespace headlight::tests::torch_file_test
