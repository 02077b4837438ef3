#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <map>

#include "io/file_bytes.h"
#include "io/zip_file.h"
#include "io/zip_list.h"
#include "models/model_case.h"
#include "support/sanitized.h"
#include "support/scratch_folder.h"

namespace headlight::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}
std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::string error_of(const fs::path& path) {
  const auto model = models::open_model(path);
  if (model) return "it was opened";
  EXPECT_LT(model.error().size(), 600u);
  EXPECT_EQ(model.error().find('\n'), std::string::npos);
  return model.error();
}

/// A copy of a packed model that may be changed.
class Copy {
 public:
  explicit Copy(const std::string& name) {
    const ReferenceData& data = ReferenceData::instance();
    const std::string model = data.models() + name;
    for (const char* file : {"/config.json", "/model.bin", "/ckpt.pt"})
      there_ = there_ || data.bytes(model + file).has_value();
    if (there_) fs::copy(data.on_disk(model), path(), fs::copy_options::recursive);
  }
  bool there() const { return there_; }
  fs::path path() const { return folder_ / "model"; }
  fs::path operator/(const std::string& name) const { return path() / name; }
  nlohmann::json config() const { return nlohmann::json::parse(read(path() / "config.json")); }
  void set_config(const nlohmann::json& config) const { write(path() / "config.json", config.dump()); }

 private:
  ScratchFolder folder_;
  bool there_ = false;
};

/// A file of weights alone: what is wrong is told of it, and not of a config.json that nobody named.
TEST(OpenModel, WeightsWithoutTheirConfigAreNamed) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "weights.safetensors";
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  write(path, std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header + "1234");
  EXPECT_THAT(error_of(path), AllOf(HasSubstr("weights.safetensors: config.json"),
                                    HasSubstr("put the model’s config.json into the same folder")));
  write(path, "1234567");
  EXPECT_THAT(error_of(path), HasSubstr("weights.safetensors: too short for a safetensors file"));
  write(path, "version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12345\n");
  EXPECT_THAT(error_of(path), testing::EndsWith("fetch the file with git lfs pull"));
  for (const char* name : {"weights.bin", "weights.pt"}) {
    write(folder.path() / name, "<!DOCTYPE html><html>404</html>");
    EXPECT_THAT(error_of(folder.path() / name), testing::EndsWith("download the file itself")) << name;
  }
}

TEST(OpenModel, AFolderOrAFileOfIt) {
  const Copy shards("models/llama/bf16-sharded");
  if (!shards.there()) GTEST_SKIP() << "no packed models";
  for (const fs::path& path : {shards.path(), shards / "config.json", shards / "model.safetensors.index.json",
                               shards / "model-00001-of-00002.safetensors"}) {
    const auto model = models::open_model(path);
    ASSERT_TRUE(model) << model.error();
    EXPECT_EQ((*model)->family, "Llama");
    EXPECT_EQ((*model)->name, shards.path().parent_path().filename().string() + "/model");
    EXPECT_EQ((*model)->types, "BF16");
    EXPECT_TRUE(models::may_be_model(path));
  }
  const Copy bin("models/llama2c/v1");
  ASSERT_TRUE(models::open_model(bin.path()));
  ASSERT_TRUE(models::open_model(bin / "model.bin"));
  EXPECT_THAT(error_of(bin / "nothing.bin"), HasSubstr("no such file"));
  EXPECT_THAT(error_of(bin / "nothing"), HasSubstr("no such file"));
}

