// What holds for every page at every size: texts that do not touch and stay inside, controls that set real
// fields and are found by one name each.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "draw/record_canvas.h"
#include "scene/settings.h"

namespace headlight::views::test {

/// `most`: units that two lines may share in height.
inline void expect_texts_apart(const draw::RecordCanvas& canvas, draw::Box area, float height,
                               float most = 2.5f) {
  for (std::size_t a = 0; a < canvas.texts.size(); ++a) {
    const draw::Box box = canvas.texts[a].box;
    EXPECT_GE(box.x, area.x - 0.01f) << canvas.texts[a].words;
    EXPECT_GE(box.y, area.y) << canvas.texts[a].words;
    EXPECT_LE(box.right(), area.right() + 0.01f) << canvas.texts[a].words;
    EXPECT_LE(box.bottom(), area.y + height) << canvas.texts[a].words;
    for (std::size_t b = a + 1; b < canvas.texts.size(); ++b) {
      const draw::Box other = canvas.texts[b].box;
      if (canvas.texts[a].style.turn != 0 || canvas.texts[b].style.turn != 0) {
        EXPECT_FALSE(draw::overlap(canvas.texts[a].corners, canvas.texts[b].corners, most))
            << "\"" << canvas.texts[a].words << "\" and \"" << canvas.texts[b].words << "\"";
        continue;
      }
      const float across = std::min(box.right(), other.right()) - std::max(box.x, other.x);
      const float down = std::min(box.bottom(), other.bottom()) - std::max(box.y, other.y);
      EXPECT_FALSE(across > 0.5f && down > most)
          << "\"" << canvas.texts[a].words << "\" and \"" << canvas.texts[b].words << "\" by " << across
          << ", " << down;
    }
  }
}

/// A drawing line by line against tests/views/recordings/FILE; HEADLIGHT_UPDATE=1 writes it anew.
inline void expect_recorded(const std::string& file, const draw::RecordCanvas& canvas) {
  const std::string path = std::string(HEADLIGHT_SOURCE_DIR) + "/tests/views/recordings/" + file;
  if (std::getenv("HEADLIGHT_UPDATE")) {
    std::ofstream out(path, std::ios::binary);
    for (const std::string& line : canvas.lines) out << line << "\n";
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing: run with HEADLIGHT_UPDATE=1 and look at what was drawn";
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::vector<std::string> drawn;  // a note may hold line breaks
  for (const std::string& line : canvas.lines) {
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part);) drawn.push_back(part);
  }
  for (std::size_t n = 0; n < std::min(lines.size(), drawn.size()); ++n)
    ASSERT_EQ(drawn[n], lines[n]) << path << ":" << n + 1;
  ASSERT_EQ(drawn.size(), lines.size()) << path;
}

/// Texts that cross each other or the edges of the page, in words; a few of them are enough.
inline std::string text_trouble(const draw::RecordCanvas& canvas, float width, float height) {
  constexpr float slack = 1.5f;  // what rounding and the recorder's fixed widths explain
  std::string out;
  for (std::size_t i = 0; i < canvas.texts.size() && out.size() < 600; ++i) {
    const draw::Box a = canvas.texts[i].box;
    if (a.x < -0.5f || a.y < -0.5f || a.right() > width + 0.5f || a.bottom() > height + 0.5f)
      out += "\"" + canvas.texts[i].words + "\" leaves the page\n";
    for (std::size_t j = i + 1; j < canvas.texts.size(); ++j) {
      const draw::Box b = canvas.texts[j].box;
      const bool level = canvas.texts[i].style.turn == 0 && canvas.texts[j].style.turn == 0;
      if (!level && !draw::overlap(canvas.texts[i].corners, canvas.texts[j].corners, slack)) continue;
      if (a.x + slack < b.right() && b.x + slack < a.right() && a.y + slack < b.bottom() &&
          b.y + slack < a.bottom())
        out += "\"" + canvas.texts[i].words + "\" crosses \"" + canvas.texts[j].words + "\" at " +
               std::to_string(a.x) + " " + std::to_string(a.y) + "\n";
    }
  }
  return out;
}

/// Is it "name=value" for a setting that there is, with a value that it takes? Assigns as the program does.
inline bool sets_a_field(const std::string& assignment) {
  scene::Scene scratch;
  return static_cast<bool>(scene::set_field(scratch, assignment));
}

/// `by_name`: controls without an assignment, on which the program acts by their name.
inline void expect_controls_real(const draw::RecordCanvas& canvas, draw::Box area, float height,
                                 const std::set<std::string>& by_name = {}) {
  std::set<std::string> names;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part == draw::Part::none) continue;
    EXPECT_FALSE(mark.name.empty());
    EXPECT_TRUE(names.insert(mark.name).second) << mark.name << " twice";
    if (mark.area.w > 0) {
      EXPECT_GE(mark.area.x, area.x - 0.01f) << mark.name;
      EXPECT_LE(mark.area.right(), area.right() + 0.01f) << mark.name;
      EXPECT_LE(mark.area.bottom(), area.y + height) << mark.name;
    }
    if (mark.part != draw::Part::control || by_name.count(mark.name)) continue;
    for (std::size_t at = 0; at < mark.set.size();) {
      const std::size_t end = std::min(mark.set.find(';', at), mark.set.size());
      EXPECT_TRUE(sets_a_field(mark.set.substr(at, end - at))) << mark.set;
      at = end + 1;
    }
    EXPECT_FALSE(mark.set.empty()) << mark.name;
  }
}

/// The least end of the scale, 1, 2 or 5 times a power of ten, above which at most 1 % of the weights are;
/// and the share that are.
inline std::pair<float, double> expected_scale(std::span<const float> weights) {
  const auto above = [&](double end) {
    const auto n = std::count_if(weights.begin(), weights.end(),
                                 [&](float weight) { return weight > static_cast<float>(end); });
    return static_cast<double>(n) / static_cast<double>(weights.size());
  };
  double best = 1;
  for (const double power : {1e-1, 1e-2, 1e-3, 1e-4}) {
    for (const double digit : {5.0, 2.0, 1.0}) {
      if (above(digit * power) <= 0.01) best = digit * power;
    }
  }
  return {static_cast<float>(best), above(best)};
}

/// The first mark of that name; null when there is none.
inline const draw::Mark* marked(const draw::RecordCanvas& canvas, const std::string& name) {
  const auto found = std::find_if(canvas.marks.begin(), canvas.marks.end(),
                                  [&](const draw::Mark& mark) { return mark.name == name; });
  return found == canvas.marks.end() ? nullptr : &*found;
}

/// How many texts are these words and nothing else.
inline int times_said(const draw::RecordCanvas& canvas, const std::string& words) {
  return static_cast<int>(std::count_if(canvas.texts.begin(), canvas.texts.end(),
                                        [&](const auto& text) { return text.words == words; }));
}

inline bool says(const draw::RecordCanvas& canvas, const std::string& words) {
  return std::any_of(canvas.texts.begin(), canvas.texts.end(),
                     [&](const auto& text) { return text.words.find(words) != std::string::npos; });
}

}  // namespace headlight::views::test
