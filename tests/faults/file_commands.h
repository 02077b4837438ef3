// The commands of command_faults_test.cpp, each in a folder of its own with what it reads.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace headlight::faults {

/// A command in a folder of its own. @ in its words is the folder of its files, % something of the reference
/// data that is copied there.
struct Command {
  const char* name;
  std::vector<std::string> words;
  std::vector<std::string> first;  // a command that makes what it reads; empty: there is nothing to make
  long all = 80;                   // calls of a kind, up to which every one fails; fewer where it takes long

  bool reads() const;
  bool trains() const { return words[0] == "train"; }
};
inline void PrintTo(const Command& command, std::ostream* out) {
  *out << command.name;
}

std::vector<Command> commands();

/// What every folder has: a sound model of ours, a scene, a lesson and a text.
void fill(const std::filesystem::path& folder);

/// The words with their files in `folder`. %PATH: that file or folder, and what lies beside it; "%whole
/// FAMILY VARIANT": a model with its tokenizer; "%bare …": the same without tokenizer.json, so that the
/// vocabulary is read where the model has one.
std::vector<std::string> in_place(std::vector<std::string> words, const std::filesystem::path& folder);

}  // namespace headlight::faults