TEST(OpenModel, TensorsAreListedByLayerAndThoseOfLlama2cAsTheyLie) {
  const Copy bin("models/llama2c/v1");
  if (!bin.there()) GTEST_SKIP() << "no packed models";
  const auto opened = models::open_model(bin.path());
  ASSERT_TRUE(opened) << opened.error();
  std::uintmax_t numbers = 0;
  std::vector<std::string> unused;
  for (const models::ListedTensor& tensor : (*opened)->tensors) {
    std::uintmax_t count = 1;
    for (const std::size_t side : tensor.shape) count *= side;
    numbers += count;
    if (!tensor.used) unused.push_back(tensor.name);
  }
  EXPECT_EQ(256 + 4 * numbers, fs::file_size(bin / "model.bin")) << "the list covers the file";
  EXPECT_THAT(unused, testing::IsEmpty());

  // Twelve names that the network does not need: by number, not by letter.
  const Copy gpt("tiny-gpt2/bf16-bare");
  if (!gpt.there()) GTEST_SKIP() << "no packed models";
  const std::string file = read(gpt / "model.safetensors");
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  nlohmann::json header = nlohmann::json::parse(file.substr(8, length));
  const std::size_t end = file.size() - 8 - length;
  for (int n = 0; n < 12; ++n)
    header["x." + std::to_string(n) + ".w"] = {
        {"dtype", "F32"}, {"shape", {0}}, {"data_offsets", {end, end}}};
  const std::string text = header.dump();
  length = text.size();
  write(gpt / "model.safetensors",
        std::string(reinterpret_cast<const char*>(&length), 8) + text + file.substr(file.size() - end));
  const auto more = models::open_model(gpt.path());
  ASSERT_TRUE(more) << more.error();
  std::vector<std::string> names;
  for (const models::ListedTensor& tensor : (*more)->tensors)
    if (tensor.name.starts_with("x.")) names.push_back(tensor.name);
  ASSERT_EQ(names.size(), 12u);
  for (std::size_t n = 0; n < names.size(); ++n) EXPECT_EQ(names[n], "x." + std::to_string(n) + ".w");
}

/// Quantized to four bits: two numbers share a byte, and some programs store the bytes with their own shape.
TEST(OpenModel, ATypeThatIsNotReadIsNamedBeforeItsShape) {
  const Copy gpt("tiny-gpt2/bf16-bare");
  if (!gpt.there()) GTEST_SKIP() << "no packed models";
  const std::string file = read(gpt / "model.safetensors");
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  const nlohmann::json header = nlohmann::json::parse(file.substr(8, length));
  const std::string data = file.substr(8 + length);
  for (const auto& [type, times] : {std::pair{"F4", 4}, std::pair{"U8", 2}}) {
    nlohmann::json changed = header;
    for (auto& [name, tensor] : changed.items()) {
      if (name == "__metadata__") continue;
      tensor["dtype"] = type;
      tensor["shape"].back() = tensor["shape"].back().get<int>() * times;
    }
    const std::string text = changed.dump();
    length = text.size();
    write(gpt / "model.safetensors", std::string(reinterpret_cast<const char*>(&length), 8) + text + data);
    EXPECT_THAT(error_of(gpt.path()),
                AllOf(HasSubstr("tensor \""), HasSubstr(std::string("has the dtype ") + type +
                                                        "; supported are F32, F16, BF16 and F64")));
  }
}

TEST(OpenModel, ASizeInTheHeaderOfLlama2cIsNamed) {
  const Copy bin("models/llama2c/v1");
  if (!bin.there()) GTEST_SKIP() << "no packed models";
  const std::string sound = read(bin / "model.bin");
  const auto with = [&](std::size_t field, std::int32_t value) {
    std::string bytes = sound;
    std::memcpy(bytes.data() + 8 + 4 * field, &value, 4);
    write(bin / "model.bin", bytes);
    return error_of(bin / "model.bin");
  };
  EXPECT_THAT(with(0, 0), AllOf(HasSubstr("model.bin: "),
                                HasSubstr("dim in its header should be from 1 to 1048576, but is 0")));
  EXPECT_THAT(with(0, 30), HasSubstr("dim 30 in its header is not divisible by n_heads 4"));
  EXPECT_THAT(with(0, 12), HasSubstr("its heads have 3 components"));
  EXPECT_THAT(with(2, -1), HasSubstr("n_layers in its header should be from 1 to 4096, but is -1"));
  EXPECT_THAT(with(4, 5), HasSubstr("n_kv_heads in its header should be from 1 to 4, but is 5"));
  EXPECT_THAT(with(4, 3), HasSubstr("n_heads 4 in its header is not divisible by n_kv_heads 3"));
}

