#include "pictures/export_numbers.h"

#include <algorithm>

#include "io/csv.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/tensor_json.h"
#include "pages/page.h"
#include "scene/figure_scene.h"

namespace headlight::app {

namespace {

constexpr std::size_t most_copied = 1'000'000;  // numbers

using Tables = std::span<const scene::Table* const>;

/// Does the page need tokens, while the sentence has none?
bool without_tokens(const scene::TableSource& source) {
  return scene::room_of(source.scene.page).uses(source.scene).model != scene::PageUses::Model::none &&
         source.results.tokens.empty();
}

base::Error nothing(Tables tables, const scene::TableSource& source) {
  std::string names;
  for (const scene::Table* table : tables) names += (names.empty() ? "" : ", ") + std::string(table->name);
  if (names.empty()) return {"it has no numbers"};
  if (tables.size() == 1 && tables[0]->why_none) {
    if (const std::string why = tables[0]->why_none(source); !why.empty())
      return {"this scene has no " + names + why};
  }
  return {"this scene has no " + names + (without_tokens(source) ? ": its sentence has no tokens" : "")};
}

std::size_t size_of(const io::AnyTensor& any) {
  return std::visit([](const auto& tensor) { return tensor.values.size(); }, any);
}

/// Returns the numbers of the tables that the scene has, at most `most` of them.
std::vector<scene::Numbers> made_of(Tables tables, const scene::TableSource& source, std::size_t most,
                                    const Written& written) {
  std::vector<scene::Numbers> out;
  for (const scene::Table* table : tables) {
    if (out.size() == most) break;
    if (written) written(0);
    auto numbers = scene::numbers_of(*table, source);
    if (numbers) out.push_back(std::move(*numbers));
  }
  return out;
}

}  // namespace

base::Status write_numbers(Tables tables, const scene::TableSource& source, const std::filesystem::path& out,
                           const Written& written) {
  const std::string ending = out.extension().string();
  const bool one = ending == ".npy" || ending == ".csv";
  const std::vector<scene::Numbers> numbers = made_of(tables, source, one ? 1 : tables.size(), written);
  if (numbers.empty()) return nothing(tables, source);
  NumbersFile file;
  for (const scene::Numbers& one_of : numbers) file.tensors.push_back(one_of.tensor);
  file.listed = tables.size() != 1;
  for (const nn::Token& token : source.results.tokens) file.tokens.push_back(token.text);
  file.remarks = source.results.remarks;
  file.scene = scene::scene_as_json(source.scene);
  return write_file(file, out, written);
}

base::Status write_file(const NumbersFile& numbers, const std::filesystem::path& out,
                        const Written& written) {
  const std::string ending = out.extension().string();
  base::Result<io::NewFile> file = io::NewFile::create(out);
  if (!file) return base::Error{file.error()};
  std::size_t count = 0;
  auto write = [&](std::string_view bytes) {
    file->write(bytes);
    if (written) written(count += bytes.size());
  };
  if (ending == ".npy") {
    io::write_npy(numbers.tensors.front(), write);
  } else if (ending == ".csv") {
    std::visit([&](const auto& tensor) { io::write_csv(tensor, write); }, numbers.tensors.front());
  } else if (ending == ".npz") {
    if (written) written(0);
    const auto bytes = io::encode_npz(numbers.tensors, numbers.scene);
    if (!bytes) return base::Error{out.string() + ": " + bytes.error()};
    write(*bytes);
  } else {
    HEADLIGHT_CHECK_OP(ending, ==, std::string(".json"));
    if (numbers.listed) {
      io::write_tensors_json(numbers.tensors, numbers.tokens, numbers.scene, write, numbers.remarks);
    } else {
      io::write_tensor_json(numbers.tensors.front(), numbers.tokens, numbers.scene, write, numbers.remarks);
    }
  }
  return file->commit();
}

std::vector<const scene::Table*> tables_shown(const scene::Scene& scene, scene::Page page,
                                              std::string_view panel) {
  std::vector<const scene::Table*> tables = scene::tables_behind(page, panel);
  const auto first = scene::room_of(page).first_table;
  const std::string_view shown = first && !panel.empty() ? first(scene) : "";
  std::stable_partition(tables.begin(), tables.end(),
                        [&](const scene::Table* table) { return table->name == shown; });
  return tables;
}

base::Result<std::string> numbers_text(Tables tables, const scene::TableSource& source,
                                       const Written& written) {
  const std::vector<scene::Numbers> numbers = made_of(tables, source, 1, written);
  if (numbers.empty()) return nothing(tables, source);
  if (const std::size_t size = size_of(numbers[0].tensor); size > most_copied) {
    return base::Error{std::to_string(size) + " numbers are too many for the clipboard: export a file"};
  }
  std::string text;
  io::write_tsv(numbers[0].tensor, numbers[0].labels, [&](std::string_view piece) {
    text += piece;
    if (written) written(text.size());
  });
  return text;
}

}  // namespace headlight::app
