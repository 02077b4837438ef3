#include "models/llama2c.h"

#include <cmath>
#include <cstring>

#include "io/file_bytes.h"
#include "models/family.h"

namespace headlight::models {

namespace {

constexpr std::uint32_t magic = 0x616b3432;  // "ak42"
constexpr std::size_t numbers = 7, header_0 = 4 * numbers, header_1 = 256;

struct Sizes {  // in the order of the file
  std::int32_t dim, hidden_dim, n_layers, n_heads, n_kv_heads, vocab_size, seq_len;
};
struct Header : Sizes {
  bool own_head = false;
  int version = 0;
};

/// Consecutive arrays; the position may safely grow past the end of the file.
class Arrays {
 public:
  Arrays(std::shared_ptr<const io::FileBytes> bytes, std::uint64_t begin, std::vector<ListedTensor>& listed)
      : bytes_(std::move(bytes)), at_(begin), listed_(listed) {}

  /// Takes `count` arrays [rows, cols], one for each layer; returns the first.
  nn::TensorRef take(const char* name, std::uint64_t count, int rows, int cols) {
    nn::TensorRef out;
    out.bytes = bytes_, out.name = name, out.begin = at_;
    out.rows = rows, out.cols = cols, out.row_step = cols;
    const std::uint64_t each = 4 * static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols);
    at_ += count * each;  // 2¹² layers of 2²⁰ · 2²⁰ numbers are far below 2⁶⁴ bytes
    list(name, count, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), true);
    return out;
  }
  /// Skips one array that is not used.
  void skip(const char* name, int rows, int cols) {
    at_ += 4 * static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols);
    list(name, 1, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), false);
  }
  std::uint64_t end() const { return at_; }

 private:
  void list(const char* name, std::uint64_t count, std::size_t rows, std::size_t cols, bool used) {
    ListedTensor tensor{name, "F32", {rows}, used};
    if (cols > 1) tensor.shape.push_back(cols);
    if (count > 1) tensor.shape.insert(tensor.shape.begin(), static_cast<std::size_t>(count));
    listed_.push_back(std::move(tensor));
  }

  std::shared_ptr<const io::FileBytes> bytes_;
  std::uint64_t at_;
  std::vector<ListedTensor>& listed_;
};

nn::TensorRef of_layer(const nn::TensorRef& first, std::size_t layer) {
  nn::TensorRef out = first;
  out.begin += 4 * static_cast<std::uint64_t>(layer) * static_cast<std::uint64_t>(first.rows) *
               static_cast<std::uint64_t>(first.cols);
  out.name += " of layer " + std::to_string(layer);
  return out;
}

base::Result<Header> read_header(const io::FileBytes& file) {
  const auto wrong = [&](const std::string& what) { return base::Error{file.name() + ": " + what}; };
  std::uint32_t words[3 + numbers] = {};
  if (file.size() < header_0) return wrong("too short for a llama2.c model");
  const std::size_t got = std::min<std::size_t>(sizeof words, static_cast<std::size_t>(file.size()));
  if (const base::Status read = file.read(0, got, reinterpret_cast<std::byte*>(words)); !read)
    return base::Error{read.error()};
  Header h{};
  const std::uint32_t* from = words;
  if (words[0] == magic) {
    h.version = static_cast<int>(words[1]);
    if (words[1] != 1)
      return wrong("version " + std::to_string(words[1]) +
                   " of llama2.c files is not supported; 0 and 1 are");
    if (file.size() < header_1) return wrong("too short for a llama2.c model");
    from = words + 2;
    std::uint8_t tied = 0;
    if (const base::Status read = file.read(header_0 + 8, 1, reinterpret_cast<std::byte*>(&tied)); !read)
      return base::Error{read.error()};
    h.own_head = tied == 0;
  }
  std::memcpy(static_cast<Sizes*>(&h), from, sizeof(Sizes));
  if (h.version == 0 && h.vocab_size < 0 && h.vocab_size > -(1 << 30))
    h.vocab_size = -h.vocab_size, h.own_head = true;
  constexpr std::int32_t widest = 1 << 20, most = 1 << 24;
  struct Limit {
    const char* name;
    std::int32_t value, high;
  };
  for (const Limit& each : {Limit{"dim", h.dim, widest}, Limit{"hidden_dim", h.hidden_dim, widest},
                            Limit{"n_layers", h.n_layers, most_layers}, Limit{"n_heads", h.n_heads, h.dim},
                            Limit{"n_kv_heads", h.n_kv_heads, h.n_heads},
                            Limit{"vocab_size", h.vocab_size, most}, Limit{"seq_len", h.seq_len, most}}) {
    if (each.value < 1 || each.value > each.high)
      return wrong("not a llama2.c model: " + std::string(each.name) + " in its header should be from 1 to " +
                   std::to_string(each.high) + ", but is " + std::to_string(each.value));
  }
  const auto not_divisible = [](const char* whole, std::int32_t of, const char* part, std::int32_t by) {
    return std::string(whole) + " " + std::to_string(of) + " in its header is not divisible by " + part +
           " " + std::to_string(by);
  };
  const std::string no_model = "not a llama2.c model: ";
  if (h.dim % h.n_heads != 0) return wrong(no_model + not_divisible("dim", h.dim, "n_heads", h.n_heads));
  if (h.n_heads % h.n_kv_heads != 0)
    return wrong(no_model + not_divisible("n_heads", h.n_heads, "n_kv_heads", h.n_kv_heads));
  if (h.dim / h.n_heads % 2 != 0)
    return wrong(no_model + "its heads have " + std::to_string(h.dim / h.n_heads) +
                 " components; RoPE rotates pairs, so the number should be even");
  return h;
}

}  // namespace

