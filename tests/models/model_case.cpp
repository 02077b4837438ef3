#include "models/model_case.h"

#include <cmath>
#include <fstream>
#include <sstream>

namespace headlight::tests {

namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

void append(const nn::Matrix& matrix, std::vector<double>& to) {
  to.insert(to.end(), matrix.values().begin(), matrix.values().end());
}

/// An array of one sequence as the data lists it.
std::vector<double> array_of(const nn::NetworkTrace& trace, const std::string& name) {
  std::vector<double> out;
  if (name == "attentions") {
    for (const nn::Matrix& layer : trace.attentions) append(layer, out);
  } else if (name == "hidden_states") {
    for (const nn::Matrix& state : trace.states) append(state, out);
  } else if (name.rfind("hidden_", 0) == 0) {
    append(trace.states.at(std::stoul(name.substr(7))), out);
  } else if (name == "logits" || name == "mlm_logits") {
    append(trace.logits, out);
  } else if (name == "pooled") {
    append(trace.pooled, out);
  } else if (name == "nsp_logits") {
    append(trace.relation, out);
  } else if (name == "embedding") {
    append(trace.sentence, out);
  } else {
    throw std::runtime_error("an array that nothing here computes: " + name);
  }
  return out;
}

/// Where the values of sequence b of a batch stand: [L, B, …] or [B, …]. `rows` are kept, all others are left
/// out of both sides.
struct Slice {
  std::vector<double> got, expected;
};
Slice slice(const std::string& name, const std::vector<double>& got, const Array& all, std::size_t b,
            std::size_t batch, const std::vector<int>& real) {
  const bool layered = name == "attentions" || name == "hidden_states";
  const auto layers = layered ? static_cast<std::size_t>(all.dim(0)) : 1;
  const std::size_t each = all.values.size() / layers / batch;  // of one sequence and layer
  const std::size_t tokens = real.size();
  // attentions [h, T, T], states [T, d], logits [T, V]; pooled and the like have no rows.
  const bool rows = name != "pooled" && name != "nsp_logits";
  const std::size_t heads = name == "attentions" ? static_cast<std::size_t>(all.dim(2)) : 1;
  const std::size_t width = rows ? each / heads / tokens : each;
  Slice out;
  for (std::size_t l = 0; l < layers; ++l) {
    for (std::size_t i = 0; i < each; ++i) {
      if (rows && real[i / width % tokens] == 0) continue;
      out.got.push_back(got.at(l * each + i));
      out.expected.push_back(all.values.at((l * batch + b) * each + i));
    }
  }
  return out;
}

bool has_no_head(const nlohmann::json& variant) {
  if (variant.contains("has_heads")) return !variant.at("has_heads").get<bool>();
  return variant.value("about", "").find("no head") != std::string::npos;
}

class Runner {
 public:
  Runner(const ModelData& data, const nlohmann::json& variant, const models::OpenedModel& model,
         Compared& compared)
      : data_(data), variant_(variant), model_(model), compared_(compared) {}

  void run(const nlohmann::json& description) {
    const std::string set = variant_.at("expected");
    if (!description.at("expected").contains(set)) return;
    const nlohmann::json& expected = description.at("expected").at(set);
    ++compared_.cases;
    const nlohmann::json& ids = description.at("input_ids");
    if (ids.front().is_array()) return run_batch(description, expected);
    const std::vector<int> tokens = whole_numbers(ids), types = list(description, "token_type_ids");
    const std::vector<int> mask = list(description, "attention_mask");
    if (!forward(tokens, types, mask)) return;
    for (const auto& [name, entry] : expected.items()) {
      if (left_out(name)) continue;
      note(compare(where(description, name), array_of(trace_, name), data_.array(entry).values, entry));
    }
    if (nn::has_steps(model_.network)) steps(description, tokens, expected);
  }

 private:
  static std::vector<int> list(const nlohmann::json& description, const char* name) {
    return description.contains(name) ? whole_numbers(description.at(name)) : std::vector<int>();
  }
  std::string where(const nlohmann::json& description, const std::string& name) const {
    return data_.folder.filename().string() + "/" + variant_.at("dir").get<std::string>() + " " +
           description.at("id").get<std::string>() + " " + name;
  }
  void note(double used) { ++compared_.arrays, compared_.worst = std::max(compared_.worst, used); }

