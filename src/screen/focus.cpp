#include "screen/focus.h"

#include <algorithm>

namespace headlight::screen {

void Focus::begin() {
  order_.clear();
  layer_ = 0;
  taken_ = false;
  uses_arrows_ = false;
}

bool Focus::add(ImGuiID id, bool uses_arrows) {
  order_.push_back({id, layer_});
  if (!has(id)) return false;
  uses_arrows_ = uses_arrows;
  return true;
}

void Focus::take(ImGuiID id, bool by_keyboard) {
  current_ = id;
  by_keyboard_ = by_keyboard;
  taken_ = true;
}

bool Focus::arrived(ImGuiID id) {
  if (arrived_ != id || id == 0) return false;
  arrived_ = 0;
  return true;
}

bool Focus::sound() const {
  return layer_ == 0 && (current_ == 0 || std::any_of(order_.begin(), order_.end(), [this](const Entry& one) {
                           return one.id == current_;
                         }));
}

void Focus::end(int steps, bool clicked) {
  if (clicked && !taken_) clear();
  int top = 0;
  for (const Entry& entry : order_) top = std::max(top, entry.layer);
  std::erase_if(order_, [top](const Entry& entry) { return entry.layer < top; });
  auto at =
      std::find_if(order_.begin(), order_.end(), [this](const Entry& entry) { return entry.id == current_; });
  if (at == order_.end()) clear();  // it no longer exists
  if (steps == 0 || order_.empty()) return;
  const int count = static_cast<int>(order_.size());
  const int from = at == order_.end() ? (steps > 0 ? -1 : count) : static_cast<int>(at - order_.begin());
  const int to = ((from + steps) % count + count) % count;
  current_ = arrived_ = order_[static_cast<std::size_t>(to)].id;
  by_keyboard_ = true;
}

}  // namespace headlight::screen
