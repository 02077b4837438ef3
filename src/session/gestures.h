// What a click, a drag or a key does to the scene. Plain functions from one scene to the next: the window,
// the scripts and the tests all act through them.
#pragma once

#include <optional>
#include <string>

#include "draw/pick_canvas.h"
#include "scene/results.h"
#include "scene/scene.h"

namespace headlight::app {

/// A click on what lies under the pointer; `extend` = with Shift. Nothing = the click means nothing there.
///   head      alone on the large map; again = all; extended = compared with those shown
///   token     asked; again = none; extended = one more, or one fewer
///   cell      its query is asked and its key opened; again = only the query; extended = the query joins
///   control   its assignments
std::optional<scene::Scene> click(const scene::Scene& scene, const scene::Results& results,
                                  const draw::Hit& hit, bool extend);

/// A drag of an axis, a row of P or a point of a plane, now at `at` (the same units as the mark's area).
std::optional<scene::Scene> drag(const scene::Scene& scene, const draw::Mark& mark, draw::Point at);

/// Entry mark.query of the order in mark.set moves to place `to`. An order that is not of `count` entries
/// counts as 0, 1, 2, …
std::optional<scene::Scene> reorder(const scene::Scene& scene, const draw::Mark& mark, int to, int count);

/// What can be typed into at this mark, and the scene with other words there. Part::number: element
/// (mark.query, mark.key) of the matrix "1,0;0,1" in the field mark.set, nothing when `words` is no number;
/// Part::text: the setting mark.set, nothing when it cannot be `words`.
std::string typed_at(const scene::Scene& scene, const draw::Mark& mark);
std::optional<scene::Scene> with_typed(const scene::Scene& scene, const draw::Mark& mark,
                                       const std::string& words);

/// Dragging a clock's hand: the position is the one before plus the turn of the hand divided by the clock's
/// speed.
class HandDrag {
 public:
  HandDrag(const scene::Scene& scene, draw::Point centre, double radians_per_position, draw::Point start);
  scene::Scene move(const scene::Scene& scene, draw::Point at);

 private:
  draw::Point centre_;
  double speed_, position_, angle_;
};

enum class Arrow { left, right, up, down };

/// Arrow keys. Attention page: the pinned cell moves by one on the picture, whatever way the queries run.
/// Position page: left and right move the position, up and down choose the pair.
scene::Scene arrow(const scene::Scene& scene, const scene::Results& results, Arrow key);

/// Keys 1–9: that head alone, again = all; 0 = all.
scene::Scene head_key(const scene::Scene& scene, int digit);

/// Esc: the opened key is freed first, then the extra queries, then the query, then the heads.
scene::Scene release(const scene::Scene& scene);

/// The part of the large map on view after a turn of the wheel (`steps` > 0 enlarges) at `cell`, or after a
/// drag by `cells`. `whole` is the picture in cells. A view that shows everything is the empty box.
draw::Box zoom(draw::Box view, draw::Box whole, draw::Point cell, float steps);
draw::Box pan(draw::Box view, draw::Box whole, draw::Point cells);
/// After a click on the overview at `part`, fractions of the whole: the same size in the middle of it; where
/// everything was on view, a quarter of each side.
draw::Box view_at(draw::Box view, draw::Box whole, draw::Point part);

}  // namespace headlight::app
