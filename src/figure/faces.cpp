#include "figure/faces.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include <map>
#include <memory>

#include "base/bidi.h"
#include "base/check.h"
#include "base/embedded.h"
#include "base/utf8.h"
#include FT_FREETYPE_H

namespace headlight::figure {

namespace {

/// All faces that were ever needed. They live until the process ends: cairo caches scaled fonts beyond the
/// life of a surface.
class Faces {
 public:
  static Faces& all() {
    static Faces faces;
    return faces;
  }

  const Face& choose(char32_t c, draw::Font font) {
    const Face& first = font == draw::Font::mono ? mono_ : font == draw::Font::semibold ? semibold_ : inter_;
    const Face& second = font == draw::Font::mono ? dejavu_mono_ : dejavu_;
    for (const Face* face : {&first, &second, static_cast<const Face*>(&dejavu_)}) {
      if (FT_Get_Char_Index(face->ft, c) != 0) return *face;
    }
    const auto known = elsewhere_.find(c);
    const Face* found = known != elsewhere_.end() ? known->second : elsewhere_[c] = of_this_computer(c);
    return found ? *found : second;
  }

 private:
  Faces() {
    HEADLIGHT_CHECK(FT_Init_FreeType(&library_) == 0);
    open(inter_, "fonts/Inter-Regular.otf", "Inter");
    open(semibold_, "fonts/Inter-SemiBold.otf", "Inter");
    open(mono_, "fonts/JetBrainsMono-Regular.ttf", "JetBrains Mono");
    open(dejavu_, "fonts/DejaVuSans.ttf", "DejaVu Sans");
    open(dejavu_mono_, "fonts/DejaVuSansMono.ttf", "DejaVu Sans Mono");
  }

  void open(Face& face, const char* name, const char* family) {
    const auto bytes = base::embedded(name);
    HEADLIGHT_CHECK(
        FT_New_Memory_Face(library_, bytes.data(), static_cast<FT_Long>(bytes.size()), 0, &face.ft) == 0);
    face.cairo = cairo_ft_font_face_create_for_ft_face(face.ft, FT_LOAD_NO_HINTING);
    face.family = family;
  }

  /// Null: no scalable font has the character.
  const Face* of_this_computer(char32_t c) {
    static const bool ready = FcInit() != FcFalse;
    if (!ready) return nullptr;
    FcPattern* pattern = FcPatternCreate();
    FcCharSet* wanted = FcCharSetCreate();
    FcCharSetAddChar(wanted, c);
    FcPatternAddCharSet(pattern, FC_CHARSET, wanted);
    FcPatternAddBool(pattern, FC_COLOR, FcFalse);
    FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>("Noto Sans"));
    FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult status = FcResultMatch;
    const Face* found = nullptr;
    if (FcPattern* match = FcFontMatch(nullptr, pattern, &status)) {
      FcCharSet* has = nullptr;
      FcChar8 *file = nullptr, *family = nullptr;
      FcBool scalable = FcFalse;
      int index = 0;
      FcPatternGetCharSet(match, FC_CHARSET, 0, &has);
      FcPatternGetString(match, FC_FILE, 0, &file);
      FcPatternGetString(match, FC_FAMILY, 0, &family);
      FcPatternGetInteger(match, FC_INDEX, 0, &index);
      FcPatternGetBool(match, FC_SCALABLE, 0, &scalable);
      // The nearest font is not always one that has the character.
      if (has && file && scalable && FcCharSetHasChar(has, c))
        found = opened(reinterpret_cast<const char*>(file), index,
                       family ? reinterpret_cast<const char*>(family) : "");
      FcPatternDestroy(match);
    }
    FcCharSetDestroy(wanted);
    FcPatternDestroy(pattern);
    return found;
  }

  const Face* opened(const std::string& file, int index, const std::string& family) {
    std::unique_ptr<Face>& face = files_[{file, index}];
    if (face) return face.get();
    auto fresh = std::make_unique<Face>();
    if (FT_New_Face(library_, file.c_str(), index, &fresh->ft) != 0 || !FT_IS_SCALABLE(fresh->ft)) {
      files_.erase({file, index});
      return nullptr;
    }
    fresh->cairo = cairo_ft_font_face_create_for_ft_face(fresh->ft, FT_LOAD_NO_HINTING);
    fresh->family = family;
    face = std::move(fresh);
    return face.get();
  }

  FT_Library library_ = nullptr;
  Face inter_, semibold_, mono_, dejavu_, dejavu_mono_;
  std::map<std::pair<std::string, int>, std::unique_ptr<Face>> files_;
  std::map<char32_t, const Face*> elsewhere_;
};

float advance_of(const Face& face, unsigned index, float size) {
  if (FT_Load_Glyph(face.ft, index, FT_LOAD_NO_SCALE) != 0) return 0;
  return static_cast<float>(face.ft->glyph->metrics.horiAdvance) / static_cast<float>(face.ft->units_per_EM) *
         size;
}

}  // namespace

PlacedWords place_words(std::string_view words, draw::Font font, float size) {
  std::u32string line = base::to_utf32(words);
  if (base::has_right_to_left(line)) line = base::visual_order(line).shown;
  PlacedWords out;
  float before = 0;  // advance of the letter that a mark sits on
  for (const char32_t c : line) {
    if (base::is_invisible(c)) continue;
    const Face& face = Faces::all().choose(c, font);
    const unsigned index = FT_Get_Char_Index(face.ft, c);
    const float advance = advance_of(face, index, size);
    if (base::is_combining_mark(c) && !out.glyphs.empty()) {
      // Some fonts draw a mark to the left of the pen, others beside it.
      const float x = advance > 0 ? out.width - (before + advance) / 2 : out.width;
      out.glyphs.push_back({&face, index, c, x});
      continue;
    }
    out.glyphs.push_back({&face, index, c, out.width});
    out.width += advance;
    before = advance;
  }
  return out;
}

draw::Point text_start(const draw::TextStyle& style, float width) {
  draw::Point start;
  if (style.align == draw::Align::centre) start.x = -width / 2;
  if (style.align == draw::Align::right) start.x = -width;
  if (style.valign == draw::VAlign::middle) start.y = 0.36f * style.size;
  if (style.valign == draw::VAlign::top) start.y = 0.95f * style.size;
  return start;
}

}  // namespace headlight::figure
