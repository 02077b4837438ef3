#include "faults/file_commands.h"

#include <fstream>
#include <sstream>

#include "support/model_files.h"
#include "support/reference_data.h"
#include "support/whole_model.h"

namespace headlight::faults {

namespace {

namespace fs = std::filesystem;
using tests::ReferenceData;

std::string copied(const std::string& what, const fs::path& folder) {
  const auto words = [&] {
    std::istringstream in(what);
    return std::vector<std::string>{std::istream_iterator<std::string>(in), {}};
  }();
  if (words[0] == "whole" || words[0] == "bare") {
    const fs::path model = tests::whole_model(words[1], words[2], folder);
    if (words[0] == "bare") fs::remove(model / "tokenizer.json");
    return model.string();
  }
  const fs::path path = what, to = folder / path.parent_path().filename();
  const fs::path from = ReferenceData::instance().on_disk(path.parent_path().string());
  if (!fs::exists(to)) fs::copy(from, to, fs::copy_options::recursive);
  return (to / path.filename()).string();
}

}  // namespace

bool Command::reads() const {
  const std::string& verb = words[0];
  return verb == "describe" || verb == "next" || verb == "attention" || verb == "lesson" || verb == "train";
}

void fill(const fs::path& folder) {
  tests::write_model(folder / "model.safetensors", tests::small_model("small"));
  tests::write_bytes(folder / "scene.json", R"({"sentence": "the cat sat", "heads": 2})");
  std::string text;
  for (int i = 0; i < 60; ++i) text += "the cat number " + std::to_string(i * i) + " sat on the mat. ";
  tests::write_bytes(folder / "text.txt", text);
  fs::copy(HEADLIGHT_SOURCE_DIR "/assets/lessons/07-masking.json", folder / "lesson.json");
}

std::vector<std::string> in_place(std::vector<std::string> words, const fs::path& folder) {
  for (std::string& word : words) {
    if (word[0] == '@') word = (folder / word.substr(1)).string();
    if (word[0] == '%') word = copied(word.substr(1), folder);
  }
  return words;
}

std::vector<Command> commands() {
  const std::vector<std::string> small = {"--set",    "sentence=the cat sat", "--set", "heads=2", "--set",
                                          "d_model=8"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), small.begin(), small.end());
    return words;
  };
  const std::vector<std::string> train = {"train",
                                          "--task",
                                          "reverse",
                                          "--out",
                                          "@out.safetensors",
                                          "--keep-run",
                                          "--set",
                                          "training_d=8",
                                          "--set",
                                          "training_heads=1",
                                          "--set",
                                          "training_layers=1",
                                          "--set",
                                          "training_length=4",
                                          "--set",
                                          "training_batch=2"};
  const auto trained = [&](std::vector<std::string> more) {
    std::vector<std::string> words = train;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto packed = [](const char* model) -> std::vector<std::string> {
    return {"scene", "--model", model, "--set", "sentence=hello world", "--out", "@out.zip"};
  };
  const char* const saved = "%dumps/npy-lhtt/attention.npy";
  return {
      {"npy", with({"export", "--what", "weights", "--out", "@out.npy"}), {}},
      {"npz", with({"export", "--page", "attention", "--out", "@out.npz"}), {}},
      {"csv", with({"export", "--what", "weights", "--out", "@out.csv"}), {}},
      {"json", with({"export", "--what", "weights", "--out", "@out.json"}), {}},
      {"svg", with({"render", "--panel", "map", "--out", "@out.svg"}), {}},
      {"pdf", with({"render", "--panel", "map", "--out", "@out.pdf"}), {}},
      {"png", with({"render", "--panel", "map", "--size", "200x150", "--out", "@out.png"}), {}},
      {"gif",
       with({"animate", "--what", "clocks", "--frames", "2", "--size", "200x150", "--out", "@out.gif"}),
       {}},
      {"sequence",
       with({"animate", "--what", "clocks", "--frames", "3", "--size", "200x150", "--out", "@out.png"}),
       {}},
      {"train", trained({"--steps", "10"}), {}},
      {"resume", trained({"--steps", "20", "--resume"}), trained({"--steps", "10"})},
      {"train on a text",
       {"train", "--task", "text", "--file", "@text.txt", "--steps", "10", "--out", "@out.safetensors",
        "--set", "training_d=8", "--set", "training_heads=1", "--set", "training_layers=1", "--set",
        "training_length=8", "--set", "training_batch=2"},
       {}},
      {"written scene", with({"scene", "--out", "@out.json"}), {}},
      {"written portable", packed("%whole tiny-gpt2 f16-transformer"), {}, 8},
      {"written saved portable", packed(saved), {}},
      {"scene", {"describe", "@scene.json"}, {}},
      {"portable", {"describe", "@out.zip"}, packed("%whole tiny-gpt2 f16-transformer"), 8},
      {"saved portable", {"describe", "@out.zip"}, packed(saved)},
      {"figure", {"describe", "@out.svg"}, with({"render", "--panel", "map", "--out", "@out.svg"})},
      {"picture",
       {"describe", "@out.png"},
       with({"render", "--panel", "map", "--size", "100x80", "--out", "@out.png"})},
      {"opened pdf", {"describe", "@out.pdf"}, with({"render", "--panel", "map", "--out", "@out.pdf"})},
      {"opened gif",
       {"describe", "@out.gif"},
       with({"animate", "--what", "clocks", "--frames", "2", "--size", "100x80", "--out", "@out.gif"})},
      {"archive", {"describe", "@out.npz"}, with({"export", "--what", "weights", "--out", "@out.npz"})},
      {"own model", {"describe", "--model", "@model.safetensors", "--set", "sentence=the cat sat"}, {}},
      {"lesson", {"lesson", "@lesson.json", "--handout"}, {}},
      {"folder", {"next", "--model", "%networks/models/llama/bf16-sharded", "--ids", "5,1,2"}, {}},
      {"tokenizer",
       {"describe", "--model", "%whole models/llama bf16-sharded", "--set", "sentence=hello world"},
       {}},
      {"vocabulary and merges",
       {"describe", "--model", "%bare tiny-gpt2 f16-transformer", "--set", "sentence=hello world"},
       {}},
      {"word pieces",
       {"describe", "--model", "%bare tiny-bert bf16-bare", "--set", "sentence=hello world"},
       {}},
      {"llama2.c", {"next", "--model", "%networks/models/llama2c/v1", "--ids", "5,1,2"}, {}},
      {"checkpoint", {"next", "--model", "%networks/models/nanogpt/ckpt/ckpt.pt", "--ids", "5,1,2"}, {}},
      {"saved npy", {"attention", "%dumps/npy-lhtt/attention.npy"}, {}},
      {"saved npz", {"attention", "%dumps/npz-transformer-lens/cache.npz"}, {}},
      {"saved pt", {"attention", "%dumps/pt-tuple-float32/attentions.pt"}, {}},
      {"saved safetensors", {"attention", "%dumps/st-attentions/attentions.safetensors"}, {}},
  };
}

}  // namespace headlight::faults