/// What its first bytes look like matters only if it cannot be opened.
TEST(OpenModel, ALlama2cFileMayBeginWithTheBytesOfSomethingElse) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "g.bin";
  const auto with = [&](std::int32_t width) {
    const std::int32_t header[] = {width, 1, 1, 1, 1, 1, 1};
    const std::size_t numbers = static_cast<std::size_t>(4 * width * width + 8 * width);
    write(path,
          std::string(reinterpret_cast<const char*>(header), sizeof header) + std::string(4 * numbers, '\0'));
    return error_of(path);
  };
  EXPECT_EQ(with(128), "it was opened") << "a pickle begins with this byte";
  EXPECT_THAT(with(123), HasSubstr("its heads have 123 components")) << "and JSON in UTF-16";
  EXPECT_THAT(with(91), HasSubstr("its heads have 91 components"));
  for (const auto& [bytes, reported] :
       {std::pair{std::string("\x1F\x8B\x08\0\0\0\0\0\0\3rest of the packed file", 33),
                  "it is packed with gzip: unpack it first"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12345\n",
         "fetch the file with git lfs pull"},
        {"version 2 of a file with something else in it", "copy or download the file again"},
        {"PK\3\4 and the rest of what is in it, which is long", "save the model as safetensors"},
        {"\x80\2}q and the rest of what is in it, which is long", "save the model as safetensors"}}) {
    write(path, bytes);
    EXPECT_THAT(error_of(path), testing::EndsWith(reported)) << bytes;
  }
}

TEST(OpenModel, AFileOfATokenizerBesideAConfigIsAFileOfTheModel) {
  const Copy model("models/opt/f16");
  if (!model.there()) GTEST_SKIP() << "no packed models";
  for (const char* name : {"tokenizer.json", "vocab.json", "merges.txt", "vocab.txt"}) {
    write(model / name, "{}");
    EXPECT_TRUE(models::may_be_model(model / name)) << name;
    const auto opened = models::open_model(model / name);
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_EQ((*opened)->family, "OPT");
  }
  EXPECT_FALSE(models::may_be_model(model / "story.txt"));
  fs::remove(model / "config.json");
  EXPECT_FALSE(models::may_be_model(model / "vocab.txt"));
}

TEST(OpenModel, ACheckpointThatLacksASizeIsNotBlamedOnAConfig) {
  const Copy model("models/nanogpt/ckpt");
  if (!model.there()) GTEST_SKIP() << "no packed models";
  // The archive anew, with another name of n_layer in its pickle.
  const auto file = io::FileBytes::open(model / "ckpt.pt");
  ASSERT_TRUE(file) << file.error();
  const auto entries = io::list_zip(**file);
  ASSERT_TRUE(entries) << entries.error();
  std::map<std::string, std::string> contents;
  for (const auto& [name, entry] : *entries) {
    std::string& bytes = contents[name] = *io::stored_entry(**file, name, entry);
    if (name.ends_with("data.pkl")) bytes.replace(bytes.find("n_layer"), 7, "m_layer");
  }
  std::vector<io::ZipPart> parts;
  for (const auto& [name, bytes] : contents) parts.push_back({name, {bytes}});
  write(model / "ckpt.pt", *io::encode_zip(parts));
  fs::remove(model / "config.json");
  EXPECT_THAT(
      error_of(model / "ckpt.pt"),
      AllOf(HasSubstr("tensor \"transformer.h.2.ln_1.weight\" is missing; its entry model_args requires"),
            HasSubstr("; save the checkpoint again")));
}

