#include "dumps/dump.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "base/one_line.h"
#include "dumps/row_check.h"
#include "io/descriptor.h"

namespace headlight::dumps {

namespace fs = std::filesystem;

struct Dump::KeyPlane {
  int layer = 0, sequence = 0, head = 0;
  std::vector<double> values;  // [keys, d]
};

namespace {

/// Returns the plane of a head from a layer [B, H, rows, columns].
Array plane_of(const Array& layer, int sequence, int head) {
  return entry_of(entry_of(layer, sequence), head);
}

/// Applies softmax to the first `visible` scores and sets the others to 0. False: they overflow.
bool softmax(std::span<double> scores, std::int64_t visible) {
  const auto seen =
      static_cast<std::size_t>(std::clamp<std::int64_t>(visible, 0, std::int64_t(scores.size())));
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t j = 0; j < seen; ++j) top = std::max(top, scores[j]);
  for (std::size_t j = 0; j < seen; ++j) sum += scores[j] = std::exp(scores[j] - top);
  for (std::size_t j = 0; j < seen; ++j) scores[j] /= sum;
  std::fill(scores.begin() + static_cast<std::ptrdiff_t>(seen), scores.end(), 0.0);
  return seen == 0 || std::isfinite(sum);
}

}  // namespace

std::string shape_words(const DumpShape& s) {
  return "[" + std::to_string(s.layers) + ", " + std::to_string(s.batch) + ", " + std::to_string(s.heads) +
         ", " + std::to_string(s.queries) + ", " + std::to_string(s.keys) + "]";
}

std::string place_words(const RowPlace& place, const DumpShape& shape) {
  return "layer " + std::to_string(place.layer + 1) +
         (shape.batch > 1 ? ", sequence " + std::to_string(place.sequence) : std::string()) + ", head " +
         std::to_string(place.head + 1) + ", query " + std::to_string(place.query);
}

int Dump::rows_at_once() const {
  constexpr int numbers_at_once = 1 << 20;
  return std::clamp(numbers_at_once / shape.keys, 1, shape.queries);
}

double Dump::numbers() const {
  return static_cast<double>(shape.layers) * shape.batch * shape.heads * shape.queries * shape.keys;
}

base::Result<std::shared_ptr<const Dump::KeyPlane>> Dump::keys_of(int layer, int sequence,
                                                                  int kv_head) const {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (keys_ && keys_->layer == layer && keys_->sequence == sequence && keys_->head == kv_head) return keys_;
  }
  const Array plane = plane_of(layers_.keys[static_cast<std::size_t>(layer)], sequence, kv_head);
  auto made = std::make_shared<KeyPlane>();
  made->layer = layer, made->sequence = sequence, made->head = kv_head;
  made->values.resize(static_cast<std::size_t>(plane.side(0) * plane.side(1)));
  if (const base::Status read = read_rows(plane, 0, plane.side(0), made->values); !read)
    return base::Error{read.error()};
  const std::lock_guard<std::mutex> lock(mutex_);
  keys_ = made;
  return keys_;
}

base::Status Dump::rows(int layer, int sequence, int head, int first, int count, std::span<double> to) const {
  const Array plane = plane_of(layers_.layers[static_cast<std::size_t>(layer)], sequence, head);
  if (!computed) return read_rows(plane, first, count, to);
  const int group = static_cast<int>(layers_.layers.front().side(1) / layers_.keys.front().side(1));
  const auto keys = keys_of(layer, sequence, head / group);
  if (!keys) return base::Error{keys.error()};
  const auto d = static_cast<std::size_t>(plane.side(1)), S = static_cast<std::size_t>(shape.keys);
  std::vector<double> q(static_cast<std::size_t>(count) * d);
  if (const base::Status read = read_rows(plane, first, count, q); !read) return read;
  for (int r = 0; r < count; ++r) {
    const double* const query = q.data() + static_cast<std::size_t>(r) * d;
    const std::span<double> row = to.subspan(static_cast<std::size_t>(r) * S, S);
    const std::int64_t visible =
        causal ? std::int64_t(first) + r + shape.keys - shape.queries + 1 : std::int64_t(shape.keys);
    for (std::size_t j = 0; j < S && static_cast<std::int64_t>(j) < visible; ++j) {
      const double* const key = (*keys)->values.data() + j * d;
      double dot = 0;
      for (std::size_t c = 0; c < d; ++c) dot += query[c] * key[c];
      row[j] = scale * dot;
    }
    if (!softmax(row, visible))
      return base::Error{file + ": q · k is too large for a number at " +
                         place_words({layer, sequence, head, first + r}, shape)};
  }
  return {};
}

