// What can be chosen on the Export card: formats, sizes, numbers of frames; what is chosen, by the places of
// the choices, kept from one start to the next; and what the window shows that can move. Tested in
// tests/app/export_card_test.cpp and tests/app/kept_window_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "draw/canvas.h"
#include "session/session.h"

namespace headlight::app {

struct ExportChoices {
  int format = 0, scale = 1, width = 0, frames = 1, fps = 2;
  bool light = true, transparent = false;
  draw::FigureParts parts;  // of one card
  bool operator==(const ExportChoices&) const = default;
};

namespace export_choices {

inline constexpr const char* share_name = "share card";
inline constexpr std::array<std::string_view, 9> formats{"PNG", "SVG",  "PDF", "CSV",         "NPY",
                                                         "NPZ", "JSON", "GIF", "PNG sequence"};
inline constexpr std::size_t still_formats = 7;  // on a page without motion
inline constexpr std::array<const char*, 9> endings{".png", ".svg",  ".pdf", ".csv", ".npy",
                                                    ".npz", ".json", ".gif", ".png"};
inline constexpr std::array<std::string_view, 9> format_helps{
    "pixels",
    "editable; every word is text",
    "for papers; fonts are embedded",
    "the first table of the card, as text",
    "the first table of the card, for NumPy",
    "all tables of the card, for NumPy",
    "all tables of the card",
    "a repeating animation with at most 256 colours",
    "an animation as numbered pictures",
};
inline constexpr std::array<std::string_view, 4> picture_scales{"1×", "2×", "3×", "4×"};
inline constexpr std::array<std::string_view, 3> widths{"as on screen", "85 mm column", "170 mm page"};
inline constexpr std::array<double, 3> widths_mm{0, 85, 170};
inline constexpr std::array<std::string_view, 4> frame_words{"25", "50", "100", "200"},
    fps_words{"5", "10", "25", "50"};
inline constexpr std::array<int, 4> frame_counts{25, 50, 100, 200}, frames_a_second{5, 10, 25, 50};

/// The number of steps of the shown run that a film can show.
std::size_t kept_moments(const Session& session);

}  // namespace export_choices
}  // namespace headlight::app
