// Sound files of saved attention, cut short anywhere, with any byte changed, and made worse on purpose: each
// is refused in one line that names the file, or opened as attention; quickly, and without a crash.
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>

#include "dumps/saved.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"

namespace headlight::tests {
namespace {

namespace fs = std::filesystem;

struct Sound {
  std::string name, bytes;
  fs::path folder;
};

/// The sound cases of the reference data.
std::vector<Sound> sound_files() {
  const ReferenceData& data = ReferenceData::instance();
  std::vector<Sound> out;
  if (!data.bytes("dumps/manifest.json")) return out;
  const fs::path folder = data.on_disk("dumps");
  const nlohmann::json manifest = data.json("dumps/manifest.json");
  for (const auto& entry : manifest.at("cases")) {
    if (entry.at("expect") == "error") continue;
    const fs::path path = folder / entry.at("path").get<std::string>();
    out.push_back({path.filename().string(), bytes_in(path), path.parent_path()});
  }
  return out;
}

/// Thousands of small files are written: where there is a file system in memory, there.
struct InMemory {
  InMemory() {
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 1);
  }
};

class Damaged : public testing::Test {
 protected:
  /// What lies beside a case, such as tokens and k, and the file itself.
  void beside(const Sound& sound) {
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove_all(entry.path());
    for (const auto& entry : fs::directory_iterator(sound.folder))
      fs::copy_file(entry.path(), folder_ / entry.path().filename().string());
  }

  void try_one(const Sound& sound, const std::string& bytes) {
    put(folder_ / sound.name, bytes);
    ++tried_;
    const auto dump = dumps::open_dump(folder_ / sound.name);
    if (!dump) {
      ++refused_;
      EXPECT_LT(dump.error().size(), 600u);
      EXPECT_EQ(dump.error().find('\n'), std::string::npos) << dump.error();
      EXPECT_NE(dump.error().find(folder_.path().filename().string()), std::string::npos) << dump.error();
      return;
    }
    double numbers = (*dump)->numbers();
    if (numbers > 1e6) return;
    for (const double w : all_weights(**dump)) ASSERT_TRUE(w >= 0 && w <= 1.06) << w;
  }

