// `headlight export`: finds the requested tables and computes their scene.
#include <algorithm>
#include <cmath>
#include <memory>

#include "command/commands.h"
#include "command/progress_line.h"
#include "io/files.h"
#include "pages/compute.h"
#include "pages/cost/cost.h"
#include "pages/missing.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/table_parts.h"
#include "pages/training/training.h"
#include "pictures/card_names.h"
#include "pictures/export_numbers.h"
#include "scene/nearest.h"
#include "scene/trained_model.h"
#include "session/train_now.h"

namespace headlight::app {

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

/// Names of the cards of a page that have numbers.
std::vector<std::string> panels_with_numbers(scene::Page page) {
  std::vector<std::string> names;
  for (const scene::Table* table : scene::tables_behind(page, {})) {
    std::string_view rest = table->panels;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      const std::string name(rest.substr(0, end));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return names;
}

/// A quantity as a table of one number. It is kept until the program ends.
const scene::Table* table_of_quantity(const scene::Quantity& quantity) {
  static std::vector<std::unique_ptr<const scene::Table>> kept;
  kept.push_back(std::make_unique<const scene::Table>(
      scene::Table{quantity.info->name, scene::page_of(*quantity.info), "", quantity.info->help, nullptr,
                   [quantity](const scene::TableSource& s) -> scene::MaybeNumbers {
                     const double value = scene::quantity_value(quantity, {s.scene, s.results, s.training});
                     if (std::isnan(value)) return std::nullopt;
                     return scene::one_each({{quantity.text(), value}});
                   },
                   [quantity](const scene::TableSource& s) {
                     const scene::QuantitySource from{s.scene, s.results, s.training};
                     const std::string missing = scene::not_there(quantity, from);
                     const bool of_argument = !missing.empty() && !missing.starts_with("there");
                     return of_argument ? " of " + missing : ": " + scene::why_no_value(quantity, from);
                   }}));
  return kept.back().get();
}

}  // namespace

std::string list_tables() {
  std::string text;
  for (const scene::Table& table : scene::tables()) {
    text += std::string(table.name) + "\t" + scene::word(table.page) + "\t" +
            (*table.panels ? table.panels : "-") + "\t" + table.about + "\n";
  }
  return text;
}

base::Result<std::vector<const scene::Table*>> tables_meant(const ExportRequest& request,
                                                            scene::Scene& scene) {
  if (!request.what.empty()) {
    constexpr std::string_view as_quantity = "quantity ";  // for a name that a table has too
    const bool forced = request.what.starts_with(as_quantity);
    const std::string what = forced ? request.what.substr(as_quantity.size()) : request.what;
    const scene::Table* table = forced ? nullptr : scene::find_table(what);
    if (!table) {
      const auto quantity = scene::parse_quantity(what);
      if (quantity) table = table_of_quantity(*quantity);
      const std::string name = what.substr(0, what.find(' '));
      const auto all = scene::quantities();
      const bool known = std::any_of(all.begin(), all.end(),
                                     [&](const scene::QuantityInfo& one) { return name == one.name; });
      if (!quantity && known) return base::Error{"--what: " + quantity.error()};
    }
    if (!table) {
      std::vector<std::string> names;
      if (!forced)
        for (const scene::Table& one : scene::tables()) names.push_back(one.name);
      for (const scene::QuantityInfo& one : scene::quantities()) names.push_back(one.name);
      return base::Error{std::string("--what: unknown quantity ") + (forced ? "" : "or table ") +
                         scene::in_quotes(what) +
                         ". `headlight export --list` and `headlight quantities` list them all" +
                         scene::did_you_mean(what, names)};
    }
    // For another program's model, only its own page has the numbers.
    if (!scene::room_of(table->page).computed_for_all || scene::other_model(scene)) scene.page = table->page;
    return std::vector<const scene::Table*>{table};
  }
  std::vector<const scene::Table*> tables = tables_shown(scene, scene.page, request.panel);
  if (!tables.empty()) return tables;
  if (const std::string unknown = unknown_card(scene.page, request.panel); !unknown.empty())
    return base::Error{"--panel: " + unknown};
  const std::vector<std::string> panels = panels_with_numbers(scene.page);
  return base::Error{"--panel: there are no numbers for " + scene::in_quotes(request.panel) +
                     " on the page " + scene::word(scene.page) + ", but for " + joined(panels) +
                     scene::did_you_mean(request.panel, panels)};
}

base::Status export_tables(const scene::Scene& scene, const std::vector<const scene::Table*>& tables,
                           const std::filesystem::path& out, std::string& note, bool measure) {
  // Checks the path before anything is computed; the file itself is created when there is something to write.
  if (const auto writable = io::NewFile::create(out); !writable) return base::Error{writable.error()};
  base::Parallel parallel;
  ProgressLine progress;
  const std::shared_ptr<const scene::Results> results =
      scene::compute_now(scene, parallel, [&](float fraction) {
        progress.done("computing", static_cast<double>(fraction));
        return true;
      });
  if (!results->failure.empty()) return base::Error{results->failure};
  note = shortened(*results);
  if (const std::string words = scene::nonfinite_words(*results); !words.empty())
    note += (note.empty() ? "" : "; ") + words;
  for (const std::string& words : scene::found_missing(*results)) note += (note.empty() ? "" : "; ") + words;
  scene::TrainingSnapshot training;
  const scene::PageUses uses = scene::room_of(tables.front()->page).uses(scene);
  const bool trains = uses.trains;
  if (trains) {
    scene::Scene measured = scene;
    // Pruning is measured only if it is shown, and a request by name shows it.
    if (tables.size() == 1 &&
        std::string_view(tables.front()->name).find("removed") != std::string_view::npos)
      measured.training.plot = scene::TrainingPlot::pruning;
    auto trained = train_now(measured, parallel, 0, {}, [&](float part) {
      progress.done("training", static_cast<double>(part));
      return true;
    });
    if (!trained) return base::Error{trained.error()};
    training = std::move(*trained);
  }
  scene::CostMeasurements measured;
  const bool times =
      uses.measures &&
      (measure || (tables.size() == 1 && tables.front()->name == std::string_view("cost_times")));
  if (times) measured = measured_times(scene.cost.d, parallel);
  return write_numbers(
      tables, {scene, *results, parallel, trains ? &training : nullptr, times ? &measured : nullptr}, out,
      [&](std::size_t bytes) { progress.bytes("writing", static_cast<double>(bytes)); });
}

std::string shortened(const scene::Results& results) {
  if (results.tokens_in_sentence == results.tokens.size()) return {};
  return "the sentence has " + std::to_string(results.tokens_in_sentence) + " tokens; only the first " +
         std::to_string(results.tokens.size()) + " are used";
}

}  // namespace headlight::app