TEST(OpenModel, TheFilesThatDecideWhatIsOpened) {
  const ScratchFolder folder;
  const auto files = [&](const std::vector<std::string>& there, const std::string& path = "") {
    fs::remove_all(folder / "m");
    fs::create_directory(folder / "m");
    for (const std::string& name : there) write(folder / "m" / name, name);
    std::vector<std::string> out;
    for (const fs::path& file : models::model_files(path.empty() ? folder / "m" : folder / "m" / path))
      out.push_back(file.filename().string());
    return out;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(files({}), Names());
  EXPECT_EQ(files({"notes.txt", "README.md"}), Names());
  EXPECT_EQ(
      files({"vocab.txt", "model.safetensors", "other.safetensors", "config.json", "pytorch_model.bin"}),
      Names({"config.json", "model.safetensors", "vocab.txt"}));
  const Names shards{"config.json",
                     "merges.txt",
                     "model-00001-of-00002.safetensors",
                     "model-00002-of-00002.safetensors",
                     "model.safetensors.index.json",
                     "vocab.json"};
  EXPECT_EQ(files(shards), shards);
  EXPECT_EQ(files(shards, "config.json"), shards);
  EXPECT_EQ(files({"ckpt.pt", "tokenizer.json", "more.bin"}), Names({"ckpt.pt", "tokenizer.json"}));
  const Names bins{"stories.bin", "tok512.bin"};
  EXPECT_EQ(files(bins), bins);
  EXPECT_EQ(files({"a.bin", "b.bin", "tok512.bin"}, "a.bin"), Names({"a.bin", "tok512.bin"}));
  // A run of Headlight's own, whatever else is beside it.
  EXPECT_EQ(files({"run.safetensors", "vocab.txt"}, "run.safetensors"), Names({"run.safetensors"}));
}

TEST(OpenModel, AFolderWhoseNameSaysLittleIsNamedWithTheOneAbove) {
  EXPECT_EQ(models::model_name("/models/gpt2"), "gpt2");
  EXPECT_EQ(models::model_name("/models/gpt2/"), "gpt2");
  EXPECT_EQ(models::model_name("/models/pythia/f16"), "pythia/f16");
  EXPECT_EQ(models::model_name("/models/pythia/BF16-sharded"), "pythia/BF16-sharded");
  EXPECT_EQ(models::model_name("/runs/shakespeare/checkpoint-500"), "shakespeare/checkpoint-500");
  EXPECT_EQ(models::model_name("/runs/shakespeare/model"), "shakespeare/model");
  EXPECT_EQ(models::model_name("/models/modelling"), "modelling");
  EXPECT_EQ(models::model_name("/hub/models--org--name/snapshots/0123"), "name");
  EXPECT_EQ(models::model_name("/f16"), "f16");
}

TEST(OpenModel, AFolderWithoutAModelNamesThoseOfItsFoldersThatHaveOne) {
  const ScratchFolder folder;
  const fs::path above = folder / "above";
  fs::create_directory(above);
  const std::string nothing =
      above.string() + ": no model in this folder: neither config.json nor ckpt.pt nor one llama2.c .bin; ";
  const auto message = [&] {
    const auto model = models::open_model(above);
    return model ? std::string() : model.error();
  };
  EXPECT_EQ(message(), nothing + "open the folder that config.json is in");
  fs::create_directory(above / "notes");
  write(above / "README.md", "no model");
  EXPECT_EQ(message(), nothing + "open the folder that config.json is in");
  fs::create_directory(above / "f32");
  write(above / "f32" / "config.json", "{}");
  EXPECT_EQ(message(), nothing + "open its folder f32");
  fs::create_directory(above / "v0");
  write(above / "v0" / "stories.bin", "x");
  EXPECT_EQ(message(), nothing + "open one of its folders f32 and v0");
  for (const char* name : {"w", "x", "y"}) {
    fs::create_directory(above / name);
    write(above / name / "ckpt.pt", "x");
  }
  EXPECT_EQ(message(), nothing + "open one of its folders f32, v0, w, …");
  const fs::path two = folder / "two";
  fs::create_directory(two);
  write(two / "a.bin", "x");
  write(two / "b.bin", "x");
  EXPECT_THAT(models::folder_without_model(two),
              HasSubstr("open one of its .bin files, or put config.json beside them"));
  // Of a folder with weights open_model() says what is missing beside them.
  write(above / "model.safetensors", "x");
  EXPECT_EQ(models::folder_without_model(above), "");
  EXPECT_THAT(message(), HasSubstr("config.json: no such file"));
  EXPECT_EQ(models::folder_without_model(above / "f32"), "");
  EXPECT_EQ(models::folder_without_model(above / "README.md"), "");
}

TEST(OpenModel, WhatIsOpenedIsAmongThoseFiles) {
  int opened = 0;
  for (const char* name : {"models/llama/bf16-sharded", "models/llama2c/v1", "models/opt/f16"}) {
    const Copy copy(name);
    if (!copy.there()) continue;
    const auto model = models::open_model(copy.path());
    ASSERT_TRUE(model) << model.error();
    const std::vector<fs::path> files = models::model_files(copy.path());
    EXPECT_THAT(files, testing::Contains((*model)->weights_file)) << name;
    for (const fs::path& file : (*model)->tokenizer_files)
      EXPECT_THAT(files, testing::Contains(file)) << name;
    ++opened;
  }
  if (opened == 0) GTEST_SKIP() << "no packed models";
}

TEST(OpenModel, AnUnknownFamilyNamesTheNearest) {
  const ScratchFolder folder;
  const auto message = [&](const std::string& config) {
    write(folder / "config.json", config);
    return error_of(folder.path());
  };
  EXPECT_THAT(message(R"({"model_type": "qwen2_moe"})"),
              AllOf(HasSubstr("\"qwen2_moe\""), HasSubstr("Qwen 2")));
  EXPECT_THAT(message(R"({"model_type": "gemma3_text"})"), HasSubstr("Gemma 2"));
  EXPECT_THAT(message(R"({"model_type": "mixtral"})"), HasSubstr("Mistral"));
  EXPECT_THAT(message(R"({"model_type": "albert"})"), HasSubstr("BERT"));
  EXPECT_THAT(message(R"({"architectures": ["LlavaForCausalLM"]})"),
              AllOf(HasSubstr("Llava"), HasSubstr("Llama")));
  EXPECT_THAT(message("{}"), HasSubstr("model_type"));
  EXPECT_THAT(message(R"({"architectures": ["GPT2LMHeadModel"]})"),
              HasSubstr("model.safetensors"));  // is known
}

TEST(OpenModel, TensorsThatDoNotFitNameBothShapes) {
  const Copy model("models/opt/f16");
  if (!model.there()) GTEST_SKIP() << "no packed models";
  nlohmann::json config = model.config();
  config["ffn_dim"] = 49;
  model.set_config(config);
  EXPECT_THAT(error_of(model.path()), AllOf(HasSubstr("model.safetensors"), HasSubstr("fc1.weight"),
                                            HasSubstr("[48, 32]"), HasSubstr("[49, 32]")));
  config["ffn_dim"] = 48, config["num_hidden_layers"] = 3;
  model.set_config(config);
  EXPECT_THAT(error_of(model.path()), AllOf(HasSubstr("layers.2."), HasSubstr("missing")));
}

TEST(OpenModel, ShardsThatAreNotWhatTheIndexSays) {
  const Copy model("models/llama/bf16-sharded");
  if (!model.there()) GTEST_SKIP() << "no packed models";
  const fs::path index = model / "model.safetensors.index.json";
  const nlohmann::json sound = nlohmann::json::parse(read(index));
  nlohmann::json changed = sound;
  changed["weight_map"]["model.norm.weight"] = "model-00001-of-00002.safetensors";
  write(index, changed.dump());
  EXPECT_THAT(error_of(model.path()),
              AllOf(HasSubstr("model.norm.weight"), HasSubstr("does not contain it")));
  changed["weight_map"]["model.norm.weight"] = "../model-00002-of-00002.safetensors";
  write(index, changed.dump());
  EXPECT_THAT(error_of(model.path()), HasSubstr("same folder"));
  changed = sound;
  changed["weight_map"].erase("model.norm.weight");
  write(index, changed.dump());
  EXPECT_THAT(error_of(model.path()), AllOf(HasSubstr("index.json"), HasSubstr("model.norm.weight")));
  // One that is taken where there is one, too: the model would be opened, and be another.
  ASSERT_TRUE(sound["weight_map"].contains("lm_head.weight"));
  changed = sound;
  changed["weight_map"].erase("lm_head.weight");
  write(index, changed.dump());
  EXPECT_THAT(error_of(model.path()),
              AllOf(HasSubstr("index.json"), HasSubstr("lm_head.weight"), HasSubstr("leaves out")));
  write(index, sound.dump());
  EXPECT_EQ(error_of(model.path()), "it was opened");
  fs::remove(model / "model-00002-of-00002.safetensors");
  EXPECT_THAT(error_of(model.path()), HasSubstr("model-00002-of-00002.safetensors"));
}

TEST(OpenModel, SettingsOfAnyKindAreErrorsOrRead) {
  const std::vector<nlohmann::json> values{0,
                                           -1,
                                           1,
                                           7,
                                           1e9,
                                           1.5,
                                           nullptr,
                                           "x",
                                           true,
                                           nlohmann::json::array(),
                                           nlohmann::json::object(),
                                           {{"rope_type", "yarn"}, {"factor", 2}}};
  int opened = 0, refused = 0;
  std::size_t turn = 0;
  for (const std::string family :
       {"llama/bf16-sharded", "qwen3/f16", "gemma2/bf16", "gpt_neox/f16", "gpt_neo/f32", "opt/f16", "phi/f16",
        "roberta/f16-no-decoder", "distilbert/f32"}) {
    const Copy model("models/" + family);
    if (!model.there()) GTEST_SKIP() << "no packed models";
    const nlohmann::json sound = model.config();
    for (const auto& [name, message] : sound.items()) {
      for (const nlohmann::json& value : values) {
        if (tests::sanitized && ++turn % 5 != 0) continue;  // of each setting some, of each value many
        nlohmann::json changed = sound;
        changed[name] = value;
        model.set_config(changed);
        const auto got = models::open_model(model.path());
        (got ? opened : refused) += 1;
        if (got) continue;
        EXPECT_LT(got.error().size(), 600u);
      }
      nlohmann::json changed = sound;
      changed.erase(name);
      model.set_config(changed);
      (void)models::open_model(model.path());
    }
  }
  EXPECT_GT(opened, tests::sanitized ? 20 : 100);
  EXPECT_GT(refused, tests::sanitized ? 20 : 100);
}

TEST(OpenModel, LlamaFilesThatAreCutShortOrWrong) {
  const Copy model("models/llama2c/v1");
  if (!model.there()) GTEST_SKIP() << "no packed models";
  const std::string sound = read(model / "model.bin");
  for (const std::size_t size : {std::size_t(0), std::size_t(20), std::size_t(255), sound.size() - 4}) {
    write(model / "model.bin", sound.substr(0, size));
    EXPECT_THAT(error_of(model.path()), HasSubstr("model.bin")) << size;
  }
  for (std::size_t at = 0; at < 40; ++at) {
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string changed = sound;
      changed[at] = value;
      write(model / "model.bin", changed);
      (void)models::open_model(model.path());
    }
  }
  std::string version_2 = sound;
  version_2[4] = 2;
  write(model / "model.bin", version_2);
  EXPECT_THAT(error_of(model.path()), HasSubstr("version 2"));
}