base::Status Dump::vectors(int layer, int sequence, int head, std::span<double> q,
                           std::span<double> k) const {
  const Array& queries = layers_.layers[static_cast<std::size_t>(layer)];
  const Array& keys = layers_.keys[static_cast<std::size_t>(layer)];
  const int group = static_cast<int>(queries.side(1) / keys.side(1));
  if (const base::Status read = read_rows(plane_of(queries, sequence, head), 0, shape.queries, q); !read)
    return read;
  return read_rows(plane_of(keys, sequence, head / group), 0, shape.keys, k);
}

bool holds_attention(const fs::path& path) {
  const auto set = open_arrays(path);
  return set && find_layers(*set, "");
}

bool may_be_dump(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".npy" || ending == ".npz" || ending == ".pt" || ending == ".pth" ||
         ending == ".safetensors";
}

/// Builds a dump.
class Opener {
 public:
  Opener(const fs::path& path, const DumpOptions& options) : path_(path), options_(options) {}

  base::Result<std::shared_ptr<const Dump>> open() {
    const fs::path partner = partner_of_pair();
    base::Result<ArraySet> set = open_arrays(partner.empty() || !second_ ? path_ : partner);
    if (!set) return base::Error{set.error()};
    base::Result<Layers> layers = base::Error{};
    if (partner.empty()) {
      layers = find_layers(*set, options_.entry);
    } else {
      const base::Result<ArraySet> keys = open_arrays(second_ ? path_ : partner);
      if (!keys) return base::Error{keys.error()};
      layers = layers_of_pair(*set, *keys);
    }
    if (!layers) return base::Error{layers.error()};
    dump_->path = path_, dump_->file = set->file, dump_->format = set->format;
    dump_->layers_ = std::move(*layers);
    dump_->entry = dump_->layers_.name, dump_->type = dump_->precision = dump_->layers_.type;
    dump_->computed = !dump_->layers_.keys.empty();
    if (const base::Status fits = take_shape(); !fits) return base::Error{fits.error()};
    if (const base::Status found = take_scale(*set); !found) return base::Error{found.error()};
    const TokenPlace place{static_cast<std::size_t>(dump_->shape.batch),
                           static_cast<std::size_t>(dump_->shape.queries),
                           static_cast<std::size_t>(dump_->shape.keys), dump_->causal};
    base::Result<TokenLists> tokens = find_tokens(*set, path_, place, options_.tokens);
    if (!tokens) return base::Error{tokens.error()};
    dump_->tokens = std::move(*tokens);
    const base::Status looked_at =
        dump_->computed ? check_vectors(*dump_, dump_->layers_) : check_rows(*dump_, options_.any_rows);
    if (!looked_at) return base::Error{looked_at.error()};
    for (const std::string& remark : dump_->tokens.remarks) dump_->remarks.push_back(remark);
    return std::shared_ptr<const Dump>(dump_);
  }

 private:
  base::Error wrong(const std::string& what) const { return {dump_->file + ": " + what}; }

  /// Returns k.npy for q.npy and the reverse; either may be opened. Empty: the file has no partner.
  fs::path partner_of_pair() {
    if (path_.extension() != ".npy" || !options_.entry.empty()) return {};
    const std::string stem = path_.stem().string();
    const char last = stem.empty() ? '\0' : stem.back();
    const bool marked =
        stem.size() == 1 ||
        (stem.size() > 1 && std::string("_-.").find(stem[stem.size() - 2]) != std::string::npos);
    if (!marked || (last != 'q' && last != 'k')) return {};
    const fs::path partner =
        path_.parent_path() / (stem.substr(0, stem.size() - 1) + (last == 'q' ? "k" : "q") + ".npy");
    if (stem.size() > 1 && !io::may_be_there(partner)) return {};
    second_ = last == 'k';
    return partner;
  }

