#include "pictures/guided_words.h"

#include "kit/selection.h"
#include "pictures/pages.h"

namespace headlight::app {

namespace {

bool shown(const views::PageInput& in, const std::string& panel) {
  using Model = scene::PageUses::Model;
  const PageInfo& page = page_info(in.scene.page);
  const Model model = page.room.uses(in.scene).model;
  if (model == Model::none) return false;
  if (page.view.shows_guided) return page.view.shows_guided(in, panel);
  return model == Model::stack || views::chosen_head_guided(in);
}

}  // namespace

std::string guided_words(const views::PageInput& in, const std::string& panel) {
  const scene::GuidedHead& guide = in.results.guide;
  if (guide.head < 0 || !shown(in, panel)) return {};
  return "Head " + std::to_string(guide.head + 1) + " of layer " + std::to_string(guide.layer + 1) +
         " was guided during training: state this beside its numbers. ";
}

}  // namespace headlight::app
