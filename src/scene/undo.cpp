#include "scene/undo.h"

#include <utility>

#include "scene/setting.h"

namespace headlight::scene {

namespace {

// Steps hold whole scenes; a pasted book must not fill the memory five hundred times.
constexpr std::size_t most_bytes = std::size_t(64) << 20;

void drop_oldest(std::deque<Scene>& steps, std::size_t limit) {
  std::size_t kept = 0, bytes = 0;
  while (kept < steps.size() && kept < limit) {
    bytes += steps[steps.size() - 1 - kept].sentence.size();
    if (bytes > most_bytes && kept > 0) break;
    ++kept;
  }
  steps.erase(steps.begin(), steps.end() - static_cast<std::ptrdiff_t>(kept));
}

std::optional<Scene> step(std::deque<Scene>& from, std::deque<Scene>& to, const Scene& current) {
  if (from.empty()) return std::nullopt;
  to.push_back(current);
  Scene scene = std::move(from.back());
  from.pop_back();
  return scene;
}

}  // namespace

void Undo::push(const Scene& before, const std::string& label, double now) {
  const bool continues = !label.empty() && label == label_ && now - time_ <= merge_seconds && !past_.empty();
  label_ = label;
  time_ = now;
  future_.clear();
  if (continues) return;
  past_.push_back(before);
  drop_oldest(past_, limit);
}

std::optional<Scene> Undo::undo(const Scene& current) {
  label_.clear();  // the next change starts a step of its own
  return step(past_, future_, current);
}

std::optional<Scene> Undo::redo(const Scene& current) {
  label_.clear();
  return step(future_, past_, current);
}

void keep_surroundings(Scene& scene, const Scene& current) {
  scene.page = current.page;
  scene.theme = current.theme;
  scene.ramp = current.ramp;
  scene.interface_scale = current.interface_scale;
  scene.reduced_motion = current.reduced_motion;
  scene.colour_vision = current.colour_vision;
}

std::string difference(const Scene& a, const Scene& b) {
  std::string names;
  for (const Setting& one : settings()) {
    if (!one.same(a, b)) names += (names.empty() ? "" : ",") + std::string(one.field.name);
  }
  return names;
}

}  // namespace headlight::scene
