#include "text/layout.h"

#include <hb.h>

#include <functional>
#include <unordered_map>

#include "base/utf8.h"
#include "text/bidi.h"
#include "text/missing_font.h"
#include "text/shaper.h"

namespace headlight::text {

namespace {

/// Returns the picture of a control character; other characters do not change.
char32_t picture_of(char32_t c) {
  if (c < 0x20) return c + 0x2400;
  return c == 0x7F ? U'\u2421' : c;
}

struct Remembered {
  std::string words;
  draw::Font font = draw::Font::sans;
  Line line;
};

using Lines = std::unordered_map<std::uint64_t, Remembered>;

}  // namespace

struct Typesetter::State {
  State();

  Faces faces;
  Shaper shaper;
  Replacement missing[3];  // by draw::Font
  Lines recent, older;     // once the recent lines are half of the limit, the older ones are dropped
  std::size_t in_recent = 0, in_older = 0;

  // Of the line being laid out.
  std::vector<std::uint32_t> characters;  // as shown
  std::u32string written;
  std::vector<std::uint32_t> at;  // the byte where each one begins, and the end
  std::vector<int> face;
  std::vector<bool> apart;  // a mark that is missing in its base's face

  const Line& remember(std::uint64_t key, Remembered fresh);
  void read(std::string_view words);
  void choose_faces(std::string_view words, draw::Font font);
  std::vector<Run> runs() const;
  Line set(std::string_view words, draw::Font font);
};

Typesetter::State::State() {
  for (const draw::Font font : {draw::Font::sans, draw::Font::semibold, draw::Font::mono}) {
    Replacement& out = missing[static_cast<int>(font)];
    out.face = faces.find(base::replacement_character, font);  // DejaVu has it
    out.index = faces.glyph(out.face, base::replacement_character);
    const Face& of = faces[out.face];
    out.advance = static_cast<float>(hb_font_get_glyph_h_advance(of.shaping, out.index)) / of.units;
  }
}

void Typesetter::State::read(std::string_view words) {
  characters.clear();
  written.clear();
  at.clear();
  for (std::size_t i = 0; i < words.size();) {
    const base::CodePoint c = base::decode(words, i);
    at.push_back(static_cast<std::uint32_t>(i));
    written += c.value;
    characters.push_back(picture_of(c.value));
    i += c.bytes;
  }
  at.push_back(static_cast<std::uint32_t>(words.size()));
}

void Typesetter::State::choose_faces(std::string_view words, draw::Font font) {
  const std::size_t count = characters.size();
  face.assign(count, Faces::none);
  apart.assign(count, false);
  std::u32string cluster;
  for (std::size_t from = 0, to = 0; from < count; from = to) {
    to = from + 1;
    // No character below the combining marks joins the one before it, except LF after CR.
    if (to < count && characters[to] >= 0x300) {
      const std::size_t end = at[from] + base::cluster_bytes(words, at[from]);
      while (to < count && at[to] < end) ++to;
    }
    cluster.clear();
    for (std::size_t i = from; i < to; ++i) cluster += static_cast<char32_t>(characters[i]);
    const int found = faces.find(cluster, font);
    for (std::size_t i = from; i < to; ++i) {
      const auto c = static_cast<char32_t>(characters[i]);
      face[i] = found;
      const bool alone = found != Faces::none && to == from + 1;  // then this character determined the face
      if (alone || is_invisible(c) || (found != Faces::none && faces.glyph(found, c) != 0)) continue;
      face[i] = faces.find(c, font);
      if (face[i] == Faces::none) {
        characters[i] = base::replacement_character;
        face[i] = missing[static_cast<int>(font)].face;
      }
      apart[i] = i > from && is_combining_mark(c);
    }
    // An invisible character does not separate its neighbours.
    if (to == from + 1 && from > 0 && is_invisible(cluster[0])) face[from] = face[from - 1];
    for (std::size_t i = from; i < to; ++i) {
      if (face[i] == Faces::none) face[i] = missing[static_cast<int>(font)].face;
    }
  }
}

std::vector<Run> Typesetter::State::runs() const {
  std::vector<std::uint8_t> levels(characters.size(), 0);
  if (has_right_to_left(written)) levels = embedding_levels(written);
  const std::vector<hb_script_t> scripts = scripts_of(characters);
  std::vector<Run> out;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const Run run{i, i + 1, face[i], scripts[i], levels[i], apart[i]};
    const bool joins = !out.empty() && out.back().face == run.face && out.back().script == run.script &&
                       out.back().level == run.level && out.back().apart == run.apart;
    if (joins) {
      out.back().to = run.to;
    } else {
      out.push_back(run);
    }
  }
  return out;
}

Line Typesetter::State::set(std::string_view words, draw::Font font) {
  read(words);
  choose_faces(words, font);
  const std::vector<Run> parts = runs();
  std::vector<std::uint8_t> levels;
  for (const Run& run : parts) levels.push_back(run.level);
  Line out;
  out.glyphs.reserve(characters.size());
  for (const std::size_t i : visual_order(levels))
    shaper.shape(characters, parts[i], faces[parts[i].face], missing[static_cast<int>(font)], out);
  for (Glyph& glyph : out.glyphs) glyph.from = at[glyph.from], glyph.to = at[glyph.to];
  return out;
}

const Line& Typesetter::State::remember(std::uint64_t key, Remembered fresh) {
  const std::size_t room = fresh.line.glyphs.size() + 1;  // a line without glyphs counts too
  if (in_recent + room > most_glyphs / 2) {
    older = std::move(recent);
    in_older = in_recent;
    recent = {};
    in_recent = 0;
  }
  const auto [at_key, added] = recent.try_emplace(key);
  if (!added) in_recent -= at_key->second.line.glyphs.size() + 1;  // two lines with one hash: the newer stays
  at_key->second = std::move(fresh);
  in_recent += room;
  return at_key->second.line;
}

Typesetter::Typesetter() : state_(std::make_unique<State>()) {}
Typesetter::~Typesetter() = default;

const Line& Typesetter::line(std::string_view words, draw::Font font) {
  State& state = *state_;
  const std::uint64_t key =
      std::hash<std::string_view>{}(words) + static_cast<std::uint64_t>(font) * 0x9E3779B97F4A7C15ull;
  const auto same = [&](const Remembered& line) { return line.font == font && line.words == words; };
  const auto recent = state.recent.find(key);
  if (recent != state.recent.end() && same(recent->second)) return recent->second.line;
  const auto older = state.older.find(key);
  if (older != state.older.end() && same(older->second)) {
    Remembered again = std::move(older->second);
    state.in_older -= again.line.glyphs.size() + 1;
    state.older.erase(older);
    return state.remember(key, std::move(again));
  }
  return state.remember(key, {std::string(words), font, state.set(words, font)});
}

const Faces& Typesetter::faces() const {
  return state_->faces;
}

std::string Typesetter::missing_font(std::string_view words) {
  return font_advice(without_font(words, state_->faces));
}

std::size_t Typesetter::glyphs_kept() const {
  return state_->in_recent + state_->in_older;
}

std::string shown_words(std::string_view words) {
  std::string out;
  for (std::size_t i = 0; i < words.size();) {
    const base::CodePoint c = base::decode(words, i);
    base::append_utf8(out, picture_of(c.value));
    i += c.bytes;
  }
  return out;
}

}  // namespace headlight::text