  bool left_out(const std::string& name) const {
    if (!array_of(trace_, name).empty()) return false;
    const bool of_head = name == "logits" || name == "mlm_logits" || name == "nsp_logits" || name == "pooled";
    EXPECT_TRUE(of_head && has_no_head(variant_)) << name << " is not computed";
    return true;
  }

  bool forward(const std::vector<int>& ids, const std::vector<int>& types, const std::vector<int>& mask) {
    const std::vector<std::uint8_t> visible(mask.begin(), mask.end());
    const base::Status status =
        nn::network_forward(model_.network, model_.weights,
                            {.ids = ids, .token_types = types, .visible = visible}, parallel_, trace_);
    EXPECT_TRUE(status) << status.error();
    return static_cast<bool>(status);
  }

  void run_batch(const nlohmann::json& description, const nlohmann::json& expected) {
    const std::size_t batch = description.at("input_ids").size();
    for (std::size_t b = 0; b < batch; ++b) {
      const std::vector<int> ids = whole_numbers(description["input_ids"][b]),
                             mask = whole_numbers(description.at("attention_mask")[b]);
      std::vector<int> types;
      if (description.contains("token_type_ids")) types = whole_numbers(description["token_type_ids"][b]);
      if (!forward(ids, types, mask)) return;
      for (const auto& [name, entry] : expected.items()) {
        if (left_out(name)) continue;
        const Slice s = slice(name, array_of(trace_, name), data_.array(entry), b, batch, mask);
        note(compare(where(description, name) + " of sequence " + std::to_string(b), s.got, s.expected,
                     entry));
      }
    }
  }

  /// Token by token with a cache, the first half at once: the same numbers, row by row.
  void steps(const nlohmann::json& description, const std::vector<int>& ids, const nlohmann::json& expected) {
    nn::NetworkCache cache;
    std::vector<double> logits;
    const std::size_t first = (ids.size() + 1) / 2;
    for (std::size_t at = 0; at < ids.size();) {
      const std::size_t now = at == 0 ? first : 1;
      const base::Status status = nn::network_step(model_.network, model_.weights,
                                                   std::span(ids).subspan(at, now), parallel_, cache, trace_);
      ASSERT_TRUE(status) << status.error();
      append(trace_.logits, logits);
      at += now;
    }
    if (expected.contains("logits") && !logits.empty())
      compare(where(description, "logits") + " in steps", logits, data_.array(expected.at("logits")).values,
              expected.at("logits"));
  }

  const ModelData& data_;
  const nlohmann::json& variant_;
  const models::OpenedModel& model_;
  Compared& compared_;
  base::Parallel parallel_;
  nn::NetworkTrace trace_;
};

}  // namespace

ModelData::ModelData(const std::filesystem::path& where)
    : folder(where), manifest(nlohmann::json::parse(file_text(where / "manifest.json"))) {}

std::filesystem::path ModelData::path(const nlohmann::json& variant) const {
  const std::filesystem::path in = folder / variant.at("dir").get<std::string>();
  return variant.contains("file") ? in / variant.at("file").get<std::string>() : in;
}

Array ModelData::array(const nlohmann::json& entry) const {
  const std::string name = entry.at("file");
  return parse_npy(file_text(folder / name), name);
}

std::vector<int> whole_numbers(const nlohmann::json& list) {
  return list.get<std::vector<int>>();
}

double compare(const std::string& what, const std::vector<double>& got, const std::vector<double>& expected,
               const nlohmann::json& entry) {
  EXPECT_EQ(got.size(), expected.size()) << what;
  if (got.size() != expected.size()) return 0;
  const double atol = entry.at("tol_f32").at("atol"), rtol = entry.at("tol_f32").at("rtol");
  double used = 0;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double part = std::fabs(got[i] - expected[i]) / (atol + rtol * std::fabs(expected[i]));
    if (!(part <= used)) used = part, worst = i;
    if (std::isnan(part)) break;
  }
  EXPECT_LE(used, 1) << what << ": element " << worst << " is " << got[worst] << " and should be "
                     << expected[worst] << " (" << atol << " + " << rtol << "·|x|)";
  return used;
}

void compare_model(const ModelData& data, Compared& compared) {
  for (const nlohmann::json& variant : data.manifest.at("variants")) {
    SCOPED_TRACE(variant.at("dir").get<std::string>());
    const auto model = models::open_model(data.path(variant));
    ASSERT_TRUE(model) << model.error();
    ++compared.variants;
    Runner runner(data, variant, **model, compared);
    for (const nlohmann::json& description : data.manifest.at("cases")) runner.run(description);
  }
}

}  // namespace headlight::tests
