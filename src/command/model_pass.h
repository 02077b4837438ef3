// One text through a model of another program, for the commands that print or write what comes of it. Tested
// in tests/command/models_command_test.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "models/opened_model.h"
#include "network/network.h"
#include "scene/other_model.h"
#include "scene/trained_model.h"

namespace headlight::app {

struct ModelText {
  std::filesystem::path model;
  std::string text;
  std::vector<int> ids;  // not empty: these in place of the text
};

struct ModelPass {
  scene::OtherModel model;
  std::vector<nn::Token> tokens;  // [T]
  std::vector<int> ids;           // [T] their vocabulary ids
  nn::NetworkTrace trace;
};

/// A model of Headlight itself, a file or the name of an included one; null: it is none.
std::shared_ptr<const scene::TrainedModel> own_model(const std::filesystem::path& path);
/// scene::open_other_model(); where the path is a model of Headlight the error says which command takes it.
base::Result<scene::OtherModel> open_model(const std::filesystem::path& path);

/// The same model and tokens with heads switched off or scaled: the trace anew. Errors as network_forward().
base::Status pass_again(const std::vector<nn::HeadFactor>& factors, const nn::NetworkKeeps& keeps,
                        ModelPass& pass);

/// Opens the model and computes. Errors, one line: those of open_model(), tokens_for() and
/// network_forward(), and a text whose arrays would fill the memory.
base::Result<ModelPass> model_pass(const ModelText& what, const nn::NetworkKeeps& keeps);

/// Rows of a pass over so many tokens would fill the memory: T² weights of each head, one layer at a time.
std::optional<base::Error> too_long(const models::OpenedModel& model, std::size_t tokens,
                                    const nn::NetworkKeeps& keeps);

/// A token as it stands in a table: at most 16 characters, the last an ellipsis where some were left out.
std::string short_name(const scene::OtherModel& model, int id);

}  // namespace headlight::app
