// The motions of the open page: the position while it plays, and the gradual changes after a setting, the
// head or the pinned cell changed.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "draw/pick_canvas.h"
#include "kit/card.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "pages/page.h"
#include "scene/setting.h"
#include "ui/page_area.h"

namespace headlight::app {

namespace {

constexpr float transition_seconds = 0.22f;
constexpr float motion_seconds = 0.2f;
constexpr float first_part = 1.f / 12;  // of that time, at once: the next frame already shows a change
constexpr float stream_seconds = 0.3f;  // changes closer to each other than this are shown at once

}  // namespace

bool PageArea::animate(Session& session, float seconds) {
  const scene::Scene& scene = session.scene();
  const char* name = scene::room_of(scene.page).moving_step;
  std::string step = name ? scene::find_setting(name)->text(scene) : std::string();
  // Nothing moves on a page that was just opened.
  if (scene.page != step_page_ || scene.reduced_motion) {
    transition_ = 1;
  } else if (step != step_) {
    transition_ = 0;
  }
  step_ = std::move(step), step_page_ = scene.page;
  transition_ = std::min(1.f, transition_ + std::min(seconds, 0.05f) / transition_seconds);
  follow(session, seconds);
  return run(session, seconds) || transition_ < 1 || motion_.part < 1;
}

/// False for other tokens, another page, or while something is dragged or plays: then the end is shown at
/// once.
bool PageArea::may_move(const Session& session) const {
  const scene::Scene& scene = session.scene();
  const scene::Results& results = session.results();
  return seen_ && !scene.reduced_motion && !press_ && running_ < 0 && scene.page == seen_->scene.page &&
         scene.sentence == seen_->scene.sentence && results.scene.sentence == seen_->sentence &&
         results.attention.T == seen_->tokens && results.attention.S == seen_->keys;
}

void PageArea::follow(const Session& session, float seconds) {
  const scene::Scene& scene = session.scene();
  const scene::Results& results = session.results();
  const bool changed = !seen_ || !(seen_->scene == scene),
             computed = !seen_ || seen_->version != results.version;
  unchanged_ += seconds;
  if (changed || computed) {
    // A single change may be computed a little later.
    const bool alone = unchanged_ >= stream_seconds || (!changed && awaited_);
    const bool moves = alone && may_move(session);
    awaited_ = moves && !computed;
    moved_ = moves ? first_part : 1;
    motion_ = at_rest_;
    unchanged_ = 0, row_kept_ = false;
    seen_ = Seen{scene, results.scene.sentence, results.version, results.attention.T, results.attention.S};
  } else {
    moved_ = std::min(1.f, moved_ + std::min(seconds, 0.05f) / motion_seconds);
  }
  const float left = 1 - moved_;
  motion_.part = 1 - left * left * left;
  if (moved_ >= 1) opened_from_ = {};
}

/// Called once for each picture at rest; only beams need it.
void PageArea::keep_row(const views::PageInput& in) {
  row_kept_ = true;
  at_rest_ = {};
  if (in.scene.attention.view != scene::AttentionView::ribbons ||
      !scene::room_of(in.scene.page).uses(in.scene).large_map)
    return;
  const views::Selection selection = views::select(in);
  at_rest_.query = selection.detail_query;
  if (selection.detail_query < 0) return;
  std::vector<float> room;
  const std::span<const float> row = views::combined_row(in, selection, selection.detail_query, room);
  at_rest_.row.assign(row.begin(), row.end());
}

/// Draws the motion from the clicked cell of the map to the card with its arithmetic.
void PageArea::opened_cell_rises(draw::Canvas& canvas, const draw::PickCanvas& pick,
                                 const draw::Theme& theme) const {
  const auto card = std::find_if(pick.panels().begin(), pick.panels().end(),
                                 [](const auto& panel) { return panel.name == "cell"; });
  if (opened_from_.w <= 0 || card == pick.panels().end()) return;
  const auto between = [part = motion_.part](float a, float b) { return a + (b - a) * part; };
  const draw::Box &from = opened_from_, &to = card->box;
  canvas.frame({between(from.x, to.x), between(from.y, to.y), between(from.w, to.w), between(from.h, to.h)},
               {draw::faded(theme.text, 0.9f * (1 - motion_.part) + 0.1f), 2},
               between(2, views::card_radius));
}

bool PageArea::run(Session& session, float seconds) {
  const scene::Scene& scene = session.scene();
  if (!scene.positions.play || !scene::room_of(scene.page).uses(scene).plays) {
    running_ = -1;
    return false;
  }
  // Nothing moves behind a card, such as that of an export.
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return false;
  if (running_ < 0 || static_cast<int>(running_) != scene.positions.index) running_ = scene.positions.index;
  running_ += static_cast<double>(std::min(seconds, 0.1f)) * scene.positions.play_speed;
  const double start = scene.position_offset;
  running_ = start + std::fmod(running_ - start, static_cast<double>(scene.positions.count));
  if (const int now = static_cast<int>(running_); now != scene.positions.index) {
    scene::Scene next = scene;
    next.positions.index = now;
    session.advance(std::move(next));
  }
  return true;
}

}  // namespace headlight::app
