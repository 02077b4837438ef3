#include "pictures/export_numbers.h"

#include <algorithm>

#include "io/csv.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/tensor_json.h"
#include "pages/no_numbers.h"
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
  if (tables.size() == 1) return {"this scene has no " + names + scene::why_no_numbers(*tables[0], source)};
  if (without_tokens(source)) return {"this scene has no " + names + ": its sentence has no tokens"};
  std::string all;
  for (const scene::Table* table : tables) {
    all += (all.empty() ? "this scene has no " : "; no ") + std::string(table->name) +
           scene::why_no_numbers(*table, source);
  }
  return {std::move(all)};
}

/// Are there names of quantities, layers or other things along its axes? The tokens of the sentence are in
/// the file anyway, and a map of them is a plain grid.
bool names_things(const scene::Numbers& numbers, const std::vector<nn::Token>& sentence) {
  const auto of_sentence = [&](const std::vector<std::string>& names) {
    return names.size() <= sentence.size() &&
           std::equal(names.begin(), names.end(), sentence.begin(),
                      [](const std::string& name, const nn::Token& token) { return name == token.text; });
  };
  const auto& axes = std::visit(
      [](const auto& tensor) -> const auto& { return tensor.axes; }, numbers.tensor);
  for (std::size_t axis = 0; axis < std::min(axes.size(), numbers.labels.size()); ++axis) {
    const bool tokens = axes[axis] == "query" || axes[axis] == "key" || axes[axis] == "token";
    if (!numbers.labels[axis].empty() && !tokens && !of_sentence(numbers.labels[axis])) return true;
  }
  return false;
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
  for (const scene::Numbers& one_of : numbers) {
    file.tensors.push_back(one_of.tensor);
    file.labels.push_back(names_things(one_of, source.results.tokens) ? one_of.labels
                                                                      : scene::Numbers().labels);
  }
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
    // A grid stays one of numbers alone, as programs read it; a list has the names of its numbers.
    if (!numbers.labels.empty() && numbers.labels.front().size() == 1)
      io::write_named_csv(numbers.tensors.front(), numbers.labels.front(), write);
    else
      std::visit([&](const auto& tensor) { io::write_csv(tensor, write); }, numbers.tensors.front());
  } else if (ending == ".npz") {
    if (written) written(0);
    const auto bytes = io::encode_npz(numbers.tensors, numbers.scene);
    if (!bytes) return base::Error{out.string() + ": " + bytes.error()};
    write(*bytes);
  } else {
    HEADLIGHT_CHECK_OP(ending, ==, std::string(".json"));
    if (numbers.listed) {
      io::write_tensors_json(numbers.tensors, numbers.tokens, numbers.scene, write, numbers.remarks,
                             numbers.labels);
    } else {
      io::write_tensor_json(numbers.tensors.front(), numbers.tokens, numbers.scene, write, numbers.remarks,
                            numbers.labels.empty() ? io::AxisNames() : numbers.labels.front());
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
