#include "fuzz/belongings.h"

#include <fstream>
#include <iterator>

#include "io/npz.h"
#include "scene/settings.h"
#include "support/model_files.h"
#include "support/reference_data.h"
#include "support/whole_model.h"

namespace headlight::fuzz {

namespace {

namespace fs = std::filesystem;
using tests::ReferenceData;

std::string bytes_in(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

Form form_of(const fs::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".json") return Form::json;
  if (ending == ".safetensors") return Form::safetensors;
  if (ending == ".npz" || ending == ".pt") return Form::zip;
  return ending == ".txt" ? Form::text : Form::bytes;
}

}  // namespace

Belongings belongings(const fs::path& folder, Dice& dice) {
  Belongings out;
  const auto add = [&](const char* name, const std::string& bytes) {
    tests::write_bytes(folder / name, bytes);
    out.files.push_back(folder / name);
  };
  scene::Scene scene;
  scene.sentence = "what lies in a folder";
  scene.heads = 8;
  add("a-scene.json", scene::to_json(scene));
  add("a-figure.svg", "<svg><metadata id=\"headlight-scene\">" + scene::to_json(scene) + "</metadata></svg>");
  add("an-archive.npz", *io::encode_npz({}, scene::to_json(scene)));
  add("a-text.txt", repeated("the cat sat on the mat and the dog ran. ", 40));
  add("a-model.safetensors", tests::bytes_of(tests::small_model("small")));
  out.models.push_back((folder / "a-model.safetensors").string());

  const ReferenceData& data = ReferenceData::instance();
  for (const char* family : {"llama", "distilbert", "gpt_neo", "gemma2", "llama2c", "nanogpt"}) {
    const std::string name = std::string("models/") + family;
    if (!data.bytes(data.models() + name + "/manifest.json")) continue;
    const auto variant = data.json(data.models() + name + "/manifest.json")["variants"][0];
    const fs::path model = tests::whole_model(name, variant["dir"], folder);
    out.files.push_back(model);
    out.models.push_back(model.string());
    for (const auto& entry : fs::directory_iterator(model))
      if (entry.path().extension() == ".bin" || entry.path().extension() == ".pt")
        out.files.push_back(entry.path());
  }
  for (const std::string name : {"st-data-cut", "st-nan", "cf-more-layers", "st-html", "cf-deep"})
    if (data.bytes(data.models() + "bad/" + name + "/model.safetensors"))
      out.files.push_back(data.on_disk(data.models() + "bad/" + name));
  for (const std::string name : {"npz-transformer-lens/cache.npz", "npy-lhtt/attention.npy"})
    if (const auto bytes = data.bytes("dumps/" + name)) add(fs::path(name).filename().c_str(), *bytes);

  for (const std::string name : {"01-soft-dictionary", "07-masking", "10-learned"}) {  // the user's to change
    out.lessons.push_back(folder / (name + ".json"));
    tests::write_bytes(out.lessons.back(),
                       bytes_in(HEADLIGHT_SOURCE_DIR "/assets/lessons/" + name + ".json"));
  }
  const std::vector<fs::path> sound = out.files;
  for (const fs::path& path : sound) {
    if (!fs::is_regular_file(path)) continue;
    const std::string name = "damaged-" + path.filename().string();
    add(name.c_str(), mutated(bytes_in(path), form_of(path), dice, 300'000));
  }
  const std::vector<fs::path> lessons = out.lessons;
  for (const fs::path& path : lessons) {
    const fs::path damaged = folder / ("damaged-" + path.filename().string());
    tests::write_bytes(damaged, mutated(bytes_in(path), Form::json, dice, 100'000));
    out.lessons.push_back(damaged);
  }

  const auto state = [&](const char* name, const std::string& bytes) {
    tests::write_bytes(folder / name, bytes);
    out.scenes.push_back(folder / name);
    out.files.push_back(folder / name);
  };
  state("deep.json", "{\"sentence\":" + repeated("[", 50'000) + repeated("]", 50'000) + "}");
  std::string members;
  for (int i = 0; i < 20'000; ++i) members += "\"k" + std::to_string(i) + "\":1,";
  state("many.json", "{" + members + "\"heads\":8}");
  state("empty.json", "");
  state("half.json", scene::to_json(scene).substr(0, 60));
  state("another.json", "{\"sentence\": \"x\", \"heads\": 1e300}");
  state("entities.svg",
        "<svg><metadata id=\"headlight-scene\">" + repeated("&amp;", 50'000) + "</metadata></svg>");
  for (int i = 0; i < 4; ++i) {
    const std::string name = "state-" + std::to_string(i) + ".json";
    state(name.c_str(), mutated(scene::to_json(scene), Form::json, dice, 20'000));
  }
  return out;
}

}  // namespace headlight::fuzz
