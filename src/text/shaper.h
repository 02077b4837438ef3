// Turns characters of one face, direction and script into glyphs, by HarfBuzz. Tested through layout.h.
#pragma once

#include <hb.h>

#include <cstdint>
#include <vector>

#include "text/faces.h"
#include "text/layout.h"

namespace headlight::text {

/// A part of a line. Clusters are indices into the line.
struct Run {
  std::size_t from = 0, to = 0;
  int face = 0;
  hb_script_t script = HB_SCRIPT_COMMON;
  std::uint8_t level = 0;
  bool apart = false;  // marks whose base has another face
};

/// The glyph to show where a face has none.
struct Replacement {
  int face = 0;
  unsigned index = 0;
  float advance = 0;
};

class Shaper {
 public:
  Shaper();
  ~Shaper();
  Shaper(const Shaper&) = delete;
  Shaper& operator=(const Shaper&) = delete;

  /// Appends the glyphs of the run, from left to right, starting at the pen `line.width`, and moves the pen.
  /// `from` and `to` of a glyph are indices into `characters`.
  void shape(const std::vector<std::uint32_t>& characters, const Run& run, const Face& face,
             const Replacement& missing, Line& line);

 private:
  void place(const Run& run, const Face& face, const Replacement& missing, Line& line);

  hb_buffer_t* buffer_;
};

/// Returns the script of each character; characters of all scripts take the script of the text before them.
std::vector<hb_script_t> scripts_of(const std::vector<std::uint32_t>& characters);

}  // namespace headlight::text