  InMemory first_;
  ScratchFolder folder_;
  int tried_ = 0, refused_ = 0;
};

TEST_F(Damaged, CutShortAtEveryByte) {
  for (const Sound& sound : sound_files()) {
    SCOPED_TRACE(sound.folder.filename().string());
    beside(sound);
    for (std::size_t size = 0; size < sound.bytes.size(); ++size) {
      // Every byte of headers and lists, which stand in front and at the end; of the numbers some.
      if (size > 500 && size + 500 < sound.bytes.size() && size % 64 != 0) continue;
      try_one(sound, sound.bytes.substr(0, size));
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(tried_, 10'000);
  EXPECT_EQ(tried_, refused_) << "a file that is cut short was opened";
}

TEST_F(Damaged, AnyByteChanged) {
  for (const Sound& sound : sound_files()) {
    SCOPED_TRACE(sound.folder.filename().string());
    beside(sound);
    for (std::size_t at = 0; at < sound.bytes.size(); ++at) {
      if (at > 500 && at + 500 < sound.bytes.size() && at % 64 != 0) continue;
      constexpr int flips[] = {0x01, 0x80, 0xFF};
      std::string bytes = sound.bytes;
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ flips[at % 3]);
      try_one(sound, bytes);
      if (HasFatalFailure()) return;
    }
  }
}

/// HEADLIGHT_MUTATIONS=5000 for a longer run.
TEST_F(Damaged, ManyChangesAtOnce) {
  const char* requested = std::getenv("HEADLIGHT_MUTATIONS");
  const int each = requested != nullptr ? std::atoi(requested) : 60;
  std::mt19937 random(7);
  for (const Sound& sound : sound_files()) {
    SCOPED_TRACE(sound.folder.filename().string());
    beside(sound);
    for (int n = 0; n < each; ++n) {
      std::string bytes = sound.bytes;
      for (auto changes = 1 + random() % 6; changes-- > 0 && !bytes.empty();) {
        const std::size_t at = random() % bytes.size(), length = random() % 24;
        switch (random() % 7) {
          case 0:
            bytes[at] = static_cast<char>(random());
            break;
          case 1:
            bytes.erase(at, length);
            break;
          case 2:
            bytes.insert(at, bytes.substr(random() % bytes.size(), length));
            break;
          case 3:
            bytes.replace(at, std::min(length, bytes.size() - at), std::string(length, '\xFF'));
            break;
          case 4: {  // a number in words grows
            const std::size_t digit = bytes.find_first_of("0123456789", at);
            if (digit != std::string::npos) bytes[digit] = static_cast<char>('0' + random() % 10);
            break;
          }
          case 5: {
            const std::size_t digit = bytes.find_first_of("0123456789", at);
            if (digit != std::string::npos) bytes.insert(digit, std::string(random() % 18, '9'));
            break;
          }
          default:
            bytes.resize(at);
        }
      }
      try_one(sound, bytes);
      if (HasFatalFailure()) return;
    }
  }
}

void refused_quickly(const fs::path& path, const std::vector<std::string>& any_of) {
  const auto began = std::chrono::steady_clock::now();
  const auto dump = dumps::open_dump(path);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  EXPECT_LT(took.count(), 5);
  ASSERT_FALSE(dump) << path;
  expect_line(dump.error(), path.filename().string());
  bool named = false;
  for (const std::string& part : any_of) named = named || dump.error().find(part) != std::string::npos;
  EXPECT_TRUE(named) << dump.error();
}

TEST_F(Damaged, HeadersOfNpyThatPromiseAnything) {
  const std::string one = raw<float>({1});
  const auto header = [&](const std::string& text) {
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(text.size() & 255);
    out += static_cast<char>(text.size() >> 8);
    return out + text + one;
  };
  for (const char* shape :
       {"(18446744073709551615, 1)", "(9223372036854775807, 2)", "(4294967296, 4294967296)", "(1, -1)",
        "(1.0, 1)", "1, 1", "((1, 1))", "(1 1)", "(99999999999999999999, 1)", "(,)",
        "(0, 4611686018427387904, 4611686018427387904)", "(1, 1, ", "[1, 1]", "None"}) {
    SCOPED_TRACE(shape);
    put(folder_ / "a.npy", npy_bytes("<f4", shape, one));
    refused_quickly(folder_ / "a.npy", {"shape", "cut short", "lacks", "unknown", "empty"});
  }
  for (const char* type : {"<f0", "<f", "f4", "<f4x", "<x4", "<f99999999999", "|O", "|O8", "<U4", "|S4",
                           "<M8[ns]", "<i4", "|b1", "<c16", "<f16", "", "|V8"}) {
    SCOPED_TRACE(type);
    put(folder_ / "a.npy", npy_bytes(type, "(1, 1)", std::string(64, '\0')));
    refused_quickly(folder_ / "a.npy", {"dtype"});
  }
  for (const char* text : {"", "{", "{}", "[]", "{'descr': '<f4'}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1)} x",
                           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1, 1)}",
                           "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 1)}",
                           "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 1)}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), 'more': 1}",
                           "{'descr': __import__('os').system('touch HEADLIGHT_PICKLE_RAN'), "
                           "'fortran_order': False, 'shape': (1, 1)}"}) {
    SCOPED_TRACE(text);
    put(folder_ / "a.npy", header(text));
    refused_quickly(folder_ / "a.npy", {"header", "dtype", "fortran_order"});
  }
  EXPECT_FALSE(fs::exists("HEADLIGHT_PICKLE_RAN"));
}

TEST_F(Damaged, SafetensorsThatPromiseAnything) {
  const auto file = [&](const std::string& header, const std::string& data) {
    put(folder_ / "a.safetensors", raw<std::uint64_t>({header.size()}) + header + data);
    return folder_ / "a.safetensors";
  };
  const std::string data = raw<float>({1, 1});
  for (
      const char* header :
      {R"({"attn_0":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"attn_1":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}})",
       R"({"attn_0":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})",
       R"({"attn_0":{"dtype":"F32","shape":[1,2],"data_offsets":[0,99999999999999]}})",
       R"({"attn_0":{"dtype":"F32","shape":[1,2],"data_offsets":[8,0]}})",
       R"({"attn_0":{"dtype":"F32","shape":[1,3],"data_offsets":[0,8]}})",
       R"({"attn_0":{"dtype":"I64","shape":[1,1],"data_offsets":[0,8]}})",
       R"({"attn_0":{"dtype":"OBJECT","shape":[1,1],"data_offsets":[0,8]}})",
       R"({"attn_0":{"shape":[1,2],"data_offsets":[0,8]}})", R"({"attn_0":null})", "{", "{}"}) {
    SCOPED_TRACE(header);
    refused_quickly(file(header, data),
                    {"tensor", "attn_0", "dtype", "JSON", "bytes", "header", "attention"});
  }
  // Two numbers in a byte: the shape is larger than the file, and the type is what is wrong.
  for (const auto& [type, side, message] :
       {std::tuple{"F4", "16", "\"attn_0\" has the dtype F4; attention weights are read as float32"},
        std::tuple{"F6_E2M3", "8", "its shape and type need 6"},
        std::tuple{"F2", "32", "which is not supported; supported are F32, F16, BF16 and F64"},
        std::tuple{"F2", "32000", "tensor \"attn_0\" has the dtype \"F2\", which is not supported"}})
    refused_quickly(file(std::string(R"({"attn_0":{"dtype":")") + type + R"(","shape":[1,)" + side +
                             R"(],"data_offsets":[0,8]}})",
                         data),
                    {message});
  put(folder_ / "a.safetensors", raw<std::uint64_t>({~0ull}) + "{}");
  refused_quickly(folder_ / "a.safetensors", {"header"});
  for (const char* tokens : {"the cat", "[\\\"the\\\"", "[1.5]", "{}"}) {
    const std::string header = std::string(R"({"__metadata__":{"tokens":")") + tokens +
                               R"("},"attn_0":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})";
    refused_quickly(file(header, data), {"token"});
  }
}

