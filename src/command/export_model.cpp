// `headlight export --model`: the arrays of one pass of a text through a model of another program.
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>

#include "command/model_pass.h"
#include "command/models_command.h"
#include "io/files.h"
#include "io/tensor_json.h"
#include "pictures/export_numbers.h"

namespace headlight::app {

namespace {

using nn::Matrix;
using std::size_t;

/// Tensors, and the data that they point to, which must live until they are written.
struct Made {
  std::vector<io::AnyTensor> tensors;
  std::vector<std::shared_ptr<const void>> keeps;
};

template <class E>
void add(Made& made, const char* name, std::vector<size_t> shape, std::vector<std::string> axes,
         std::vector<E> values) {
  const auto kept = std::make_shared<const std::vector<E>>(std::move(values));
  made.tensors.push_back(io::TensorView<E>{name, std::move(shape), *kept, std::move(axes)});
  made.keeps.push_back(kept);
}

void append(const Matrix& matrix, std::vector<float>& to) {
  to.insert(to.end(), matrix.values().begin(), matrix.values().end());
}

base::Error uneven(const ModelPass& pass, const char* name) {
  return {"--what " + std::string(name) + ": the layers of " + pass.model.model->path.string() +
          " have different widths, which one array cannot hold"};
}

/// Stacks [L] maps of [H, T, S] into [L, H, T, S].
base::Status add_maps(const ModelPass& pass, const char* name, const std::vector<Matrix>& layers,
                      Made& made) {
  std::vector<float> all;
  for (const Matrix& layer : layers) {
    if (layer.depth() != layers.front().depth()) return uneven(pass, name);
    append(layer, all);
  }
  const Matrix& first = layers.front();
  add(made, name,
      {layers.size(), static_cast<size_t>(first.depth()), static_cast<size_t>(first.rows()),
       static_cast<size_t>(first.cols())},
      {"layer", "head", "query", "key"}, std::move(all));
  return {};
}

/// Rearranges [L] matrices of [T, H_kv·d] into [L, H, T, d]: the part of each head, or of the head that it
/// shares.
base::Status add_heads(const ModelPass& pass, const char* name, const std::vector<Matrix>& layers,
                       Made& made) {
  const std::vector<nn::NetworkLayer>& shapes = pass.model.model->network.layers;
  const nn::NetworkLayer& first = shapes.front();
  const auto d = static_cast<size_t>(first.head_dim);
  std::vector<float> all;
  for (size_t l = 0; l < layers.size(); ++l) {
    if (shapes[l].heads != first.heads || shapes[l].head_dim != first.head_dim) return uneven(pass, name);
    const int stored = layers[l].cols() / first.head_dim;
    for (int head = 0; head < first.heads; ++head) {
      const size_t from = static_cast<size_t>(head / (first.heads / stored)) * d;
      for (int t = 0; t < layers[l].rows(); ++t) {
        const float* row = layers[l].row(t).data() + from;
        all.insert(all.end(), row, row + d);
      }
    }
  }
  add(made, name, {layers.size(), static_cast<size_t>(first.heads), pass.ids.size(), d},
      {"layer", "head", "token", "component"}, std::move(all));
  return {};
}

base::Status add_hidden(const ModelPass& pass, const char* name, Made& made) {
  const std::vector<Matrix>& states = pass.trace.states;
  std::vector<float> all;
  for (const Matrix& state : states) {
    if (state.cols() != states.front().cols()) return uneven(pass, name);
    append(state, all);
  }
  add(made, name, {states.size(), pass.ids.size(), static_cast<size_t>(states.front().cols())},
      {"layer", "token", "component"}, std::move(all));
  return {};
}

base::Status add_logits(const ModelPass& pass, const char* name, Made& made) {
  const Matrix& logits = pass.trace.logits;
  if (logits.empty())
    return base::Error{"--what " + std::string(name) + ": " + pass.model.model->path.string() +
                       " has no head over a vocabulary"};
  add(made, name, {pass.ids.size(), static_cast<size_t>(logits.cols())}, {"token", "entry"},
      std::vector<float>(logits.values().begin(), logits.values().end()));
  return {};
}

base::Status add_ids(const ModelPass& pass, const char* name, Made& made) {
  add(made, name, {pass.ids.size()}, {"token"}, std::vector<std::int64_t>(pass.ids.begin(), pass.ids.end()));
  return {};
}

struct Named {
  const char* name;
  nn::NetworkKeeps keeps;  // what a pass must keep for it
  base::Status (*add)(const ModelPass& pass, const char* name, Made& made);
};

const nn::NetworkKeeps nothing{
    .attentions = false, .scores = false, .states = false, .projections = false, .logits = false};

const std::vector<Named>& arrays() {
  using P = const ModelPass&;
  using N = const char*;
  static const std::vector<Named> all = [] {
    nn::NetworkKeeps weights = nothing, scores = nothing, projections = nothing, states = nothing,
                     logits = nothing;
    weights.attentions = scores.scores = projections.projections = states.states = logits.logits = true;
    return std::vector<Named>{
        {"weights", weights, [](P p, N n, Made& m) { return add_maps(p, n, p.trace.attentions, m); }},
        {"scores", scores, [](P p, N n, Made& m) { return add_maps(p, n, p.trace.scores, m); }},
        {"q", projections, [](P p, N n, Made& m) { return add_heads(p, n, p.trace.q, m); }},
        {"k", projections, [](P p, N n, Made& m) { return add_heads(p, n, p.trace.k, m); }},
        {"v", projections, [](P p, N n, Made& m) { return add_heads(p, n, p.trace.v, m); }},
        {"hidden", states, add_hidden},
        {"logits", logits, add_logits},
        {"token_ids", nothing, add_ids}};
  }();
  return all;
}

nn::NetworkKeeps both(nn::NetworkKeeps a, const nn::NetworkKeeps& b) {
  a.attentions |= b.attentions, a.scores |= b.scores, a.states |= b.states;
  a.projections |= b.projections, a.logits |= b.logits;
  return a;
}

base::Status write_tokens(const ModelPass& pass, const ExportModelRequest& request) {
  if (request.out.extension() == ".txt") {
    std::string lines;
    for (const nn::Token& token : pass.tokens) lines += token.text + "\n";
    return io::write_file(request.out, lines);
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const nn::Token& token : pass.tokens) list.push_back(token.text);
  return io::write_file(request.out, io::json_text(list) + "\n");
}

}  // namespace

const std::vector<std::string>& model_array_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Named& one : arrays()) out.push_back(one.name);
    out.push_back("tokens");
    return out;
  }();
  return names;
}

base::Status export_model(const ExportModelRequest& request) {
  // Checks the path before anything is computed.
  if (const auto writable = io::NewFile::create(request.out); !writable) return base::Error{writable.error()};
  nn::NetworkKeeps keeps = nothing;
  for (const Named& one : arrays()) {
    if (request.what.empty() || request.what == one.name) keeps = both(keeps, one.keeps);
  }
  const auto pass = model_pass({request.model, request.text, request.ids}, keeps);
  if (!pass) return base::Error{pass.error()};
  if (request.what == "tokens") return write_tokens(*pass, request);
  Made made;
  for (const Named& one : arrays()) {
    if (!request.what.empty() && request.what != one.name) continue;
    // If all arrays are requested, those that this model has are written.
    if (const base::Status status = one.add(*pass, one.name, made); !status && !request.what.empty())
      return status;
  }
  NumbersFile file{std::move(made.tensors), request.what.empty(), {}, {}, request.scene};
  for (const nn::Token& token : pass->tokens) file.tokens.push_back(token.text);
  return write_file(file, request.out);
}

}  // namespace headlight::app
