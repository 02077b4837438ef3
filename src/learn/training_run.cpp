// Selects the kind of run for a task, and where it starts: at step 0, or where a file left it.
#include "learn/training_run.h"

#include <nlohmann/json.hpp>

#include "io/text_folder.h"
#include "scene/named_files.h"
#include "scene/setting.h"
#include "tasks/task.h"

namespace headlight::scene {

base::Result<std::shared_ptr<const nn::Task>> training_task(const TrainingSettings& s,
                                                            const KeepGoing& keep_going) {
  constexpr int letters = 26;
  const auto seed = static_cast<std::uint64_t>(s.seed);
  std::unique_ptr<nn::Task> task;
  switch (s.task) {
    case TrainingTask::reverse:
      task = s.end_token ? nn::reverse_end_task(letters, s.length, seed)
                         : nn::reverse_task(letters, s.length, seed);
      break;
    case TrainingTask::induction:
      task = nn::induction_task(letters, s.length / 2 * 2, seed);
      break;
    case TrainingTask::english:
      task = nn::english_task(s.length, seed);
      break;
    case TrainingTask::pronouns:
      task = nn::pronoun_task(seed);
      break;
    default: {
      if (s.file.empty())
        return base::Error{
            "no text selected: choose any UTF-8 text up to 50 MB, or a folder of .txt and .md files"};
      if (const base::Status found = check_found(s.file); !found) return base::Error{found.error()};
      base::Result<std::string> text = io::read_texts(s.file, nn::largest_text);
      if (!text) return base::Error{text.error()};
      nn::TextTaskOptions options;
      options.name = s.file;
      options.kind = s.unit == TextUnit::byte_pieces ? nn::VocabularyKind::pieces
                                                     : static_cast<nn::VocabularyKind>(s.unit);
      if (s.unit == TextUnit::byte_pieces) options.bytes = nn::PieceBytes::all;
      // Also if a file claims fewer than the number of bytes.
      options.vocabulary =
          s.unit == TextUnit::byte_pieces ? std::max(s.vocabulary, nn::smallest_of_all_bytes) : s.vocabulary;
      options.length = s.length, options.seed = seed;
      options.keep_going = keep_going;
      auto made = nn::text_task(*text, options);
      if (!made) return base::Error{made.error()};
      task = std::move(*made);
    }
  }
  return std::shared_ptr<const nn::Task>(std::move(task));
}

namespace {

constexpr io::JsonKind state_kind{"training run", 5, std::size_t(16) << 20, 1'000'000};

base::Error no_run(const std::string& path) {
  return {path + ": not a training run: its metadata has no entry \"training\""};
}

/// The state of the run in a file.
base::Result<io::Json> state_of(const io::TensorFile& file, const std::string& path) {
  const auto found = file.metadata.find(training_entry);
  if (found == file.metadata.end()) return no_run(path);
  return io::read_json_object(found->second, path + ": the metadata \"training\"", state_kind);
}

/// The settings of the run in a file.
base::Result<TrainingSettings> settings_of(const io::Json& state, const std::string& path) {
  const io::Json* settings = io::member(state, "settings");
  if (!settings || !settings->is_object())
    return base::Error{path + ": the metadata \"training\" is damaged: the settings are missing"};
  TrainingSettings read;
  std::string problem;
  for (const Setting& one : training_settings()) {
    const io::Json* text = io::member(*settings, one.field.name);
    if (!text || !text->is_string()) continue;
    const base::Status set = one.read(read, text->get_ref<const std::string&>());
    if (!set && problem.empty()) problem = std::string(one.field.name) + ": " + set.error();
  }
  if (!problem.empty()) return base::Error{path + ": " + problem};
  repair(read);
  return read;
}

}  // namespace

base::Result<std::unique_ptr<TrainingRun>> start_training(const TrainingSettings& requested,
                                                          base::Parallel& parallel,
                                                          const KeepGoing& keep_going) {
  TrainingSettings settings = requested;
  repair(settings);
  if (settings.task == TrainingTask::two_relations) return relations_run(settings);
  if (settings.compare == TrainingCompare::other) {
    if (const auto second = other_run(settings); !second) return base::Error{second.error()};
  }
  auto task = training_task(settings, keep_going);
  if (!task) return base::Error{task.error()};
  return language_run(settings, std::move(*task), parallel);
}

base::Result<std::unique_ptr<TrainingRun>> continue_training(const std::string& path,
                                                             TrainingSettings& settings,
                                                             base::Parallel& parallel,
                                                             const KeepGoing& keep_going) {
  // A file without a run may be large: the metadata at its beginning says whether it has one.
  const base::Result<io::TensorMetadata> metadata = io::load_safetensors_metadata(path);
  if (!metadata) return base::Error{metadata.error()};
  if (!metadata->contains(training_entry)) return no_run(path);
  base::Result<io::TensorFile> file = io::load_safetensors(path);
  if (!file) return base::Error{file.error()};
  const base::Result<io::Json> state = state_of(*file, path);
  if (!state) return base::Error{state.error()};
  const base::Result<TrainingSettings> read = settings_of(*state, path);
  if (!read) return base::Error{read.error()};
  base::Result<std::vector<TrainingChange>> changes = changes_in(*state, *read, path);
  if (!changes) return base::Error{changes.error()};
  base::Result<std::unique_ptr<TrainingRun>> run = base::Error{};
  if (read->task == TrainingTask::two_relations) {
    run = relations_run_from(*read, *file, std::move(*changes), path);
  } else {
    if (const base::Status fits = check_language_run(*read, nullptr, *file, path); !fits)
      return base::Error{fits.error()};
    auto task = training_task(*read, keep_going);
    if (!task) return base::Error{task.error()};
    run = language_run_from(*read, std::move(*task), *file, *state, std::move(*changes), path, parallel);
  }
  if (run) settings = *read;
  return run;
}

}  // namespace headlight::scene
