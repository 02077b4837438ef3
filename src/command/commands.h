// One function for each command. The arguments have been read and checked; these functions do the work.
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

/// The request of `headlight export`: a table by name, all tables of a card, or all of the page.
struct ExportRequest {
  std::string what, panel;
};

/// The requested tables; `scene` moves to their page. An error is about the arguments.
base::Result<std::vector<const scene::Table*>> tables_meant(const ExportRequest& request,
                                                            scene::Scene& scene);

/// Computes the scene and writes the tables; the ending of `out` determines the format: .npy, .npz, .csv or
/// .json. Tables of the Training page first train the scene's run; times are measured if `measure` is set or
/// they are the only requested table. `note` gets the result of shortened(), and what the scene chooses that
/// its results do not have.
base::Status export_tables(const scene::Scene& scene, const std::vector<const scene::Table*>& tables,
                           const std::filesystem::path& out, std::string& note, bool measure = false);

/// One table per line: name, page, the cards that show it, a description; separated by tabs.
std::string list_tables();

/// The strongest keys of every query as text, at most `keys` of them, for each head that the scene shows.
/// `measure`: includes what takes seconds, the times of the Cost page and the run of the Training page; an
/// error is the run's.
base::Result<std::string> describe(const scene::Scene& scene, int keys, std::string& note,
                                   bool measure = false);

/// The times of the Cost page at width d, for every length on its card. Takes seconds.
scene::CostMeasurements measured_times(int d, base::Parallel& parallel);

/// One line if the sentence was too long to be used completely, else empty.
std::string shortened(const scene::Results& results);

}  // namespace headlight::app