base::Status open_llama2c(const std::filesystem::path& path, OpenedModel& model) {
  const base::Result<std::shared_ptr<const io::FileBytes>> bytes = io::FileBytes::open(path);
  if (!bytes) return base::Error{bytes.error()};
  const base::Result<Header> header = read_header(**bytes);
  if (!header) return base::Error{header.error()};
  const Header& h = *header;
  const int d = h.dim, head_dim = d / h.n_heads, kv = h.n_kv_heads * head_dim;
  const auto layers = static_cast<std::uint64_t>(h.n_layers);

  nn::Network& net = model.network;
  nn::NetworkWeights& w = model.weights;
  net.vocabulary = h.vocab_size, net.width = d, net.mlp_width = h.hidden_dim;
  net.norm = nn::NormKind::rms, net.eps = 1e-5, net.gated = true;
  net.activation = nn::NetworkActivation::silu;
  net.trained_tokens = h.seq_len;
  net.rope.rotary_dim = head_dim, net.rope.pairs = nn::RopePairs::interleaved;
  nn::NetworkLayer shape;
  shape.heads = h.n_heads, shape.kv_heads = h.n_kv_heads, shape.head_dim = head_dim;
  shape.scale = 1 / std::sqrt(static_cast<double>(head_dim));
  net.layers.assign(static_cast<std::size_t>(h.n_layers), shape);

  Arrays arrays(*bytes, h.version == 0 ? header_0 : header_1, model.tensors);
  nn::TensorRef attention_norm, mlp_norm;
  const auto vector = [&](const char* name, std::uint64_t count) { return arrays.take(name, count, d, 1); };
  if (h.version == 0) {
    w.embedding = arrays.take("embedding", 1, h.vocab_size, d);
    attention_norm = vector("attention norm", layers);
  } else {
    attention_norm = vector("attention norm", layers);
    mlp_norm = vector("feed-forward norm", layers);
    w.final_norm.gamma = vector("final norm", 1);
    w.embedding = arrays.take("embedding", 1, h.vocab_size, d);
  }
  const nn::TensorRef q = arrays.take("wq", layers, d, d), k = arrays.take("wk", layers, kv, d),
                      v = arrays.take("wv", layers, kv, d), o = arrays.take("wo", layers, d, d);
  if (h.version == 0) mlp_norm = vector("feed-forward norm", layers);
  const nn::TensorRef gate = arrays.take("w1", layers, h.hidden_dim, d),
                      down = arrays.take("w2", layers, d, h.hidden_dim),
                      up = arrays.take("w3", layers, h.hidden_dim, d);
  if (h.version == 0) {
    w.final_norm.gamma = vector("final norm", 1);
    arrays.skip("cosines of RoPE", h.seq_len, head_dim / 2);
    arrays.skip("sines of RoPE", h.seq_len, head_dim / 2);
  }
  w.head.w = h.own_head ? arrays.take("head", 1, h.vocab_size, d) : w.embedding;
  if (arrays.end() != (*bytes)->size()) {
    return base::Error{(*bytes)->name() + ": the file has " + std::to_string((*bytes)->size()) +
                       " bytes, the sizes in its header need " + std::to_string(arrays.end()) +
                       "; it is truncated or not a llama2.c model"};
  }
  for (std::size_t n = 0; n < net.layers.size(); ++n) {
    nn::NetworkLayerWeights& l = w.layers.emplace_back();
    l.norm_1.gamma = of_layer(attention_norm, n), l.norm_2.gamma = of_layer(mlp_norm, n);
    l.q.w = of_layer(q, n), l.k.w = of_layer(k, n), l.v.w = of_layer(v, n), l.o.w = of_layer(o, n);
    l.gate.w = of_layer(gate, n), l.down.w = of_layer(down, n), l.up.w = of_layer(up, n);
  }
  model.family = "Llama, llama2.c", model.type = "llama2c", model.types = "F32";
  model.bos = 1, model.eos = {1, 2};  // token 1 begins each text, so it also ends the text before
  return {};
}

}  // namespace headlight::models
