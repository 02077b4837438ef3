#include "screen/font_stack.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "base/embedded.h"
#include "base/utf8.h"
#include FT_FREETYPE_H
#include FT_OUTLINE_H

namespace headlight::screen {

namespace {

struct Face {
  FT_Face face = nullptr;
  bool bitmaps = false;  // fixed sizes only, scaled down from the nearest larger one
  bool coloured = false;
  float px = 0;     // the size that is set
  float scale = 1;  // from the size that is set to px; 1 unless bitmaps
};

struct FoundFile {
  std::string path;
  int index = 0;
  bool operator<(const FoundFile& other) const {
    return std::tie(path, index) < std::tie(other.path, other.index);
  }
};

/// Asks fontconfig for a font that really has `c`.
std::optional<FoundFile> ask_fontconfig(char32_t c, bool coloured, bool mono) {
  static const bool ready = FcInit() != FcFalse;
  if (!ready) return std::nullopt;
  FcPattern* pattern = FcPatternCreate();
  FcCharSet* wanted = FcCharSetCreate();
  FcCharSetAddChar(wanted, c);
  FcPatternAddCharSet(pattern, FC_CHARSET, wanted);
  FcPatternAddBool(pattern, FC_COLOR, coloured ? FcTrue : FcFalse);
  if (!coloured) FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
  const char* family = mono ? "monospace" : "sans-serif";
  FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(pattern, FC_WEIGHT, FC_WEIGHT_REGULAR);
  FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);

  std::optional<FoundFile> found;
  FcResult status = FcResultMatch;
  if (FcPattern* match = FcFontMatch(nullptr, pattern, &status)) {
    FcCharSet* has = nullptr;
    FcChar8* file = nullptr;
    FcBool is_coloured = FcFalse;
    int index = 0;
    FcPatternGetCharSet(match, FC_CHARSET, 0, &has);
    FcPatternGetString(match, FC_FILE, 0, &file);
    FcPatternGetInteger(match, FC_INDEX, 0, &index);
    FcPatternGetBool(match, FC_COLOR, 0, &is_coloured);
    if (has && file && FcCharSetHasChar(has, c) && (!coloured || is_coloured)) {
      found = FoundFile{reinterpret_cast<const char*>(file), index};
    }
    FcPatternDestroy(match);
  }
  FcCharSetDestroy(wanted);
  FcPatternDestroy(pattern);
  return found;
}

bool shown_as_emoji(char32_t c) {
  return c >= 0x1F000 && c <= 0x1FAFF;
}

/// One pixel of the glyph's bitmap as straight RGBA.
void read_pixel(const FT_Bitmap& bitmap, int x, int y, float out[4]) {
  const unsigned char* row = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
  switch (bitmap.pixel_mode) {
    case FT_PIXEL_MODE_BGRA: {  // premultiplied
      const unsigned char* p = row + x * 4;
      out[0] = p[2], out[1] = p[1], out[2] = p[0], out[3] = p[3];
      return;
    }
    case FT_PIXEL_MODE_MONO:
      out[3] = (row[x / 8] >> (7 - x % 8) & 1) != 0 ? 255.f : 0.f;
      break;
    default:
      out[3] = row[x];
  }
  out[0] = out[1] = out[2] = out[3];
}

/// The bitmap, scaled down by averaging; `scale` ≤ 1 (a larger one repeats pixels).
GlyphImage scaled_image(const FT_Bitmap& bitmap, float scale) {
  GlyphImage out;
  const int source_width = static_cast<int>(bitmap.width), source_height = static_cast<int>(bitmap.rows);
  if (source_width == 0 || source_height == 0) return out;
  out.coloured = bitmap.pixel_mode == FT_PIXEL_MODE_BGRA;
  out.width = std::max(1, static_cast<int>(std::lround(static_cast<float>(source_width) * scale)));
  out.height = std::max(1, static_cast<int>(std::lround(static_cast<float>(source_height) * scale)));
  out.rgba.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 4);
  std::uint8_t* to = out.rgba.data();
  for (int y = 0; y < out.height; ++y) {
    const int y0 = y * source_height / out.height;
    const int y1 = std::max(y0 + 1, (y + 1) * source_height / out.height);
    for (int x = 0; x < out.width; ++x, to += 4) {
      const int x0 = x * source_width / out.width;
      const int x1 = std::max(x0 + 1, (x + 1) * source_width / out.width);
      float sum[4] = {};
      for (int v = y0; v < y1; ++v) {
        for (int u = x0; u < x1; ++u) {
          float p[4];
          read_pixel(bitmap, u, v, p);
          for (int i = 0; i < 4; ++i) sum[i] += p[i];
        }
      }
      for (int i = 0; i < 3; ++i) {
        to[i] = sum[3] > 0 ? static_cast<std::uint8_t>(std::min(255.f, sum[i] * 255.f / sum[3] + 0.5f)) : 255;
      }
      to[3] = static_cast<std::uint8_t>(sum[3] / static_cast<float>((y1 - y0) * (x1 - x0)) + 0.5f);
    }
  }
  return out;
}

}  // namespace

