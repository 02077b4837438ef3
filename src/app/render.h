// One page, or one card of it, as a picture file, without a window.
#pragma once

#include <filesystem>
#include <functional>

#include "base/result.h"
#include "pages/page_that.h"
#include "pictures/page_figure.h"
#include "scene/scene.h"

namespace headlight::app {

class Shell;

struct RenderOptions {
  scene::Page page = scene::default_page;
  int width = 1600, height = 1000;  // logical units
  double scale = 1;           // device pixels for each unit: a PNG is width·scale × height·scale pixels
  std::filesystem::path out;  // .png, .svg or .pdf
  // Options of a figure: of an SVG or a PDF, or of a PNG with one of these. Any other PNG shows the whole
  // window.
  std::string panel;          // the name of a card; empty: the page
  bool present = false;       // the card alone in a whole window, for a lecture hall
  bool first_start = false;   // the first start instead of a page
  bool share = false;         // one sentence, one beam and one line, in share_size unless `sized`
  bool lecturer = false;      // of the prepared lesson: the lecturer's window
  bool transparent = false;   // no background
  draw::FigureParts parts{};  // of the card
  double width_mm = 0;        // printed width; 0: not set
  bool sized = false;         // the size was given, so a printed width does not change it
  std::function<void(const std::string&)> tell;  // receives a message about the numbers; may be empty
  std::function<void(float)> trained;            // receives the fraction of a run that is done; may be empty
  std::function<void(Shell&)> prepare;           // called before the first frame of a window; may be empty
  bool is_figure() const { return present || !panel.empty() || transparent || width_mm > 0; }
};

/// The requested figure.
FigureRequest request_of(const RenderOptions& options);

base::Status render_page(const scene::Scene& scene, const RenderOptions& options);

/// The cards of the page, one per line: its name, a tab, its title.
std::string list_panels(const scene::Scene& scene, const RenderOptions& options);

}  // namespace headlight::app
