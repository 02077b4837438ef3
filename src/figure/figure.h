// A picture as a file.
#pragma once

#include <filesystem>
#include <functional>

#include "base/result.h"
#include "draw/canvas.h"
#include "draw/theme.h"

namespace headlight::figure {

struct FigureSize {
  float width = 1600, height = 1000;  // units
  float scale = 1;                    // pixels per unit, for PNG
};

/// Draws with `paint` into an .svg, .pdf or .png, by the ending of `path`, on the theme's window colour.
/// Errors: another ending; a path that cannot be written.
base::Status write_figure(const std::filesystem::path& path, const FigureSize& size, const draw::Theme& theme,
                          const std::function<void(draw::Canvas&)>& paint);

}  // namespace headlight::figure
