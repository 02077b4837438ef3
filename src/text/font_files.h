// Which font file on this computer has a character? Found by fontconfig. Nothing here fails: without
// fontconfig's files there are none. Tested through faces.h.
#pragma once

#include <optional>
#include <string>

namespace headlight::text {

struct FontFile {
  std::string path;
  int index = 0;  // face index in the file; from bit 16 on, its named instance, from 1
  std::string family;
};

enum class FontKind { sans, mono, coloured };

/// Returns fontconfig's preferred file among those that really have `c`; a scalable one unless coloured.
std::optional<FontFile> find_font_file(char32_t c, FontKind kind);

}  // namespace headlight::text
