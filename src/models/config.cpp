#include "models/config.h"

#include "base/one_line.h"

namespace headlight::models {

namespace {

using nn::NetworkActivation;

constexpr int largest = 1 << 27;

struct NamedActivation {
  const char* name;
  NetworkActivation activation;
};
constexpr NamedActivation activations[] = {{"gelu", NetworkActivation::gelu_erf},
                                           {"gelu_python", NetworkActivation::gelu_erf},
                                           {"gelu_new", NetworkActivation::gelu_tanh},
                                           {"gelu_pytorch_tanh", NetworkActivation::gelu_tanh},
                                           {"gelu_fast", NetworkActivation::gelu_tanh},
                                           {"gelu_accurate", NetworkActivation::gelu_tanh},
                                           {"gelu_python_tanh", NetworkActivation::gelu_tanh},
                                           {"quick_gelu", NetworkActivation::gelu_quick},
                                           {"silu", NetworkActivation::silu},
                                           {"swish", NetworkActivation::silu},
                                           {"relu", NetworkActivation::relu},
                                           {"tanh", NetworkActivation::tanh}};

std::string number_text(double value) {
  std::string text = nlohmann::json(value).dump();
  if (text.size() > 2 && text.substr(text.size() - 2) == ".0") text.resize(text.size() - 2);
  return text;
}

}  // namespace

void Config::fail(const std::string& what) {
  if (!error_) error_ = base::Error{file_ + ": " + what};
}

const io::Json* Config::find(Names names, const char*& name) const {
  name = *names.begin();
  for (const char* each : names) {
    if (const io::Json* found = io::member(json_, each)) {
      name = each;
      return found;
    }
  }
  return nullptr;
}

const io::Json* Config::member(const char* name) const {
  const io::Json* found = io::member(json_, name);
  return found != nullptr && !found->is_null() ? found : nullptr;
}

int Config::whole_of(const io::Json& json, const char* name, int missing, int low) {
  if (const auto value = io::whole_number(json, low, largest)) return static_cast<int>(*value);
  const std::string expected =
      low == 1 ? "a positive whole number (1 or more)" : "a whole number of at least " + std::to_string(low);
  fail(std::string(name) + " should be " + expected + " up to " + std::to_string(largest) + ", but is " +
       base::shortened(io::found(json)));
  return missing;
}

int Config::whole(Names names, int missing, int low) {
  const char* name = nullptr;
  const io::Json* found = find(names, name);
  return found == nullptr ? missing : whole_of(*found, name, missing, low);
}

int Config::whole_or_null(Names names, int missing, int low) {
  const char* name = nullptr;
  const io::Json* found = find(names, name);
  return found == nullptr || found->is_null() ? missing : whole_of(*found, name, missing, low);
}

int Config::window(Names names, int missing) {
  const char* name = nullptr;
  const io::Json* found = find(names, name);
  return found != nullptr && found->is_null() ? 0 : whole(names, missing);
}

double Config::number(Names names, double missing, double low, double high) {
  const char* name = nullptr;
  const io::Json* found = find(names, name);
  if (found == nullptr) return missing;
  if (const auto value = io::finite_number(*found, low, high)) return *value;
  fail(std::string(name) + " should be a finite number from " + number_text(low) + " to " +
       number_text(high) + ", but is " + base::shortened(io::found(*found)) +
       (found->is_number() ? " (out of range)" : ""));
  return missing;
}

double Config::number_or_null(Names names, double missing, double low, double high) {
  const char* name = nullptr;
  const io::Json* found = find(names, name);
  return found != nullptr && found->is_null() ? 0 : number(names, missing, low, high);
}

bool Config::flag(Names names, bool missing) {
  const char* name = nullptr;
  const io::Json* found = find(names, name);
  if (found == nullptr || found->is_null()) return missing;
  if (found->is_boolean()) return *found == true;
  fail(std::string(name) + " should be true or false, it is " + base::shortened(io::found(*found)));
  return missing;
}

std::string Config::text(Names names, const char* missing) {
  const char* name = nullptr;
  const io::Json* found = find(names, name);
  if (found == nullptr || found->is_null()) return missing;
  if (found->is_string()) return found->get_ref<const std::string&>();
  fail(std::string(name) + " should be a text, it is " + base::shortened(io::found(*found)));
  return missing;
}

NetworkActivation Config::activation(Names names, const char* missing) {
  const std::string name = text(names, missing);
  for (const NamedActivation& each : activations)
    if (name == each.name) return each.activation;
  fail(std::string(*names.begin()) + " is " + base::in_quotes(name) +
       "; supported are gelu, gelu_new, gelu_pytorch_tanh, quick_gelu, silu, relu and tanh");
  return NetworkActivation::gelu_erf;
}

std::vector<int> windows_by_type(Config& config, int layers, int window) {
  const io::Json* types = config.member("layer_types");
  if (types == nullptr) return {};
  if (!types->is_array() || types->size() != static_cast<std::size_t>(layers)) {
    config.fail("layer_types should be a list of " + std::to_string(layers) + " texts, one for each layer");
    return {};
  }
  std::vector<int> windows;
  for (const io::Json& type : *types) {
    const std::string name = type.is_string() ? type.get_ref<const std::string&>() : std::string();
    if (name != "full_attention" && name != "sliding_attention") {
      config.fail("layer_types has " + base::shortened(io::found(type)) +
                  "; supported are full_attention and sliding_attention");
      return {};
    }
    windows.push_back(name == "sliding_attention" ? window : 0);
  }
  return windows;
}

}  // namespace headlight::models
