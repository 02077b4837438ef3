#include "ui/named_things.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "draw/boxes.h"

namespace headlight::app {

namespace {

using draw::Box;
using draw::Part;
using draw::Point;

constexpr std::string_view cells_of = "cells ";
constexpr float least_map = 90;  // units: smaller maps are pictures of heads, without cells to point at

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
  });
  return text;
}

/// "head 2" is ("head", 2, −1), "cell 2 4" is ("cell", 2, 4).
struct Numbered {
  std::string kind;
  int a = -1, b = -1;
};
Numbered numbered(const std::string& name) {
  char kind[16] = {};
  Numbered out;
  int a = -1, b = -1;
  if (std::sscanf(name.c_str(), "%15[a-z] %d %d", kind, &a, &b) >= 2) out = {kind, a, b};
  return out;
}

/// Is it a part of the large map?
bool of_map(const Numbered& what) {
  return what.kind == "row" || what.kind == "column" || what.kind == "cell";
}

/// A row, a column or a cell of the map that fills `box`.
Box part_of_map(const Numbered& what, Box box, const PageThings& page) {
  const bool row = what.kind != "column", column = what.kind != "row";
  const int query = row ? what.a : -1, key = what.kind == "cell"     ? what.b
                                             : what.kind == "column" ? what.a
                                                                     : -1;
  if ((row && (query < 0 || query >= page.queries)) || (column && (key < 0 || key >= page.keys))) return {};
  float q_size = (page.turned ? box.w : box.h) / static_cast<float>(page.queries);
  float k_size = (page.turned ? box.h : box.w) / static_cast<float>(page.keys);
  Box out = box;
  float &q_at = page.turned ? out.x : out.y, &q_long = page.turned ? out.w : out.h;
  float &k_at = page.turned ? out.y : out.x, &k_long = page.turned ? out.h : out.w;
  if (row) q_at += static_cast<float>(query) * q_size, q_long = q_size;
  if (column) k_at += static_cast<float>(key) * k_size, k_long = k_size;
  return out;
}

/// Beams and arcs have no cells: the words at their ends represent a row, a column or a pair. The words of
/// arcs are both queries and keys.
void words_of_pair(const Numbered& what, const PageThings& page, std::vector<Box>& out) {
  const auto light = std::find_if(page.targets.begin(), page.targets.end(), [](const auto& target) {
    return target.mark.part == Part::cell && (target.mark.name == "beams" || target.mark.name == "arcs");
  });
  if (light == page.targets.end()) return;
  const bool cell = what.kind == "cell", arcs = light->mark.name == "arcs";
  const int query = cell || what.kind == "row" ? what.a : -1;
  const int key = cell ? what.b : what.kind == "column" || (arcs && what.kind == "key") ? what.a : -1;
  for (const auto& target : page.targets) {
    const draw::Mark& mark = target.mark;
    const bool beside = std::any_of(page.panels.begin(), page.panels.end(), [&](const auto& panel) {
      return panel.box.has(target.box.centre()) && panel.box.has(light->box.centre());
    });
    if (!beside || target.box.w <= 0) continue;
    const bool is_query = mark.part == Part::query_token && query >= 0 && mark.query == query;
    const bool is_key = key >= 0 && (arcs ? mark.part == Part::query_token && mark.query == key
                                          : mark.part == Part::key_token && mark.key == key);
    if (is_query || is_key) out.push_back(target.box);
  }
}

}  // namespace

bool of_large_map(const std::string& name) {
  return of_map(numbered(name));
}