/// A checkpoint of any pickle, stored as torch.save does.
std::string torch_bytes(const std::string& pickle, const std::string& storage) {
  const auto number = [](std::uint64_t value, std::size_t bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
    return out;
  };
  const auto crc = [](const std::string& data) {
    std::uint32_t out = ~0u;
    for (const char c : data) {
      out ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) out = out >> 1 ^ (0xEDB88320u & (0u - (out & 1)));
    }
    return ~out;
  };
  std::string entries, list;
  for (const auto& [name, data] :
       {std::pair<std::string, std::string>{"archive/data.pkl", pickle}, {"archive/data/0", storage}}) {
    const std::string common = number(20, 2) + number(0, 2) + number(0, 2) + number(0, 4) +
                               number(crc(data), 4) + number(data.size(), 4) + number(data.size(), 4) +
                               number(name.size(), 2) + number(0, 2);
    list += "PK\1\2" + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) +
            number(entries.size(), 4) + name;
    entries += "PK\3\4" + common + name + data;
  }
  return entries + list + "PK\5\6" + number(0, 4) + number(2, 2) + number(2, 2) + number(list.size(), 4) +
         number(entries.size(), 4) + number(0, 2);
}

/// A tensor of storage 0 as a pickle says it, without what surrounds it.
std::string tensor_words(const std::string& count, const std::string& offset, const std::string& shape,
                         const std::string& steps) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((X\x07" + std::string(3, '\0') +
         "storagectorch\nFloatStorage\nX\x01" + std::string(3, '\0') + "0X\x03" + std::string(3, '\0') +
         "cpu" + count + "tQ" + offset + shape + steps + "\x89" + "ccollections\nOrderedDict\n)RtR";
}
std::string whole(std::uint64_t value) {
  std::string out = "\x8a\x08";
  for (int i = 0; i < 8; ++i) out += static_cast<char>(value >> (8 * i) & 255);
  return out;
}

TEST_F(Damaged, ALayerThatIsNoneIsMissingWhereverItIs) {
  const fs::path path = folder_ / "a.pt";
  const std::string begin("\x80\x02", 2), storage = raw<float>({1, 1, 1, 1});
  const std::string t =
      tensor_words(whole(4), whole(0), whole(4) + whole(1) + "\x86", whole(1) + whole(1) + "\x86");
  const auto written = [&](const std::string& pickle) {
    put(path, torch_bytes(begin + pickle + ".", storage));
    return dumps::open_dump(path);
  };
  ASSERT_TRUE(written("(" + t + t + "t"));
  EXPECT_EQ((*dumps::open_dump(path))->shape.layers, 2);
  struct Case {
    std::string tuple, missing;
  };
  for (const auto& [tuple, missing] :
       {Case{"N" + t + t, "attentions.0"}, Case{t + "N" + t, "attentions.1"}, Case{t + "N", "attentions.1"},
        Case{t + t + "NN", "attentions.2"}, Case{t + ")", "attentions.1"}}) {
    const auto dump = written("(" + tuple + "t");
    ASSERT_FALSE(dump) << missing;
    expect_line(dump.error(), "a.pt");
    EXPECT_NE(dump.error().find('"' + missing + "\" is missing"), std::string::npos) << dump.error();
    EXPECT_NE(dump.error().find("--entry"), std::string::npos) << dump.error();
    EXPECT_FALSE(dumps::holds_attention(path));
    const auto one = dumps::open_dump(path, {.any_rows = false, .entry = "attentions.1", .tokens = {}});
    EXPECT_EQ(static_cast<bool>(one), missing != "attentions.1") << "one array alone";
  }
}

TEST_F(Damaged, CheckpointsThatRunOrPromiseAnything) {
  const fs::path path = folder_ / "a.pt";
  const std::string begin("\x80\x02", 2), storage = raw<float>({1, 1, 1, 1});
  const auto sides = [](std::uint64_t a, std::uint64_t b) { return whole(a) + whole(b) + "\x86"; };
  const auto tensor = [&](std::uint64_t count, std::uint64_t offset, const std::string& shape,
                          const std::string& steps) {
    return tensor_words(whole(count), whole(offset), shape, steps);
  };
  put(path, torch_bytes(begin + tensor(4, 0, sides(4, 1), sides(1, 1)) + ".", storage));
  ASSERT_TRUE(dumps::open_dump(path));
  const std::uint64_t most = ~0ull >> 1;
  const std::string pickles[] = {
      "cos\nsystem\nX\x05" + std::string(3, '\0') + "falsetR.",
      "cposix\nsystem\n(X\x05" + std::string(3, '\0') + "falsetR.",
      "c__builtin__\neval\n(X\x01" + std::string(3, '\0') + "1tR.",
      "cbuiltins\nexec\n(X\x01" + std::string(3, '\0') + "1tR.",
      "csubprocess\nPopen\n)R.",
      "ctorch\nload\n)R.",
      "ctorch._utils\n_rebuild_tensor_v2\n)R.",
      "(ios\nsystem\n.",
      "\x8c\x02os\x8c\x06system\x93)R.",
      "]" + tensor(4, 0, sides(4, 1), sides(1, 1)) + "a",
      tensor(5, 0, sides(5, 1), sides(1, 1)) + ".",  // the storage is shorter
      tensor(4, 1, sides(4, 1), sides(1, 1)) + ".",  // beyond it
      tensor(4, 0, sides(4, 1), sides(2, 1)) + ".",
      tensor(4, most, sides(1, 1), sides(1, 1)) + ".",
      tensor(4, 0, sides(most, most), sides(most, most)) + ".",
      tensor(4, 0, sides(most, 1), sides(0, 1)) + ".",  // a step of 0: any size from one number
      tensor(4, 0, sides(1 << 20, 1 << 20), sides(0, 0)) + ".",
      tensor(4, 0, sides(~0ull, 1), sides(1, 1)) + ".",
      tensor(4, 0, sides(4, 1), sides(~0ull, 1)) + ".",
      tensor(most, 0, sides(4, 1), sides(1, 1)) + ".",
      tensor(4, 0, sides(0, 1), sides(1, 1)) + ".",
      "N.",
      "].",
      "}.",
  };
  for (const std::string& pickle : pickles) {
    SCOPED_TRACE(pickle.substr(0, 60));
    put(path, torch_bytes(begin + pickle, storage));
    refused_quickly(path, {"pickle", "storage", "tensor", "shape", "claim", "axis", "attention", "empty"});
  }
  // The same tensor ten thousand times, and lists of lists of it.
  std::string many = "(" + tensor(4, 0, sides(4, 1), sides(1, 1)) + "q\x01";
  for (int i = 0; i < 9'999; ++i) many += "h\x01";
  put(path, torch_bytes(begin + many + "t.", storage));
  const auto repeated = dumps::open_dump(path);
  ASSERT_TRUE(repeated) << repeated.error();  // honest: a step costs four numbers
  EXPECT_EQ((*repeated)->shape.layers, 10'000);
  std::string nested = "(" + tensor(4, 0, sides(4, 1), sides(1, 1)) + "q\x01";
  for (int level = 2; level < 6; ++level) {
    nested += "(";
    for (int i = 0; i < 2000; ++i) nested += std::string("h") + static_cast<char>(level - 1);
    nested += std::string("tq") + static_cast<char>(level);
  }
  put(path, torch_bytes(begin + nested + "t.", storage));
  refused_quickly(path, {"too"});
}

}  // namespace
}  // namespace headlight::tests
