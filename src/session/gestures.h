// The effect of a click, a drag or a key on the scene. Plain functions from one scene to the next, used by
// the window, the scripts and the tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "draw/pick_canvas.h"
#include "scene/results.h"
#include "scene/scene.h"

namespace headlight::app {

/// A click on the object under the pointer; `extend` = with Shift. Nothing: a click has no effect there.
///   head      shown alone on the large map; again = all; extended = compared with those shown
///   token     pinned as the query; again = none; extended = one more, or one fewer; so is the token of a
///   slot cell      its query is pinned and its key opened; again = only the query; extended = the query is
///   added control   makes its assignments
std::optional<scene::Scene> click(const scene::Scene& scene, const scene::Results& results,
                                  const draw::Hit& hit, bool extend);

/// A drag of an axis, a row of P or a point of a plane, now at `at` (the same units as the mark's area).
std::optional<scene::Scene> drag(const scene::Scene& scene, const draw::Mark& mark, draw::Point at);

/// Is the mark a slider, whose field becomes ten to the power of its place?
bool is_slider(const draw::Mark& mark);
/// The value `steps` steps further up or down a slider; one step is a twentieth of a decade. Nothing:
/// it has no more in that direction.
std::optional<scene::Scene> step_slider(const scene::Scene& scene, const draw::Mark& mark, int steps);
/// A double click on a slider: its field has its default.
std::optional<scene::Scene> slider_default(const scene::Scene& scene, const draw::Mark& mark);

/// Moves entry mark.query of the order in mark.set to index `to`. An order without `count` entries counts as
/// 0, 1, 2, …; `shown` replaces the default order.
std::optional<scene::Scene> reorder(const scene::Scene& scene, const draw::Mark& mark, int to, int count,
                                    const std::vector<int>& shown = {});

/// The order of the tokens that the results show; empty: their page is another one.
std::vector<int> shown_order(const scene::Results& results);

/// typed_at(): the text that can be edited at this mark; with_typed(): the scene with other words there.
/// Part::number: element (mark.query, mark.key) of the matrix "1,0;0,1" in the field mark.set; nothing when
/// `words` is not a number. Several numbers, such as a pasted matrix, replace the whole matrix. Part::text:
/// the setting mark.set; nothing when it cannot be `words`.
std::string typed_at(const scene::Scene& scene, const draw::Mark& mark);
std::optional<scene::Scene> with_typed(const scene::Scene& scene, const draw::Mark& mark,
                                       const std::string& words);

/// Is the text more than one number, as a pasted matrix is?
bool several_numbers(const std::string& words);

/// Dragging a clock's hand: the position is the previous one plus the rotation of the hand divided by the
/// clock's speed.
class HandDrag {
 public:
  HandDrag(const scene::Scene& scene, draw::Point centre, double radians_per_position, draw::Point start);
  scene::Scene move(const scene::Scene& scene, draw::Point at);

 private:
  draw::Point centre_;
  double speed_, position_, angle_;
};

enum class Arrow { left, right, up, down };

/// Arrow keys. On the Attention page the pinned cell moves by one in the picture, whichever way the queries
/// run. On the Position page left and right move the position, up and down choose the pair.
scene::Scene arrow(const scene::Scene& scene, const scene::Results& results, Arrow key);

/// Keys 1–9 show that head alone, again = all; 0 = all.
scene::Scene head_key(const scene::Scene& scene, int digit);

/// Esc: clears the opened key first, then the extra queries, then the query, then the heads.
scene::Scene release(const scene::Scene& scene);

/// The visible part of the large map after a turn of the wheel (`steps` > 0 enlarges) at `cell`, or after a
/// drag by `cells`. `whole` is the picture in cells. The empty box means that everything is visible.
draw::Box zoom(draw::Box view, draw::Box whole, draw::Point cell, float steps);
draw::Box pan(draw::Box view, draw::Box whole, draw::Point cells);
/// The view after a click on the overview at `part`, in fractions of the whole: centred there with the same
/// size or, if everything was visible, with a quarter of each side.
draw::Box view_at(draw::Box view, draw::Box whole, draw::Point part);

}  // namespace headlight::app