std::vector<Box> boxes_of(const std::string& name, const PageThings& page) {
  std::vector<Box> out;
  if (name.starts_with("card ")) {
    const std::string wanted = lowered(name.substr(5));
    for (const auto& panel : page.panels) {
      if (lowered(panel.name) == wanted) out.push_back(panel.box);
    }
    for (const auto& panel : page.panels) {
      if (out.empty() && lowered(panel.title).find(wanted) != std::string::npos) out.push_back(panel.box);
    }
    return out;
  }
  if (name.starts_with(cells_of)) {
    for (const Box& around : boxes_of(name.substr(cells_of.size()), page)) {
      for (const auto& target : page.targets) {
        if (target.mark.part == Part::cell && target.mark.name.empty() && target.box.w > 0 &&
            around.has(target.box.centre()))
          out.push_back(target.box);
      }
    }
    return out;
  }
  // "Variance at *" is the box around everything whose name begins with "Variance at ".
  if (name.ends_with('*')) {
    Box all;
    for (const auto& target : page.targets) {
      if (target.box.w <= 0 || !target.mark.name.starts_with(name.substr(0, name.size() - 1))) continue;
      all = all.w > 0 ? draw::around_both(all, target.box) : target.box;
    }
    if (all.w > 0) out.push_back(all);
    return out;
  }
  const Numbered what = numbered(name);
  const bool in_map = of_map(what);
  for (const auto& target : page.targets) {
    const draw::Mark& mark = target.mark;
    if (target.box.w <= 0) continue;
    if (in_map && mark.part == Part::cell && mark.name.empty() &&
        std::min(target.box.w, target.box.h) >= least_map) {
      const Box part = part_of_map(what, target.box, page);
      if (part.w > 0) out.push_back(part);
    } else if ((what.kind == "head" && mark.part == Part::head && mark.head + 1 == what.a) ||
               (what.kind == "map" && mark.part == Part::cell && mark.head + 1 == what.a) ||
               (what.kind == "query" && mark.part == Part::query_token && mark.query == what.a) ||
               (what.kind == "key" && mark.part == Part::key_token && mark.key == what.a) ||
               (what.kind == "bar" && mark.part == Part::bar && mark.key == what.a) ||
               (what.kind == "clock" && mark.part == Part::clock && mark.key == what.a) ||
               (!mark.name.empty() && mark.name == name)) {
      out.push_back(target.box);
    }
  }
  words_of_pair(what, page, out);
  return out;
}

void beside_the_map(const std::string& name, const PageThings& page, std::vector<Box>& out) {
  const Numbered what = numbered(name);
  if (!of_map(what)) return;
  const std::vector<Box> parts = boxes_of(name, page);
  for (const Box& part : parts) {
    for (const Box& beside : boxes_of("area beside the map", page)) {
      const float from = std::max(part.y, beside.y), to = std::min(part.bottom(), beside.bottom());
      if (to > from) out.push_back({beside.x, from, beside.w, to - from});
    }
    for (const Box& below : boxes_of("area below the map", page)) {
      const float from = std::max(part.x, below.x), to = std::min(part.right(), below.right());
      if (to > from) out.push_back({from, below.y, to - from, below.h});
    }
  }
}

bool has_cells(const PageThings& page) {
  return std::any_of(page.targets.begin(), page.targets.end(), [](const auto& target) {
    return target.mark.part == Part::cell && target.mark.name.empty() &&
           std::min(target.box.w, target.box.h) >= least_map;
  });
}

NamedThing thing_at(Point at, const draw::Hit& under, const PageThings& page) {
  const draw::Mark& mark = under.mark;
  const auto number = [](int i) { return " " + std::to_string(i); };
  std::string name;
  if (mark.part == Part::cell && mark.name.empty() && mark.query >= 0 && mark.key >= 0)
    name = "cell" + number(mark.query) + number(mark.key);
  if (mark.part == Part::query_token) name = "row" + number(mark.query);
  if (mark.part == Part::key_token) name = "column" + number(mark.key);
  if (mark.part == Part::bar) name = "bar" + number(mark.key);
  if (mark.part == Part::head) name = "head" + number(mark.head + 1);
  if (mark.part == Part::clock) name = "clock" + number(mark.key);
  if (!name.empty()) {
    for (const Box& box : boxes_of(name, page)) {
      if (mark.part != Part::cell || box.has(at)) return {name, box};
    }
  }
  NamedThing out;
  for (const auto& target : page.targets) {
    const Box& box = target.box;
    const bool named = target.mark.part == Part::note && !target.mark.name.empty() && box.has(at);
    // Words that are explained are no part of a card.
    if (!named || target.mark.name.starts_with("explain")) continue;
    if (out.name.empty() || box.w * box.h < out.box.w * out.box.h) out = {target.mark.name, box};
  }
  if (!out.name.empty()) return out;
  for (const auto& panel : page.panels) {
    if (!panel.name.empty() && panel.box.has(at)) out = {"card " + panel.name, panel.box};
  }
  return out;
}

}  // namespace headlight::app
