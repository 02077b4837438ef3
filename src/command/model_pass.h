// One text through a model of another program, for the commands that print or write the result. Tested in
// tests/command/models_command_test.cpp.
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
  std::vector<int> ids;  // if not empty: used instead of the text
};

struct ModelPass {
  scene::OtherModel model;
  std::vector<nn::Token> tokens;  // [T]
  std::vector<int> ids;           // [T] their vocabulary ids
  nn::NetworkTrace trace;
};

/// A model of Headlight, a file or the name of an included one; null: `path` is neither.
std::shared_ptr<const scene::TrainedModel> own_model(const std::filesystem::path& path);
/// scene::open_other_model(); if the path is a model of Headlight, the error names the command for it.
base::Result<scene::OtherModel> open_model(const std::filesystem::path& path);

/// Runs the same model and tokens again with heads switched off or scaled. Errors as network_forward().
base::Status pass_again(const std::vector<nn::HeadFactor>& factors, const nn::NetworkKeeps& keeps,
                        ModelPass& pass);

/// Opens the model and computes. Errors, one line: those of open_model(), tokens_for() and
/// network_forward(), and a text whose arrays would fill the memory.
base::Result<ModelPass> model_pass(const ModelText& what, const nn::NetworkKeeps& keeps);

/// An error if rows of a pass over this many tokens would fill the memory: T² weights of each head, one layer
/// at a time.
std::optional<base::Error> too_long(const models::OpenedModel& model, std::size_t tokens,
                                    const nn::NetworkKeeps& keeps);

/// A token in a table: at most 16 characters, the last an ellipsis if some were left out.
std::string short_name(const scene::OtherModel& model, int id);

}  // namespace headlight::app
