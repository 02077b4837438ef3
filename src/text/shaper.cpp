#include "text/shaper.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace headlight::text {

namespace {

/// In these scripts a ligature would hide the characters: "->" is not an arrow, "fi" is two letters.
bool keeps_its_characters(hb_script_t script) {
  return script == HB_SCRIPT_LATIN || script == HB_SCRIPT_GREEK || script == HB_SCRIPT_CYRILLIC ||
         script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN;
}

constexpr hb_feature_t no_ligatures[] = {
    {HB_TAG('l', 'i', 'g', 'a'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END},
    {HB_TAG('c', 'l', 'i', 'g'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END},
    {HB_TAG('c', 'a', 'l', 't'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END}};

bool of_all_scripts(hb_script_t script) {
  return script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED;
}

/// The base for marks without anchors.
struct Base {
  const Glyph* glyph = nullptr;
  std::optional<float> top;  // top of its ink and of the marks on it, in em, after the first mark
};

float top_of(const Face& face, unsigned index) {
  hb_glyph_extents_t ink;
  return hb_font_get_glyph_extents(face.shaping, index, &ink) ? static_cast<float>(ink.y_bearing) / face.units
                                                              : 0;
}

/// Places a mark for which its font has no anchors: over the middle of its base, and not through its top.
void set_on(Base& base, const Face& face, Glyph& mark) {
  hb_glyph_extents_t ink;
  if (!hb_font_get_glyph_extents(face.shaping, mark.index, &ink)) return;
  const float unit = 1 / face.units, gap = 0.06f;
  const float middle = (static_cast<float>(ink.x_bearing) + static_cast<float>(ink.width) / 2) * unit;
  mark.x = base.glyph->x + base.glyph->advance / 2 - middle;
  const float top = static_cast<float>(ink.y_bearing) * unit;
  const float bottom = top + static_cast<float>(ink.height) * unit;
  if (bottom < 0.4f) return;  // it is below its base, or through it
  if (!base.top) base.top = top_of(face, base.glyph->index);
  mark.y = std::max(0.f, *base.top + gap - bottom);
  base.top = top + mark.y;
}

}  // namespace

Shaper::Shaper() : buffer_(hb_buffer_create()) {}

Shaper::~Shaper() {
  hb_buffer_destroy(buffer_);
}

void Shaper::shape(const std::vector<std::uint32_t>& characters, const Run& run, const Face& face,
                   const Replacement& missing, Line& line) {
  hb_buffer_reset(buffer_);
  // Adds the whole line, so that letters join across runs.
  hb_buffer_add_utf32(buffer_, characters.data(), static_cast<int>(characters.size()),
                      static_cast<unsigned>(run.from), static_cast<int>(run.to - run.from));
  hb_buffer_set_direction(buffer_, run.level % 2 != 0 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
  hb_buffer_set_script(buffer_, run.script);
  static const hb_language_t language = hb_language_from_string("en", 2);  // not the computer's language
  hb_buffer_set_language(buffer_, language);
  hb_buffer_set_flags(buffer_, HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES);
  const bool plain = keeps_its_characters(run.script) && !face.coloured;
  hb_shape(face.shaping, buffer_, plain ? no_ligatures : nullptr, plain ? 3 : 0);
  place(run, face, missing, line);
}

void Shaper::place(const Run& run, const Face& face, const Replacement& missing, Line& line) {
  unsigned count = 0;
  const hb_glyph_info_t* infos = hb_buffer_get_glyph_infos(buffer_, &count);
  const hb_glyph_position_t* positions = hb_buffer_get_glyph_positions(buffer_, &count);
  const bool leftwards = run.level % 2 != 0;
  const bool lacks_anchors = keeps_its_characters(run.script) && !face.coloured && !leftwards;
  const float unit = 1 / face.units;
  double pen = static_cast<double>(line.width);
  const std::size_t first = line.glyphs.size();
  line.glyphs.reserve(first + count);  // addresses stay valid
  Base base;
  // Only if the glyph before the run is their base.
  if (run.apart && !leftwards && !line.glyphs.empty())
    base = {&line.glyphs.back(), 0.f};  // this face does not know its height
  for (unsigned i = 0; i < count; ++i) {
    Glyph& glyph = line.glyphs.emplace_back();
    glyph.leftwards = leftwards;
    glyph.from = infos[i].cluster;
    if (infos[i].codepoint != 0) {
      glyph.face = run.face;
      glyph.index = infos[i].codepoint;
      glyph.x = static_cast<float>(pen) + static_cast<float>(positions[i].x_offset) * unit;
      glyph.y = static_cast<float>(positions[i].y_offset) * unit;
      glyph.advance = static_cast<float>(positions[i].x_advance) * unit;
    } else {
      glyph.face = missing.face;
      glyph.index = missing.index;
      glyph.x = static_cast<float>(pen);
      glyph.advance = missing.advance;
    }
    const bool loose = lacks_anchors && glyph.advance == 0 && positions[i].x_offset == 0 &&
                       positions[i].y_offset == 0 && base.glyph && base.glyph->from == glyph.from;
    if (run.apart) glyph.advance = 0;
    if (base.glyph && (run.apart || loose)) set_on(base, face, glyph);
    if (glyph.advance > 0) base = {&glyph, std::nullopt};
    pen += static_cast<double>(glyph.advance);
  }
  line.width = static_cast<float>(pen);
  // Clusters ascend or descend along the run: each one ends where the next one in the line begins.
  const auto ends = [&](auto from, auto to) {
    std::uint32_t end = static_cast<std::uint32_t>(run.to), last = end;
    for (auto at = from; at != to; ++at) {
      if (at->from != last && last != static_cast<std::uint32_t>(run.to)) end = last;
      last = at->from;
      at->to = end;
    }
  };
  const auto begin = line.glyphs.begin() + static_cast<std::ptrdiff_t>(first);
  if (leftwards) {
    ends(begin, line.glyphs.end());
  } else {
    ends(line.glyphs.rbegin(), std::make_reverse_iterator(begin));
  }
}

std::vector<hb_script_t> scripts_of(const std::vector<std::uint32_t>& characters) {
  std::vector<hb_script_t> out(characters.size(), HB_SCRIPT_COMMON);
  hb_unicode_funcs_t* unicode = hb_unicode_funcs_get_default();
  std::size_t known = characters.size();  // the first character with its own script
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const std::uint32_t c = characters[i];
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    out[i] = letter ? HB_SCRIPT_LATIN : c < 0x80 ? HB_SCRIPT_COMMON : hb_unicode_script(unicode, c);
    if (!of_all_scripts(out[i])) {
      known = std::min(known, i);
    } else if (i > 0) {
      out[i] = out[i - 1];
    }
  }
  if (known < out.size())
    std::fill(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(known), out[known]);
  return out;
}

}  // namespace headlight::text
