#include <algorithm>

#include "app/commands.h"
#include "io/csv.h"
#include "io/npy.h"
#include "io/tensor_json.h"
#include "scene/compute.h"
#include "scene/nearest.h"

namespace headlight::app {

namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// A tensor with the numbers it shows, in case they had to be laid out anew.
struct Exported {
  io::TensorView<float> view;
  nn::Matrix numbers;
  void show() { view.values = numbers.values(); }
};

/// [T, H·d] with the heads side by side, as (1, H, T, d).
Exported by_heads(const std::string& name, const nn::Matrix& side_by_side, int heads, int width) {
  Exported out;
  const int tokens = side_by_side.rows();
  out.numbers.resize(heads, tokens, width);
  for (int h = 0; h < heads; ++h) {
    for (int t = 0; t < tokens; ++t) {
      const float* from = side_by_side.row(t).data() + size(h) * size(width);
      std::copy_n(from, width, out.numbers.row(h, t).data());
    }
  }
  out.view = {name, {1, size(heads), size(tokens), size(width)}, {}, {"layer", "head", "token", "component"}};
  out.show();
  return out;
}

Exported by_pairs(const std::string& name, const nn::AttentionTrace& trace) {
  Exported out;
  out.view = {
      name, {1, size(trace.heads), size(trace.T), size(trace.S)}, {}, {"layer", "head", "query", "key"}};
  return out;
}

Exported by_rows(const std::string& name, const nn::Matrix& rows, int columns) {
  Exported out;
  out.view = {name, {size(rows.rows()), size(columns)}, rows.values(), {"row", "column"}};
  return out;
}

Exported tensor_of(const scene::Results& results, const std::string& name, base::Parallel& parallel) {
  const nn::AttentionTrace& trace = results.attention;
  if (name == "weights") {
    Exported out = by_pairs(name, trace);
    out.view.values = trace.weights.values();
    return out;
  }
  if (name == "scores") {
    Exported out = by_pairs(name, trace);
    if (trace.T > 0) out.numbers = nn::attention_scores(trace, results.options.pairs, parallel);
    out.show();
    return out;
  }
  if (name == "q") return by_heads(name, trace.q, trace.heads, trace.d_k);
  if (name == "k") return by_heads(name, trace.k, trace.heads, trace.d_k);
  if (name == "v") return by_heads(name, trace.v, trace.heads, trace.d_v);
  if (name == "output") return by_rows(name, trace.output, results.scene.d_model);
  HEADLIGHT_CHECK_OP(name, ==, std::string("positions"));
  return by_rows(name, results.position.p, results.scene.d_model);
}

}  // namespace

const std::vector<std::string>& export_names() {
  static const std::vector<std::string> names = {"weights", "scores", "q", "k", "v", "output", "positions"};
  return names;
}

base::Status export_tensor(const scene::Scene& scene, const std::string& name,
                           const std::filesystem::path& out, std::string& note) {
  const std::string ending = out.extension().string();
  HEADLIGHT_CHECK(ending == ".npy" || ending == ".csv" || ending == ".json");
  // A path that cannot be written is not worth a computation; the file itself is made when there is something
  // to put in.
  if (const auto writable = io::NewFile::create(out); !writable) return base::Error{writable.error()};
  base::Parallel parallel;
  const std::shared_ptr<const scene::Results> results = scene::compute(scene, parallel, nullptr);
  note = shortened(*results);
  const Exported tensor = tensor_of(*results, name, parallel);
  base::Result<io::NewFile> file = io::NewFile::create(out);
  if (!file) return base::Error{file.error()};
  auto write = [&](std::string_view bytes) { file->write(bytes); };
  if (ending == ".npy") {
    io::write_npy(tensor.view, write);
  } else if (ending == ".csv") {
    io::write_csv(tensor.view, write);
  } else {
    std::vector<std::string> tokens;
    for (const nn::Token& token : results->tokens) tokens.push_back(token.text);
    io::write_tensor_json(tensor.view, tokens, write);
  }
  return file->commit();
}

std::string shortened(const scene::Results& results) {
  if (results.tokens_in_sentence == results.tokens.size()) return {};
  return "the sentence has " + std::to_string(results.tokens_in_sentence) + " tokens, the first " +
         std::to_string(results.tokens.size()) + " are used";
}

}  // namespace headlight::app