  base::Status take_shape() {
    const Array& first = dump_->layers_.layers.front();
    const std::int64_t keys = dump_->computed ? dump_->layers_.keys.front().side(2) : first.side(3);
    dump_->shape = {static_cast<int>(dump_->layers_.layers.size()), static_cast<int>(first.side(0)),
                    static_cast<int>(first.side(1)), static_cast<int>(first.side(2)), static_cast<int>(keys)};
    constexpr double most_computed = 4e9;
    if (dump_->computed && dump_->numbers() > most_computed)
      return wrong("q and k make the weights " + shape_words(dump_->shape) +
                   ", more than 4,000,000,000; save fewer tokens, layers or heads");
    return {};
  }

  /// Returns the number of a value given next to the arrays: in an array of one entry, a text or meta.json.
  base::Result<io::Json> stated(const ArraySet& set, const io::Json& meta, const char* name) const {
    if (const Array* array = set.find(name)) {
      const base::Result<std::vector<Element>> elements = elements_of(*array, 1);
      if (!elements) return base::Error{elements.error()};
      if (elements->size() == 1 && array->kind != 'U' && array->kind != 'S')
        return io::Json(elements->front().number);
      return wrong(std::string(name) + " has the shape " + shape_words(*array) + "; one number is expected");
    }
    if (const auto found = set.values.find(name); found != set.values.end()) return found->second;
    const io::Json* found = io::member(meta, name);
    return found != nullptr ? *found : io::Json();
  }

  base::Status take_scale(const ArraySet& set) {
    if (!dump_->computed) return {};
    const base::Result<io::Json> meta = read_beside(path_, "meta.json");
    if (!meta) return base::Error{meta.error()};
    const auto d = static_cast<double>(dump_->layers_.layers.front().side(3));
    dump_->scale = 1 / std::sqrt(d);
    const base::Result<io::Json> scale = stated(set, *meta, "scale"), causal = stated(set, *meta, "causal");
    if (!scale) return base::Error{scale.error()};
    if (!causal) return base::Error{causal.error()};
    if (!scale->is_null()) {
      std::optional<double> number = io::finite_number(*scale, -1e6, 1e6);
      if (scale->is_string()) number = number_in(scale->get_ref<const std::string&>());
      if (!number || !(std::fabs(*number) <= 1e6))
        return wrong("scale is not a number but " + io::found(*scale));
      dump_->scale = *number;
    }
    if (!causal->is_null()) {
      const std::optional<bool> flag = truth_in(*causal);
      if (!flag) return wrong("causal is neither true nor false, but " + io::found(*causal));
      dump_->causal = *flag;
    }
    return {};
  }

  static std::optional<double> number_in(const std::string& text) {
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || rest != text.data() + text.size() || !std::isfinite(value))
      return std::nullopt;
    return value;
  }

  static std::optional<bool> truth_in(const io::Json& json) {
    if (json.is_boolean()) return json == true;
    if (const auto number = io::whole_number(json, 0, 1)) return *number == 1;
    if (!json.is_string()) return std::nullopt;
    const std::string& text = json.get_ref<const std::string&>();
    if (text == "true" || text == "True" || text == "1") return true;
    if (text == "false" || text == "False" || text == "0") return false;
    return std::nullopt;
  }

  fs::path path_;
  DumpOptions options_;
  bool second_ = false;  // the named file holds k
  std::shared_ptr<Dump> dump_ = std::make_shared<Dump>();
};

base::Result<std::shared_ptr<const Dump>> open_dump(const fs::path& path, const DumpOptions& options) {
  return Opener(path, options).open();
}

}  // namespace headlight::dumps
