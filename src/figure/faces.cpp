#include "figure/faces.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include <cstring>
#include <map>
#include <memory>
#include <tuple>

#include "base/bidi.h"
#include "base/check.h"
#include "base/embedded.h"
#include "base/utf8.h"
#include FT_FREETYPE_H

namespace headlight::figure {

namespace {

/// All faces and pictures that were ever needed. They live until the process ends: cairo caches scaled fonts
/// beyond the life of a surface.
class Faces {
 public:
  static Faces& all() {
    static Faces faces;
    return faces;
  }

  Faces(const Faces&) = delete;
  Faces& operator=(const Faces&) = delete;
  ~Faces() {
    for (const auto& [glyph, picture] : pictures_) cairo_surface_destroy(picture.pixels);
  }

  const Face& choose(char32_t c, draw::Font font) {
    if (shown_as_emoji(c)) {
      if (const Face* face = coloured(c)) return *face;
    }
    const Face& first = font == draw::Font::mono ? mono_ : font == draw::Font::semibold ? semibold_ : inter_;
    const Face& second = font == draw::Font::mono ? dejavu_mono_ : dejavu_;
    for (const Face* face : {&first, &second, static_cast<const Face*>(&dejavu_)}) {
      if (FT_Get_Char_Index(face->ft, c) != 0) return *face;
    }
    const auto known = elsewhere_.find(c);
    const Face* found =
        known != elsewhere_.end() ? known->second : elsewhere_[c] = of_this_computer(c, false);
    return found ? *found : second;
  }

  const Face& unseen() const { return dejavu_; }

  /// Null pixels: the font is of a kind that FreeType cannot draw.
  const ColourGlyph& picture(const Face& face, unsigned index) {
    const auto [at, fresh] = pictures_.try_emplace({&face, index});
    if (fresh) at->second = drawn(face, index);
    return at->second;
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

  /// As on screen.
  static bool shown_as_emoji(char32_t c) { return c >= 0x1F000 && c <= 0x1FAFF; }

  const Face* coloured(char32_t c) {
    const auto known = emoji_.find(c);
    if (known != emoji_.end()) return known->second;
    const Face* face = of_this_computer(c, true);
    if (face && !picture(*face, FT_Get_Char_Index(face->ft, c)).pixels) face = nullptr;
    return emoji_[c] = face;
  }

  /// Null: no font has the character, scalable or, if asked for, coloured.
  const Face* of_this_computer(char32_t c, bool colour) {
    static const bool ready = FcInit() != FcFalse;
    if (!ready) return nullptr;
    FcPattern* pattern = FcPatternCreate();
    FcCharSet* wanted = FcCharSetCreate();
    FcCharSetAddChar(wanted, c);
    FcPatternAddCharSet(pattern, FC_CHARSET, wanted);
    FcPatternAddBool(pattern, FC_COLOR, colour ? FcTrue : FcFalse);
    if (!colour) FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>("Noto Sans"));
    FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult status = FcResultMatch;
    const Face* found = nullptr;
    if (FcPattern* match = FcFontMatch(nullptr, pattern, &status)) {
      FcCharSet* has = nullptr;
      FcChar8 *file = nullptr, *family = nullptr;
      FcBool scalable = FcFalse, in_colour = FcFalse;
      int index = 0;
      FcPatternGetCharSet(match, FC_CHARSET, 0, &has);
      FcPatternGetString(match, FC_FILE, 0, &file);
      FcPatternGetString(match, FC_FAMILY, 0, &family);
      FcPatternGetInteger(match, FC_INDEX, 0, &index);
      FcPatternGetBool(match, FC_SCALABLE, 0, &scalable);
      FcPatternGetBool(match, FC_COLOR, 0, &in_colour);
      // The nearest font is not always one that has the character.
      if (has && file && (colour ? in_colour : scalable) && FcCharSetHasChar(has, c))
        found = opened(reinterpret_cast<const char*>(file), index,
                       family ? reinterpret_cast<const char*>(family) : "", colour);
      FcPatternDestroy(match);
    }
    FcCharSetDestroy(wanted);
    FcPatternDestroy(pattern);
    return found;
  }

  const Face* opened(const std::string& file, int index, const std::string& family, bool colour) {
    std::unique_ptr<Face>& face = files_[{file, index, colour}];
    if (face) return face.get();
    auto fresh = std::make_unique<Face>();
    if (FT_New_Face(library_, file.c_str(), index, &fresh->ft) != 0 ||
        !(colour ? set_colour_size(fresh->ft) : FT_IS_SCALABLE(fresh->ft))) {
      files_.erase({file, index, colour});
      return nullptr;
    }
    if (!colour) fresh->cairo = cairo_ft_font_face_create_for_ft_face(fresh->ft, FT_LOAD_NO_HINTING);
    fresh->family = family;
    fresh->coloured = colour;
    face = std::move(fresh);
    return face.get();
  }

