#include "io/npz.h"

#include <gmock/gmock.h>

#include "io/files.h"
#include "io/npy.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

namespace headlight::io {
namespace {

using testing::HasSubstr;

const std::vector<float> floats = {1, 2, 3, 4, 5, 6};
const std::vector<double> doubles = {0.1, 0.2};

std::vector<AnyTensor> tensors() {
  return {TensorView<float>{"weights", {2, 3}, floats, {"query", "key"}},
          TensorView<double>{"ω", {2}, doubles, {"pair"}},
          TensorView<float>{"none", {0, 3}, {}, {"row", "column"}}};
}

TEST(Npz, EntriesAreNpyFilesAndTheScene) {
  const auto bytes = encode_npz(tensors(), "{\"headlight\":1}");
  ASSERT_TRUE(bytes) << bytes.error();
  std::string npy;
  write_npy(tensors()[0], [&](std::string_view piece) { npy += piece; });
  EXPECT_EQ(*read_zip_entry(*bytes, "weights.npy", "x.npz"), npy);
  EXPECT_THAT(*bytes, HasSubstr(npy)) << "stored, not compressed";
  EXPECT_EQ(*read_zip_entry(*bytes, "scene.json", "x.npz"), "{\"headlight\":1}");
  EXPECT_THAT(read_zip_entry(*bytes, "q.npy", "x.npz").error(), HasSubstr("x.npz: it contains no q.npy"));
}

TEST(Npz, TheSameTensorsAreTheSameBytes) {
  EXPECT_EQ(*encode_npz(tensors()), *encode_npz(tensors()));
}

TEST(Npz, CutAndOtherBytesAreErrors) {
  const std::string bytes = *encode_npz(tensors(), "{}");
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_FALSE(read_zip_entry(bytes.substr(0, size), "scene.json", "x.npz")) << size;
  EXPECT_FALSE(read_zip_entry("PK and nothing more", "scene.json", "x.npz"));
}

TEST(Npz, FromAFileOnlyTheEntryIsRead) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "a.npz", *encode_npz(tensors(), "{\"headlight\":1}")));
  EXPECT_EQ(*read_zip_entry(folder / "a.npz", "scene.json"), "{\"headlight\":1}");
  EXPECT_THAT(read_zip_entry(folder / "a.npz", "q.npy").error(), HasSubstr("a.npz: it contains no q.npy"));
  EXPECT_THAT(read_zip_entry(folder / "none.npz", "q").error(), HasSubstr("no such file"));
  // Five gigabytes before the archive, which has an end only.
  std::filesystem::copy(folder / "a.npz", folder / "empty.npz");
  std::filesystem::resize_file(folder / "empty.npz", std::uintmax_t(5) << 30);
  EXPECT_THAT(read_zip_entry(folder / "empty.npz", "scene.json").error(), HasSubstr("invalid archive"));
}

std::size_t listed_at(const std::string& bytes) {
  return bytes.rfind("PK\1\2");
}

TEST(Npz, ClaimsAreNotBelieved) {
  const std::string bytes = *encode_npz({}, "{\"headlight\":1}");
  const auto with = [&](std::size_t at, std::uint32_t value) {
    std::string changed = bytes;
    for (int i = 0; i < 4; ++i)
      changed[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
    return read_zip_entry(changed, "scene.json", "x.npz");
  };
  ASSERT_TRUE(with(listed_at(bytes) + 24, 15));
  for (const std::uint32_t size : {16u, 16'000'000u, 17'000'000u, 0xFFFFFFFEu}) {
    const auto read = with(listed_at(bytes) + 24, size);
    ASSERT_FALSE(read) << size;
    EXPECT_LT(read.error().size(), 200u);
  }
  const std::size_t end = bytes.rfind("PK\5\6");
  EXPECT_THAT(with(end + 12, 0x7FFFFFFF).error(), HasSubstr("too many entries"));
}

TEST(Npz, NumPyReadsIt) {
  const std::string python = tests::python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "python3-numpy is not installed";
  const tests::ScratchFolder folder;
  const std::string path = (folder / "a.npz").string();
  ASSERT_TRUE(write_file(path, *encode_npz(tensors(), "{\"headlight\":1}")));
  const auto outcome = tests::run_tool(
      {python, "-c",
       "import numpy, sys\n"
       "a = numpy.load(sys.argv[1])\n"
       "w, o = a['weights'], a['ω']\n"
       "print(w.dtype, w.shape, w.tolist(), o.dtype, o.tolist(), a['none'].shape, a['scene.json'])",
       path});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(
      outcome.message,
      "float32 (2, 3) [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] float64 [0.1, 0.2] (0, 3) b'{\"headlight\":1}'\n");
}

}  // namespace
}  // namespace headlight::io
