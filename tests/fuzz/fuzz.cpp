// headlight_fuzz TARGET [options of libFuzzer] FOLDER …: damages inputs of one target, guided by what they
// reach. --list: the targets. --seeds TARGET FOLDER: writes sound files to begin with. scripts/fuzz runs it.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "fuzz/corpus.h"
#include "fuzz/targets.h"

extern "C" int LLVMFuzzerRunDriver(int* argc, char*** argv,
                                   int (*callback)(const std::uint8_t*, std::size_t));
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t largest);

namespace {

using namespace headlight::fuzz;

const Target* chosen = nullptr;
std::filesystem::path folder;

int run(const std::uint8_t* data, std::size_t size) {
  const std::string wrong = chosen->run(std::string(reinterpret_cast<const char*>(data), size), folder);
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", chosen->name, wrong.c_str());
  std::abort();
}

int write_seeds(const Target& target, const std::filesystem::path& to) {
  std::filesystem::create_directories(to);
  int number = 0;
  for (const auto& list : {target.seeds(), corpus_of(target.name)})
    for (const std::string& bytes : list)
      std::ofstream(to / ("seed-" + std::to_string(number++)), std::ios::binary) << bytes;
  return 0;
}

}  // namespace

/// Half of the changes know the format, half are libFuzzer's own.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t largest,
                                               unsigned seed) {
  Dice dice(seed);
  if (dice.one_in(2)) return LLVMFuzzerMutate(data, size, largest);
  const std::string changed = mutated(std::string(reinterpret_cast<const char*>(data), size), chosen->form,
                                      dice, largest, chosen->lead);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const Target& target : targets()) std::printf("%s\t%s\n", target.name, target.what);
    return 0;
  }
  const bool seeds = argc == 4 && std::strcmp(argv[1], "--seeds") == 0;
  chosen = argc > 1 ? target_of(argv[seeds ? 2 : 1]) : nullptr;
  // libFuzzer starts itself again without the first argument, to merge.
  constexpr const char* again = "HEADLIGHT_FUZZ_TARGET";
  const bool restarted = chosen == nullptr && std::getenv(again) != nullptr;
  if (restarted) chosen = target_of(std::getenv(again));
  if (chosen == nullptr) {
    std::fprintf(stderr, "headlight_fuzz: unknown target. `headlight_fuzz --list` lists them.\n");
    return 2;
  }
  if (seeds) return write_seeds(*chosen, argv[3]);
  std::string name = (std::filesystem::temp_directory_path() / "headlight-fuzz-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return 1;
  folder = name;
  setenv(again, chosen->name, 1);
  static std::string largest = "-max_len=" + std::to_string(chosen->largest);
  if (!restarted) argv[1] = largest.data();
  // libFuzzer takes the first argument as the name of the program.
  const int status = LLVMFuzzerRunDriver(&argc, &argv, run);
  std::filesystem::remove_all(folder);
  return status;
}
