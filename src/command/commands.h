// One function for each command. The words have been read and checked; here the work is done.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "pages/cost/cost.h"
#include "pages/tables.h"
#include "scene/results.h"

namespace headlight::app {

/// What `headlight export` was asked for: a table by name, or all behind a card, or all of the page.
struct ExportWish {
  std::string what, panel;
};

/// The tables that are meant; the scene goes to their page. An error is about the words.
base::Result<std::vector<const scene::Table*>> tables_meant(const ExportWish& wish, scene::Scene& scene);

/// Computes the scene and writes the tables; the ending of `out` decides the format: .npy, .npz, .csv or
/// .json. Those of the Training page train the scene's run first; times are measured where `measure` says so
/// or they are the one table that is meant. `note` gets what shortened() says.
base::Status export_tables(const scene::Scene& scene, const std::vector<const scene::Table*>& tables,
                           const std::filesystem::path& out, std::string& note, bool measure = false);

/// One a line: name, page, the cards that show it, what it is; tabs between.
std::string list_tables();

/// The strongest keys of every query as text, at most `keys` of them, for each head that the scene shows.
/// `measure`: with what takes seconds, the times of the Cost page and the run of the Training page; the error
/// is the run's.
base::Result<std::string> describe(const scene::Scene& scene, int keys, std::string& note,
                                   bool measure = false);

/// The times of the Cost page at width d, at every length that its card has. Takes seconds.
scene::CostMeasurements measured_times(int d, base::Parallel& parallel);

/// One line when the sentence was too long to be used whole, else empty.
std::string shortened(const scene::Results& results);

}  // namespace headlight::app
