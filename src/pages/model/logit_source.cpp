#include "pages/model/logit_source.h"

#include <algorithm>

#include "models/opened_model.h"
#include "network/network.h"
#include "nn/block.h"

namespace headlight::scene {

namespace {

using nn::Matrix;
using std::size_t;

Matrix rows_of(const Matrix& all, int first, int count) {
  Matrix out(count, all.cols());
  std::copy_n(all.row(first).data(), out.size(), out.data());
  return out;
}

/// Applies the final norm and the output matrix to x [n, D], like the end of model_forward().
void own_logits(const TrainedModel& model, const Matrix& x, Matrix& logits) {
  const int V = model.config.vocabulary, D = model.config.d_model;
  logits.resize(x.rows(), V);
  for (int t = 0; t < x.rows(); ++t) {
    for (int v = 0; v < V; ++v) {
      double sum = 0;
      for (int c = 0; c < D; ++c) {
        const float w = model.config.tied ? model.weights.wte.at(v, c) : model.weights.w_head.at(c, v);
        sum += static_cast<double>(x.at(t, c)) * static_cast<double>(w);
      }
      logits.at(t, v) = static_cast<float>(sum);
    }
  }
}

}  // namespace

LogitSource own_source(const TrainedModel& model, const nn::ModelTrace& trace, const std::vector<int>& ids) {
  LogitSource from;
  from.layers = model.config.layers, from.T = static_cast<int>(ids.size()), from.ids = ids;
  from.text = [&model](int id) {
    if (id == 0) return std::string("<unknown>");
    std::string text = model.encoder->vocabulary().texts[static_cast<size_t>(id)];
    if (text == " ") text = "␣";
    return text;
  };
  from.logits = [&trace](int first, int rows, Matrix& logits) {
    logits = rows_of(trace.logits, first, rows);
    return base::Status();
  };
  from.lens = [&model, &trace](int position, Matrix& logits) {
    Matrix x(model.config.layers, model.config.d_model);
    for (int l = 0; l < x.rows(); ++l)
      std::copy_n(trace.input(l).row(position).data(), x.cols(), x.row(l).data());
    if (model.config.norm != nn::NormPlace::none)
      nn::layer_norm(x, model.weights.stack.lnf_g, model.weights.stack.lnf_b, model.config.eps, x);
    own_logits(model, x, logits);
    return base::Status();
  };
  return from;
}

LogitSource other_source(const OtherModel& other, const std::vector<int>& pieces,
                         const std::shared_ptr<const HiddenStates>& states, base::Parallel& parallel) {
  const nn::Network& network = other.model->network;
  const nn::NetworkWeights& weights = other.model->weights;
  LogitSource from;
  from.layers = layers_of(other), from.T = static_cast<int>(pieces.size()), from.ids = pieces,
  from.states = states;
  from.text = [&other](int id) { return other.shown(id); };
  from.logits = [&network, &weights, &parallel, states](int first, int rows, Matrix& logits) {
    return nn::network_logits(network, weights, rows_of(states->back(), first, rows), true, parallel, logits);
  };
  from.lens = [&network, &weights, &parallel, states](int position, Matrix& logits) {
    Matrix x(static_cast<int>(states->size()) - 1, network.width);
    for (int l = 0; l < x.rows(); ++l)
      std::copy_n((*states)[static_cast<size_t>(l)].row(position).data(), x.cols(), x.row(l).data());
    return nn::network_logits(network, weights, x, false, parallel, logits);
  };
  if (!network.causal) from.mask = mask_token(other);
  return from;
}

}  // namespace headlight::scene