struct FontStack::State {
  FT_Library library = nullptr;
  std::vector<Face> faces;
  std::vector<int> order[3];  // by draw::Font: the faces that are part of the program, the first one wins
  std::map<FoundFile, int> opened;  // −1: it cannot be read
  std::unordered_map<std::uint64_t, std::optional<GlyphRef>> found;

  int add(FT_Face face) {
    Face out;
    out.face = face;
    out.bitmaps = !FT_IS_SCALABLE(face) && face->num_fixed_sizes > 0;
    out.coloured = FT_HAS_COLOR(face);
    faces.push_back(out);
    return static_cast<int>(faces.size()) - 1;
  }

  int embedded(const char* name) {
    const auto bytes = base::embedded(name);
    FT_Face face = nullptr;
    const bool ok =
        !bytes.empty() &&
        FT_New_Memory_Face(library, bytes.data(), static_cast<FT_Long>(bytes.size()), 0, &face) == FT_Err_Ok;
    if (!ok) base::check_failed(__FILE__, __LINE__, "a font of the program can be read", name);
    return add(face);
  }

  int open(const FoundFile& file) {
    const auto known = opened.find(file);
    if (known != opened.end()) return known->second;
    FT_Face face = nullptr;
    const bool ok = FT_New_Face(library, file.path.c_str(), file.index, &face) == FT_Err_Ok;
    return opened[file] = ok ? add(face) : -1;
  }

  Face& sized(int which, float px) {
    Face& face = faces[static_cast<std::size_t>(which)];
    if (face.px == px) return face;
    face.px = px;
    if (face.bitmaps) {
      int best = 0;
      for (int i = 1; i < face.face->num_fixed_sizes; ++i) {
        const auto size = static_cast<float>(face.face->available_sizes[i].y_ppem) / 64;
        const auto best_size = static_cast<float>(face.face->available_sizes[best].y_ppem) / 64;
        if (best_size < px ? size > best_size : size >= px && size < best_size) best = i;
      }
      FT_Select_Size(face.face, best);
      face.scale =
          px * 64 / static_cast<float>(std::max<FT_Pos>(64, face.face->available_sizes[best].y_ppem));
    } else {
      const auto units = static_cast<FT_F26Dot6>(std::lround(px * 64));
      FT_Set_Char_Size(face.face, 0, std::max<FT_F26Dot6>(units, 64), 72, 72);
    }
    return face;
  }

  bool load(const Face& face, unsigned index) {
    FT_Int32 flags = FT_LOAD_TARGET_LIGHT;  // snaps to pixel rows only, so that quarter-pixel steps stay even
    if (face.coloured) flags |= FT_LOAD_COLOR;
    if (!face.bitmaps && !face.coloured) flags |= FT_LOAD_NO_BITMAP;
    return FT_Load_Glyph(face.face, index, flags) == FT_Err_Ok;
  }

  std::optional<GlyphRef> in_face(int which, char32_t c) {
    if (which < 0) return std::nullopt;
    const unsigned index = FT_Get_Char_Index(faces[static_cast<std::size_t>(which)].face, c);
    if (index == 0) return std::nullopt;
    return GlyphRef{which, index};
  }

  std::optional<GlyphRef> in_colour(char32_t c) {
    const auto file = ask_fontconfig(c, true, false);
    if (!file) return std::nullopt;
    const auto glyph = in_face(open(*file), c);
    if (!glyph) return std::nullopt;
    const Face& face =
        sized(glyph->face, 32);  // some colour formats are beyond FreeType: they render to nothing
    if (!load(face, glyph->index) || FT_Render_Glyph(face.face->glyph, FT_RENDER_MODE_NORMAL) != FT_Err_Ok ||
        face.face->glyph->bitmap.width == 0) {
      return std::nullopt;
    }
    return glyph;
  }

