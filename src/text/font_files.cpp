#include "text/font_files.h"

#include <fontconfig/fontconfig.h>

namespace headlight::text {

std::optional<FontFile> find_font_file(char32_t c, FontKind kind) {
  static const bool ready = FcInit() != FcFalse;
  if (!ready) return std::nullopt;
  const bool coloured = kind == FontKind::coloured;
  FcPattern* pattern = FcPatternCreate();
  FcCharSet* wanted = FcCharSetCreate();
  FcCharSetAddChar(wanted, c);
  FcPatternAddCharSet(pattern, FC_CHARSET, wanted);
  FcPatternAddBool(pattern, FC_COLOR, coloured ? FcTrue : FcFalse);
  if (!coloured) FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
  const char* family = kind == FontKind::mono ? "monospace" : "sans-serif";
  FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(pattern, FC_WEIGHT, FC_WEIGHT_REGULAR);
  FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);

  std::optional<FontFile> found;
  FcResult status = FcResultMatch;
  if (FcPattern* match = FcFontMatch(nullptr, pattern, &status)) {
    FcCharSet* has = nullptr;
    FcChar8 *file = nullptr, *name = nullptr;
    FcBool in_colour = FcFalse, scalable = FcFalse;
    int index = 0;
    FcPatternGetCharSet(match, FC_CHARSET, 0, &has);
    FcPatternGetString(match, FC_FILE, 0, &file);
    FcPatternGetString(match, FC_FAMILY, 0, &name);
    FcPatternGetInteger(match, FC_INDEX, 0, &index);
    FcPatternGetBool(match, FC_COLOR, 0, &in_colour);
    FcPatternGetBool(match, FC_SCALABLE, 0, &scalable);
    // The best match is not always a font that has the character.
    if (has && file && FcCharSetHasChar(has, c) && (coloured ? in_colour : scalable)) {
      found = FontFile{reinterpret_cast<const char*>(file), index & 0x7FFFFFFF,
                       name ? reinterpret_cast<const char*>(name) : ""};
    }
    FcPatternDestroy(match);
  }
  FcCharSetDestroy(wanted);
  FcPatternDestroy(pattern);
  return found;
}

}  // namespace headlight::text
