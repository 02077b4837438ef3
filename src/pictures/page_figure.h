// A page, or one card of it, as a figure: what the window shows, without the bars and the settings around it.
// The command line, the Export card and the animations make their pictures here. Tested in
// tests/pictures/figure_test.cpp.
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

namespace headlight::app {

enum class FigureFormat { svg, pdf, png };
/// By the ending; nothing for any other.
std::optional<FigureFormat> figure_format(const std::filesystem::path& path);

struct FigureWish {
  scene::Page page = scene::Page::attention;
  std::string panel;                  // the name of a card; empty: the whole page
  float width = 1600, height = 1000;  // units that the page is laid out for; a longer one is drawn whole
  /// Printed width. Unless `sized`, the page is then laid out so narrow that its words are 6 to 8 points
  /// high in print; wider, and its words down to 5 points, where it would be higher than a page.
  double width_mm = 0;
  bool sized = false;  // width and height are wanted as they are, whatever width_mm says
  bool plain = false;  // without buttons, as on paper they always are
  /// Of one card: what it shows beside its data. Its height follows from its content. A figure that leaves
  /// something out has no buttons either.
  draw::FigureParts parts{};
  double scale = 1;  // pixels to the unit; of a PNG with a printed width: times 300 to the inch
};

/// The names of what --without can leave out: frame, title, selection, hints.
const std::vector<std::string>& part_names();
/// Leaves out what `words` name, separated by commas. An error names the word that is none of part_names().
base::Status leave_out(draw::FigureParts& parts, std::string_view words);

/// The theme of the scene, or of a figure on paper: without a ground.
draw::Theme figure_theme(const scene::Scene& scene, bool transparent);

/// `in` refers to figure_theme(). An unknown panel is answered with the ones that there are.
base::Result<std::string> page_figure(const FigureWish& wish, FigureFormat format,
                                      const views::PageInput& in);
/// The same as pixels, for a frame of an animation.
base::Result<io::Image> page_pixels(const FigureWish& wish, const views::PageInput& in);

/// How large a figure becomes, before it is made: pixels of a PNG, else units; and millimetres where it has a
/// printed width. The same errors as page_figure(). Cost: the page is laid out, and not drawn.
struct FigureSize {
  float width = 0, height = 0;           // units
  int pixels_wide = 0, pixels_high = 0;  // of a PNG
  double wide_mm = 0, high_mm = 0;       // 0: no printed width
};
base::Result<FigureSize> figure_size(const FigureWish& wish, const views::PageInput& in);
/// "170 × 139 mm, 2,008 × 1,642 pixels"
std::string size_words(const FigureSize& size, FigureFormat format);

/// The cards of the page, as it is laid out for the wish.
std::vector<figure::Panel> page_panels(const FigureWish& wish, const views::PageInput& in);

}  // namespace headlight::app