  std::optional<GlyphRef> search(char32_t c, draw::Font font) {
    if (shown_as_emoji(c)) {
      if (const auto glyph = in_colour(c)) return glyph;
    }
    for (const int which : order[static_cast<int>(font)]) {
      if (const auto glyph = in_face(which, c)) return glyph;
    }
    const auto file = ask_fontconfig(c, false, font == draw::Font::mono);
    return file ? in_face(open(*file), c) : std::nullopt;
  }

  const std::optional<GlyphRef>& lookup(char32_t c, draw::Font font) {
    const std::uint64_t key = static_cast<std::uint64_t>(c) << 2 | static_cast<std::uint64_t>(font);
    const auto known = found.find(key);
    if (known != found.end()) return known->second;
    return found.emplace(key, search(c, font)).first->second;
  }
};

FontStack::FontStack() : state_(std::make_unique<State>()) {
  HEADLIGHT_CHECK(FT_Init_FreeType(&state_->library) == FT_Err_Ok);
  const int inter = state_->embedded("fonts/Inter-Regular.otf");
  const int semibold = state_->embedded("fonts/Inter-SemiBold.otf");
  const int mono = state_->embedded("fonts/JetBrainsMono-Regular.ttf");
  const int dejavu = state_->embedded("fonts/DejaVuSans.ttf");
  const int dejavu_mono = state_->embedded("fonts/DejaVuSansMono.ttf");
  state_->order[static_cast<int>(draw::Font::sans)] = {inter, dejavu};
  state_->order[static_cast<int>(draw::Font::semibold)] = {semibold, inter, dejavu};
  state_->order[static_cast<int>(draw::Font::mono)] = {mono, dejavu_mono, dejavu};
}

FontStack::~FontStack() {
  for (const Face& face : state_->faces) FT_Done_Face(face.face);
  FT_Done_FreeType(state_->library);
}

bool FontStack::covers(char32_t c, draw::Font font) {
  return state_->lookup(c, font).has_value();
}

GlyphRef FontStack::find(char32_t c, draw::Font font) {
  if (const auto& glyph = state_->lookup(c, font)) return *glyph;
  if (const auto& glyph = state_->lookup(base::replacement_character, font)) return *glyph;
  return {state_->order[static_cast<int>(font)].front(), 0};
}

float FontStack::advance(GlyphRef glyph, float px) {
  const Face& face = state_->sized(glyph.face, px);
  if (!state_->load(face, glyph.index)) return 0;
  const FT_GlyphSlot slot = face.face->glyph;
  if (face.bitmaps) return static_cast<float>(slot->metrics.horiAdvance) / 64 * face.scale;
  return static_cast<float>(slot->linearHoriAdvance) / 65536;
}

float FontStack::kerning(GlyphRef left, GlyphRef right, float px) {
  if (left.face != right.face) return 0;
  const Face& face = state_->sized(left.face, px);
  if (!FT_HAS_KERNING(face.face)) return 0;
  FT_Vector delta{};
  if (FT_Get_Kerning(face.face, left.index, right.index, FT_KERNING_UNFITTED, &delta) != FT_Err_Ok) return 0;
  return static_cast<float>(delta.x) / 64;
}

GlyphImage FontStack::image(GlyphRef glyph, float px, int quarter) {
  const Face& face = state_->sized(glyph.face, px);
  if (!state_->load(face, glyph.index)) return {};
  const FT_GlyphSlot slot = face.face->glyph;
  if (slot->format == FT_GLYPH_FORMAT_OUTLINE && !face.coloured)
    FT_Outline_Translate(&slot->outline, quarter * 16, 0);
  if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != FT_Err_Ok) return {};
  GlyphImage out = scaled_image(slot->bitmap, face.scale);
  out.left = static_cast<int>(std::lround(static_cast<float>(slot->bitmap_left) * face.scale));
  out.top = static_cast<int>(std::lround(static_cast<float>(slot->bitmap_top) * face.scale));
  return out;
}

}  // namespace headlight::screen