  /// The largest pictures that the font has, or large enough for print.
  static bool set_colour_size(FT_Face face) {
    if (!FT_HAS_COLOR(face)) return false;
    if (FT_IS_SCALABLE(face)) return FT_Set_Pixel_Sizes(face, 0, 128) == 0;
    int largest = 0;
    for (int i = 1; i < face->num_fixed_sizes; ++i) {
      if (face->available_sizes[i].y_ppem > face->available_sizes[largest].y_ppem) largest = i;
    }
    return face->num_fixed_sizes > 0 && FT_Select_Size(face, largest) == 0;
  }

  static ColourGlyph drawn(const Face& face, unsigned index) {
    ColourGlyph out;
    if (FT_Load_Glyph(face.ft, index, FT_LOAD_COLOR) != 0) return out;
    const FT_GlyphSlot slot = face.ft->glyph;
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) return out;
    const FT_Bitmap& bitmap = slot->bitmap;
    if (bitmap.pixel_mode != FT_PIXEL_MODE_BGRA || bitmap.width == 0 || bitmap.rows == 0) return out;
    const int width = static_cast<int>(bitmap.width), height = static_cast<int>(bitmap.rows);
    out.pixels = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    unsigned char* to = cairo_image_surface_get_data(out.pixels);
    const int stride = cairo_image_surface_get_stride(out.pixels);
    for (int y = 0; y < height; ++y) {
      const unsigned char* from = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
      for (int x = 0; x < width; ++x, from += 4) {  // premultiplied on both sides
        const std::uint32_t argb = static_cast<std::uint32_t>(from[3]) << 24 |
                                   static_cast<std::uint32_t>(from[2]) << 16 |
                                   static_cast<std::uint32_t>(from[1]) << 8 | from[0];
        std::memcpy(to + static_cast<std::ptrdiff_t>(y) * stride + 4 * x, &argb, sizeof argb);
      }
    }
    cairo_surface_mark_dirty(out.pixels);
    const float em = static_cast<float>(face.ft->size->metrics.y_ppem);
    out.left = static_cast<float>(slot->bitmap_left) / em,
    out.top = static_cast<float>(slot->bitmap_top) / em;
    out.width = static_cast<float>(width) / em, out.height = static_cast<float>(height) / em;
    out.advance = static_cast<float>(slot->metrics.horiAdvance) / 64 / em;
    return out;
  }

  FT_Library library_ = nullptr;
  Face inter_, semibold_, mono_, dejavu_, dejavu_mono_;
  std::map<std::tuple<std::string, int, bool>, std::unique_ptr<Face>> files_;  // coloured or not
  std::map<char32_t, const Face*> elsewhere_, emoji_;
  std::map<std::pair<const Face*, unsigned>, ColourGlyph> pictures_;
};

float advance_of(const Face& face, unsigned index, float size) {
  if (face.coloured) return Faces::all().picture(face, index).advance * size;
  if (FT_Load_Glyph(face.ft, index, FT_LOAD_NO_SCALE) != 0) return 0;
  return static_cast<float>(face.ft->glyph->metrics.horiAdvance) / static_cast<float>(face.ft->units_per_EM) *
         size;
}

}  // namespace

PlacedWords place_words(std::string_view words, draw::Font font, float size) {
  std::u32string line = base::to_utf32(words), written = line;
  if (base::has_right_to_left(line)) {
    base::VisualLine order = base::visual_order(line);
    line = std::move(order.shown);
    std::u32string source;
    for (const int at : order.source) source += written[static_cast<std::size_t>(at)];
    written = std::move(source);
  }
  PlacedWords out;
  float before = 0;  // advance of the letter that a mark sits on
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char32_t c = line[i];
    if (base::is_invisible(c)) continue;
    const Face& face = Faces::all().choose(c, font);
    const unsigned index = FT_Get_Char_Index(face.ft, c);
    const float advance = advance_of(face, index, size);
    if (base::is_combining_mark(c) && !out.glyphs.empty()) {
      // Some fonts draw a mark to the left of the pen, others beside it.
      const float x = advance > 0 ? out.width - (before + advance) / 2 : out.width;
      out.glyphs.push_back({&face, index, written[i], x});
      continue;
    }
    out.glyphs.push_back({&face, index, written[i], out.width});
    out.width += advance;
    before = advance;
  }
  return out;
}

const ColourGlyph& colour_glyph(const PlacedGlyph& glyph) {
  return Faces::all().picture(*glyph.face, glyph.index);
}

unsigned glyph_index(const Face& face, char32_t c) {
  return FT_Get_Char_Index(face.ft, c);
}

const Face& unseen_face() {
  return Faces::all().unseen();
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
