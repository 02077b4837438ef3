// Figures of one card of a page that is computed once, and what is read in their SVG.
#pragma once

#include <gmock/gmock.h>

#include <cstdio>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "pictures/page_figure.h"
#include "pictures/pages.h"
#include "session/session.h"
#include "support/xml.h"

namespace headlight::app::figure_parts_test {

using Parts = draw::FigureParts;

/// A page that is computed once, and figures of it on paper.
class Pictured {
 public:
  explicit Pictured(scene::Scene scene) {
    scene.theme = scene::ThemeName::light;
    page_ = scene.page;
    session_ = std::make_unique<Session>(Session::Start{.scene = scene, .autosave = {}});
    session_->wait();
    theme_ = figure_theme(session_->scene(), false);
  }
  FigureRequest request(const std::string& panel, const Parts& parts, double width_mm = 85) const {
    return {.page = page_, .panel = panel, .width_mm = width_mm, .parts = parts};
  }
  std::string svg(const std::string& panel, const Parts& parts, double width_mm = 85) const {
    const auto bytes = page_figure(request(panel, parts, width_mm), FigureFormat::svg, input());
    EXPECT_TRUE(bytes) << bytes.error();
    return bytes ? *bytes : "";
  }
  FigureSize size(const std::string& panel, const Parts& parts, double width_mm = 85) const {
    const auto out = figure_size(request(panel, parts, width_mm), input());
    EXPECT_TRUE(out) << out.error();
    return out ? *out : FigureSize{};
  }
  std::vector<figure::Panel> cards(const Parts& parts = {}) const {
    return page_panels(request("", parts, 0), input());
  }
  views::PageInput input() const { return page_input(*session_, theme_); }
  const draw::Theme& theme() const { return theme_; }
  const scene::Scene& scene() const { return session_->scene(); }

 private:
  scene::Page page_ = scene::Page::attention;
  std::unique_ptr<Session> session_;
  draw::Theme theme_;
};

inline scene::Scene on(scene::Page page) {
  scene::Scene scene;
  scene.page = page;
  scene.training.steps = 12, scene.training.batch = 2, scene.training.d_model = 16;
  scene.training.layers = 1, scene.training.length = 8;
  return scene;
}
inline scene::Scene pinned() {
  scene::Scene scene = on(scene::Page::attention);
  scene.query = {1}, scene.key = 2;
  return scene;
}

/// Every text with its place, "x y words".
inline std::set<std::string> texts(const std::string& svg) {
  static const std::regex pattern("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"[^>]*>([^<]*)</text>");
  std::set<std::string> out;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    out.insert((*at)[1].str() + " " + (*at)[2].str() + " " + (*at)[3].str());
  return out;
}
/// Those of `a` that are not in `b`, in one line.
inline std::string gone(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::string out;
  for (const std::string& one : a) {
    if (!b.count(one)) out += one + "\n";
  }
  return out;
}
inline std::size_t count(const std::string& in, const std::string& what) {
  std::size_t out = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++out;
  return out;
}
inline std::string hex(draw::Color color) {
  char out[8];
  std::snprintf(out, sizeof out, "#%02x%02x%02x", color.r, color.g, color.b);
  return out;
}
inline draw::Box view_box(const std::string& svg) {
  draw::Box out;
  const tests::XmlCheck xml = tests::check_xml(svg);
  EXPECT_EQ(xml.error, "");
  std::sscanf(xml.of_root.at("viewBox").c_str(), "%f %f %f %f", &out.x, &out.y, &out.w, &out.h);
  return out;
}
/// The grounds of maps with a lattice: as wide and high as all of their cells.
inline std::vector<draw::Box> lattices(const std::string& svg, const draw::Theme& theme) {
  const std::regex pattern(
      "<rect x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\" fill=\"" +
      hex(theme.border) + "\" fill-opacity=\"0.6\"");
  std::vector<draw::Box> out;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    out.push_back({std::stof((*at)[1]), std::stof((*at)[2]), std::stof((*at)[3]), std::stof((*at)[4])});
  return out;
}

}  // namespace headlight::app::figure_parts_test
