// A page written as a figure, and the words that are read back from an SVG.
#pragma once

#include <gmock/gmock.h>

#include <regex>
#include <string>
#include <vector>

#include "app/render.h"
#include "io/files.h"
#include "support/xml.h"

namespace headlight::app::figure_test {

inline scene::Scene on(scene::Page page) {
  scene::Scene scene;
  scene.page = page;
  return scene;
}

/// The same, where a figure trains its run first: a short run of a small model.
inline scene::Scene quickly_on(scene::Page page) {
  scene::Scene scene = on(page);
  scene.training.steps = 12, scene.training.batch = 2, scene.training.d_model = 16;
  scene.training.layers = 1, scene.training.length = 8;
  return scene;
}

inline std::string written(const scene::Scene& scene, RenderOptions options,
                           const std::filesystem::path& out) {
  options.page = scene.page;
  options.out = out;
  const base::Status status = render_page(scene, options);
  EXPECT_TRUE(status) << status.error();
  const auto bytes = io::read_file(out);
  return bytes ? *bytes : "";
}

struct Word {
  double x = 0, y = 0;
  std::string text;
};

/// Every <text> of an SVG that reads across.
inline std::vector<Word> words_of(const std::string& svg) {
  static const std::regex pattern("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"[^>]*>([^<]*)</text>");
  std::vector<Word> out;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    out.push_back({std::stod((*at)[1]), std::stod((*at)[2]), tests::from_xml((*at)[3].str())});
  return out;
}

}  // namespace headlight::app::figure_test
