// Readers of saved attention.
#include <algorithm>

#include "dumps/dump.h"
#include "dumps/measures.h"
#include "fuzz/inputs.h"
#include "fuzz/targets.h"
#include "support/reference_data.h"

namespace headlight::fuzz {

namespace {

namespace fs = std::filesystem;
using tests::ReferenceData;

std::string dump_holds(const fs::path& path) {
  const auto dump = dumps::open_dump(path);
  if (!dump) return unfit_error(dump.error());
  if ((*dump)->numbers() > 100'000) return "";
  const auto& shape = (*dump)->shape;
  std::vector<double> row(static_cast<std::size_t>(shape.keys));
  for (int layer = 0; layer < shape.layers; ++layer) {
    const base::Status status = (*dump)->rows(layer, 0, shape.heads - 1, shape.queries - 1, 1, row);
    if (!status) return unfit_error(status.error());
    double sum = 0;
    for (const double weight : row) sum += weight;
    if (!(sum == 0 || std::abs(sum - 1) <= (*dump)->tolerance))
      return "a row that does not sum to one was let in";
  }
  return "";
}
std::string read_dump(const char* name, Bytes bytes, const fs::path& folder) {
  write(folder / name, bytes);
  return dump_holds(folder / name);
}
std::string read_npy(Bytes bytes, const fs::path& folder) {
  return read_dump("a.npy", bytes, folder);
}
std::string read_npz(Bytes bytes, const fs::path& folder) {
  return read_dump("a.npz", bytes, folder);
}
std::string read_pt(Bytes bytes, const fs::path& folder) {
  return read_dump("a.pt", bytes, folder);
}
std::string read_dump_tensors(Bytes bytes, const fs::path& folder) {
  return read_dump("a.safetensors", bytes, folder);
}
/// What lies beside saved attention: the first byte says which of these files is read.
constexpr const char* beside_dumps[] = {"tokens.json", "meta.json", "tokens.txt"};
std::string read_beside_dump(Bytes bytes, const fs::path& folder) {
  if (bytes.empty()) return "";
  static const std::vector<std::string> dumps = files_that_end_in("npy-lhtt/attention.npy", "dumps/", 20'000);
  if (dumps.empty()) return "";
  for (const char* name : beside_dumps) fs::remove(folder / name);
  write(folder / "a.npy", dumps.front());
  write(folder / beside_dumps[static_cast<unsigned char>(bytes[0]) % std::size(beside_dumps)],
        bytes.substr(1));
  return dump_holds(folder / "a.npy");
}
std::vector<std::string> some_beside_dumps() {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::size(beside_dumps); ++i)
    for (const std::string& text : files_that_end_in(std::string("/") + beside_dumps[i], "dumps/", 20'000))
      out.push_back(std::string(1, static_cast<char>(i)) + text);
  return out;
}
std::vector<std::string> some_npy() {
  return files_that_end_in(".npy", "dumps/", 20'000);
}
std::vector<std::string> some_npz() {
  return files_that_end_in(".npz", "dumps/", 20'000);
}
std::vector<std::string> some_pt() {
  return files_that_end_in(".pt", "dumps/", 20'000);
}
std::vector<std::string> some_dump_tensors() {
  return files_that_end_in(".safetensors", "dumps/", 20'000);
}

constexpr Target dumps_table[] = {
    {"npy", "saved attention, NPY", Form::bytes, 20'000, read_npy, some_npy},
    {"npz", "saved attention, NPZ", Form::zip, 20'000, read_npz, some_npz},
    {"pt", "saved attention, PyTorch", Form::zip, 20'000, read_pt, some_pt},
    {"dump_safetensors", "saved attention, safetensors", Form::safetensors, 20'000, read_dump_tensors,
     some_dump_tensors},
    {"beside_dump", "tokens.json, meta.json and tokens.txt beside saved attention", Form::json, 20'000,
     read_beside_dump, some_beside_dumps, 1},
};

}  // namespace

std::span<const Target> dump_targets() {
  return dumps_table;
}

}  // namespace headlight::fuzz
