// Which font has the glyphs for these characters? The order is: Inter, Inter SemiBold or JetBrains Mono (part
// of the program), DejaVu (part of the program), then any font that fontconfig finds on this computer. Emoji
// prefer a colour font. A character as readers count them is set in a single font if one has all of it.
// Nothing here fails: without fontconfig's files there are only fewer characters. One thread at a time.
// Tested in tests/text/faces_test.cpp.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "draw/canvas.h"
#include "text/font_files.h"

struct FT_FaceRec_;
struct FT_LibraryRec_;
struct hb_font_t;

namespace headlight::text {

struct Face {
  FT_FaceRec_* ft = nullptr;     // without a fixed size: callers set one before they draw
  hb_font_t* shaping = nullptr;  // in the font's units
  float units = 1;               // font units per em
  std::string family;            // "Inter"
  bool coloured = false;         // its glyphs are pictures
  bool bitmaps = false;          // it has fixed sizes only
};

class Faces {
 public:
  static constexpr int none = -1;

  Faces();
  ~Faces();
  Faces(const Faces&) = delete;
  Faces& operator=(const Faces&) = delete;

  /// Returns the face for `cluster`, one character as readers count them: the first face that has all of it,
  /// else the first that has its first visible code point, else none. Queries fontconfig at most once per
  /// code point.
  int find(std::u32string_view cluster, draw::Font font);
  /// The same for one code point, without neighbours that select emoji presentation.
  int find(char32_t c, draw::Font font);
  /// 0 when the face has no glyph for it.
  unsigned glyph(int face, char32_t c) const;
  /// Addresses stay valid.
  const Face& operator[](int face) const { return faces_[static_cast<std::size_t>(face)]; }
  /// The embedded face with the most characters.
  int widest() const { return dejavu_; }

 private:
  int embedded(const char* name, const char* family);
  int add(FT_FaceRec_* ft, const std::string& family, int instance);
  /// Returns none if it cannot be read, or has no glyph for `c`.
  int open(const FontFile& file, char32_t c);
  int search(char32_t c, draw::Font font);
  int coloured(char32_t c);
  int elsewhere(char32_t c, bool mono);
  bool has_all(int face, std::u32string_view cluster) const;

  FT_LibraryRec_* library_ = nullptr;
  std::deque<Face> faces_;
  std::vector<int> order_[3];  // by draw::Font: the embedded faces; the first one wins
  int dejavu_ = none;
  std::map<std::pair<std::string, int>, int> opened_;
  std::unordered_map<char32_t, int> found_[3], coloured_, elsewhere_[2];
};

/// Returns whether `c` is shown as a picture unless a variation selector says otherwise.
bool is_emoji(char32_t c);

}  // namespace headlight::text
