// Which font file of this computer has a character? By fontconfig. Nothing here fails: without fontconfig's
// files there are none. Tested through faces.h.
#pragma once

#include <optional>
#include <string>

namespace headlight::text {

struct FontFile {
  std::string path;
  int index = 0;  // of the face in the file; from bit 16 on, of its named instance, from 1
  std::string family;
};

enum class FontKind { sans, mono, coloured };

/// The file that fontconfig likes best among those that really have `c`: a scalable one unless coloured.
std::optional<FontFile> find_font_file(char32_t c, FontKind kind);

}  // namespace headlight::text