/// 64 MiB of zeros, which take no room on the disk: more than is kept in memory.
TEST(FileBytes, AFileThatShrinksOrChangesIsAnErrorAndNotASignal) {
  const ScratchFolder folder;
  const fs::path path = folder / "weights";
  constexpr std::uint64_t size = std::uint64_t(64) << 20;
  write(path, "");
  fs::resize_file(path, size);
  const auto file = io::FileBytes::open(path);
  ASSERT_TRUE(file) << file.error();
  std::byte there[16];
  EXPECT_TRUE((*file)->read(size - 16, 16, there));
  EXPECT_THAT((*file)->read(size - 15, 16, there).error(), HasSubstr("past its end"));
  fs::resize_file(path, size / 2);
  EXPECT_THAT((*file)->read(size - 16, 16, there).error(), HasSubstr("has changed"));
  EXPECT_THAT((*file)->read(0, 16, there).error(), HasSubstr("open it again"));
}

TEST(FileBytes, ASmallFileStaysAsItWas) {
  const ScratchFolder folder;
  write(folder / "weights", "weights");
  const auto file = io::FileBytes::open(folder / "weights");
  ASSERT_TRUE(file);
  std::byte first{};
  ASSERT_TRUE((*file)->read(0, 1, &first));
  write(folder / "weights", "");
  ASSERT_TRUE((*file)->read(1, 1, &first));
  EXPECT_EQ(static_cast<char>(first), 'e');
}

TEST(ModelName, IsTheFolders) {
  EXPECT_EQ(models::model_name("/data/gpt2"), "gpt2");
  EXPECT_EQ(models::model_name("/data/gpt2/"), "gpt2");
  EXPECT_EQ(models::model_name("/data/x/../tiny"), "tiny");
  // The hub's cache names a folder by its revision.
  EXPECT_EQ(models::model_name("/c/models--openai-community--gpt2/snapshots/607a30d7"), "gpt2");
  EXPECT_EQ(models::model_name("/c/models--gpt2/snapshots/607a30d7/"), "gpt2");
  EXPECT_EQ(models::model_name("/c/models--gpt2/refs/607a30d7"), "607a30d7");
}

}  // namespace
}  // namespace headlight::tests
