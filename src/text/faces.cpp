#include "text/faces.h"

#include <ft2build.h>
#include <hb-ft.h>
#include <hb.h>

#include <algorithm>

#include "base/check.h"
#include "base/embedded.h"
#include "text/bidi.h"
#include FT_FREETYPE_H

namespace headlight::text {

namespace {

constexpr char32_t as_text = 0xFE0E, as_emoji = 0xFE0F;

/// FreeType does not support some colour formats: they render to nothing.
bool draws_in_colour(FT_Face face, char32_t c) {
  if (!FT_HAS_COLOR(face)) return false;
  if (FT_IS_SCALABLE(face) ? FT_Set_Pixel_Sizes(face, 0, 32) != 0
                           : face->num_fixed_sizes == 0 || FT_Select_Size(face, 0) != 0)
    return false;
  const unsigned index = FT_Get_Char_Index(face, c);
  return index != 0 && FT_Load_Glyph(face, index, FT_LOAD_COLOR) == 0 &&
         FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) == 0 && face->glyph->bitmap.width > 0 &&
         face->glyph->bitmap.pixel_mode == FT_PIXEL_MODE_BGRA;
}

}  // namespace

bool is_emoji(char32_t c) {
  return c >= 0x1F000 && c <= 0x1FAFF;
}

Faces::Faces() {
  HEADLIGHT_CHECK(FT_Init_FreeType(&library_) == 0);
  const int inter = embedded("fonts/Inter-Regular.otf", "Inter");
  const int semibold = embedded("fonts/Inter-SemiBold.otf", "Inter");
  const int mono = embedded("fonts/JetBrainsMono-Regular.ttf", "JetBrains Mono");
  dejavu_ = embedded("fonts/DejaVuSans.ttf", "DejaVu Sans");
  const int dejavu_mono = embedded("fonts/DejaVuSansMono.ttf", "DejaVu Sans Mono");
  order_[static_cast<int>(draw::Font::sans)] = {inter, dejavu_};
  order_[static_cast<int>(draw::Font::semibold)] = {semibold, inter, dejavu_};
  order_[static_cast<int>(draw::Font::mono)] = {mono, dejavu_mono, dejavu_};
}

Faces::~Faces() {
  for (const Face& face : faces_) {
    hb_font_destroy(face.shaping);
    FT_Done_Face(face.ft);
  }
  FT_Done_FreeType(library_);
}

int Faces::add(FT_FaceRec_* ft, const std::string& family, int instance) {
  Face face;
  face.ft = ft;
  hb_face_t* tables = hb_ft_face_create(ft, nullptr);
  face.shaping = hb_font_create(tables);
  if (instance > 0) hb_font_set_var_named_instance(face.shaping, static_cast<unsigned>(instance - 1));
  face.units = static_cast<float>(hb_face_get_upem(tables));
  hb_face_destroy(tables);
  face.family = family;
  face.bitmaps = !FT_IS_SCALABLE(ft) && ft->num_fixed_sizes > 0;
  faces_.push_back(face);
  return static_cast<int>(faces_.size()) - 1;
}

int Faces::embedded(const char* name, const char* family) {
  const auto bytes = base::embedded(name);
  FT_Face ft = nullptr;
  if (bytes.empty() ||
      FT_New_Memory_Face(library_, bytes.data(), static_cast<FT_Long>(bytes.size()), 0, &ft) != 0)
    base::check_failed(__FILE__, __LINE__, "an embedded font can be loaded", name);
  return add(ft, family, 0);
}

int Faces::open(const FontFile& file, char32_t c) {
  const auto [at, fresh] = opened_.try_emplace({file.path, file.index}, none);
  FT_Face ft = nullptr;
  if (fresh && FT_New_Face(library_, file.path.c_str(), file.index, &ft) == 0) {
    if (FT_IS_SFNT(ft)) {  // the formats that HarfBuzz reads
      at->second = add(ft, file.family, file.index >> 16);
      // Tested once per font: afterwards its size belongs to the code that draws with it.
      faces_.back().coloured = draws_in_colour(ft, c);
    } else {
      FT_Done_Face(ft);
    }
  }
  return at->second != none && glyph(at->second, c) != 0 ? at->second : none;
}

unsigned Faces::glyph(int face, char32_t c) const {
  return FT_Get_Char_Index((*this)[face].ft, c);
}

bool Faces::has_all(int face, std::u32string_view cluster) const {
  return std::all_of(cluster.begin(), cluster.end(),
                     [&](char32_t c) { return is_invisible(c) || glyph(face, c) != 0; });
}

int Faces::coloured(char32_t c) {
  const auto [at, fresh] = coloured_.try_emplace(c, none);
  if (!fresh) return at->second;
  if (const auto file = find_font_file(c, FontKind::coloured)) {
    const int face = open(*file, c);
    if (face != none && (*this)[face].coloured) at->second = face;
  }
  return at->second;
}

int Faces::elsewhere(char32_t c, bool mono) {
  const auto [at, fresh] = elsewhere_[mono].try_emplace(c, none);
  if (!fresh) return at->second;
  if (const auto file = find_font_file(c, mono ? FontKind::mono : FontKind::sans))
    at->second = open(*file, c);
  return at->second;
}

int Faces::search(char32_t c, draw::Font font) {
  if (is_emoji(c)) {
    if (const int face = coloured(c); face != none) return face;
  }
  for (const int face : order_[static_cast<int>(font)]) {
    if (glyph(face, c) != 0) return face;
  }
  return elsewhere(c, font == draw::Font::mono);
}

int Faces::find(char32_t c, draw::Font font) {
  auto& found = found_[static_cast<int>(font)];
  const auto known = found.find(c);
  if (known != found.end()) return known->second;
  const int face = search(c, font);
  found.emplace(c, face);
  return face;
}

int Faces::find(std::u32string_view cluster, draw::Font font) {
  if (cluster.size() == 1) return find(cluster[0], font);
  const bool plain = cluster.find(as_text) != std::u32string_view::npos;
  const bool picture = !plain && (cluster.find(as_emoji) != std::u32string_view::npos ||
                                  std::any_of(cluster.begin(), cluster.end(), is_emoji));
  if (picture) {
    const int face = coloured(cluster[0]);
    if (face != none && has_all(face, cluster)) return face;
  }
  for (const int face : order_[static_cast<int>(font)]) {
    if (has_all(face, cluster)) return face;
  }
  int first = none;  // the first face with the first visible code point
  bool seen = false;
  for (const char32_t c : cluster) {
    if (is_invisible(c)) continue;
    const int face = plain ? elsewhere(c, font == draw::Font::mono) : find(c, font);
    if (face != none && has_all(face, cluster)) return face;
    if (!seen) first = face != none ? face : find(c, font);
    seen = true;
  }
  return first;
}

}  // namespace headlight::text
