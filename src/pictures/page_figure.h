// A page, or one of its cards, as a figure: what the window shows, without the bars and settings around it,
// without buttons, and without cards that are empty until something is chosen on the screen.
// The command line, the Export card and the animations use it. Tested in tests/pictures/figure_*_test.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "draw/canvas.h"
#include "draw/theme.h"
#include "figure/figure.h"
#include "io/png.h"
#include "kit/page_input.h"
#include "pages/page_that.h"

namespace headlight::app {

enum class FigureFormat { svg, pdf, png };
/// Returns the format of the file's extension; nothing for any other.
std::optional<FigureFormat> figure_format(const std::filesystem::path& path);

struct FigureRequest {
  scene::Page page = scene::default_page;
  std::string panel;                  // name of a card; empty: the whole page
  float width = 1600, height = 1000;  // size of the layout in units; a longer page is drawn whole
  /// Printed width. Unless `sized`, the layout is then so narrow that printed words are 6.5 to 8.3 points
  /// high. If the figure would be higher than a printed page, the layout is wider, and words are as small as
  /// 5 points.
  double width_mm = 0;
  bool sized = false;  // keep width and height, regardless of width_mm
  /// The parts of a card that are drawn besides its data. The card's height follows from its contents.
  draw::FigureParts parts{};
  double scale = 1;  // pixels per unit; for a PNG with a printed width, a factor on 300 dpi
};

/// Returns the names of the parts that --without can leave out: frame, title, selection, hints.
const std::vector<std::string>& part_names();
/// Leaves out the parts named in `words`, separated by commas. An error names the word that is not one of
/// part_names().
base::Status leave_out(draw::FigureParts& parts, std::string_view words);

/// Returns the theme of the scene; if `transparent`, without a background, for paper.
draw::Theme figure_theme(const scene::Scene& scene, bool transparent);

/// Returns the figure as the contents of a file. `in` refers to figure_theme(). The error for an unknown
/// panel lists the existing ones.
base::Result<std::string> page_figure(const FigureRequest& request, FigureFormat format,
                                      const views::PageInput& in);
/// The same as pixels, for a frame of an animation.
base::Result<io::Image> page_pixels(const FigureRequest& request, const views::PageInput& in);

/// The size of a figure before it is drawn: units, pixels for a PNG, and millimetres if it has a printed
/// width. figure_size() has the same errors as page_figure(). It lays the page out without drawing it.
struct FigureSize {
  float width = 0, height = 0;           // units
  int pixels_wide = 0, pixels_high = 0;  // for a PNG
  double wide_mm = 0, high_mm = 0;       // 0: no printed width
};
base::Result<FigureSize> figure_size(const FigureRequest& request, const views::PageInput& in);
/// "170 × 139 mm, 2,008 × 1,642 pixels"
std::string size_words(const FigureSize& size, FigureFormat format);

/// Returns the cards of the page in the layout of the wish.
std::vector<figure::Panel> page_panels(const FigureRequest& request, const views::PageInput& in);

}  // namespace headlight::app
