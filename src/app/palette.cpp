#include "app/palette.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "pictures/pages.h"

namespace headlight::app {

namespace {

constexpr float palette_width = 640, palette_height = 374;  // units; eleven rows
constexpr const char* palette_popup = "palette";

}  // namespace

void Palette::look(const scene::Scene& scene, const Entries& more) {
  if (!std::exchange(stale_, false) && query_ == looked_for_) return;
  looked_for_ = query_;
  if (entries_.empty()) {
    entries_ = palette_entries(scene);
    const auto behind_pages = static_cast<std::ptrdiff_t>(pages().size());
    const std::vector<PaletteEntry> further = more ? more() : std::vector<PaletteEntry>();
    entries_.insert(entries_.begin() + behind_pages, further.begin(), further.end());
  }
  shown_.clear();
  auto typed = typed_setting(scene, query_);
  if (typed && !typed->problem) shown_.push_back(*typed);
  for (const PaletteEntry* entry : found(query_, entries_)) shown_.push_back(*entry);
  // A setting that cannot be changed is listed first only if nothing better was found, and not beside a word
  // of the sentence that is all that was typed: "query street" is none of its values.
  const bool meant = std::any_of(shown_.begin(), shown_.end(), [&](const PaletteEntry& entry) {
    return !entry.token.empty() && score(query_, entry) > 0;
  });
  if (typed && typed->problem && !meant)
    shown_.insert(shown_.begin() + (shown_.empty() ? 0 : 1), std::move(*typed));
  list_.select(0);
}

std::optional<PaletteEntry> Palette::frame(screen::Ui& ui, const scene::Scene& scene, const Entries& more) {
  const bool opened = std::exchange(opening_, false);
  if (opened) {
    ui.open_popup(palette_popup);
    query_.clear();
    entries_.clear();
    stale_ = true;
    ++field_;
  }
  if (!ui.begin_popup(palette_popup, nullptr, palette_width)) return std::nullopt;
  std::optional<PaletteEntry> chosen;
  ImGui::PushID(field_);
  if (ImGui::IsWindowAppearing() || !ui.focus.any()) ui.focus.take(ImGui::GetID("query"), true);
  const screen::Response typed =
      ui.text_field({.name = "query",
                     .hint = "page, setting, lesson, action, question or word; “heads 8” sets a value",
                     .height = 40,
                     .size = 16},
                    query_);
  ImGui::PopID();
  look(scene, more);
  std::vector<Choice> rows;
  for (const PaletteEntry& entry : shown_)
    rows.push_back(
        {.title = entry.title, .detail = entry.detail, .right = entry.right, .problem = entry.problem});
  // The card keeps its height when nothing is found, so that it does not jump during typing.
  constexpr float answer = 48;  // two lines and a gap, for text that the selected row cuts off
  const float height = list_room(ui, palette_height, 138 + answer);
  int taken = -1;
  if (rows.empty()) {
    ImGui::BeginChild("found", ImVec2(0, ui.px(height)), false, ImGuiWindowFlags_NoNav);
    ui.gap(8);
    ui.paragraph("no result");
    ImGui::EndChild();
  } else {
    taken = list_.frame(ui, "found", rows, height);
    if (typed.submitted && taken < 0) taken = list_.selected();
  }
  const int on = list_.selected();
  ImGui::BeginChild("answer", ImVec2(0, ui.px(answer)), false,
                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar);
  if (on >= 0 && on < static_cast<int>(shown_.size())) {
    ui.gap(8);
    ui.paragraph(shown_[static_cast<std::size_t>(on)].detail);
  }
  ImGui::EndChild();
  if (taken >= 0 && taken < static_cast<int>(shown_.size())) {
    const PaletteEntry entry = shown_[static_cast<std::size_t>(taken)];
    if (entry.problem) {  // the entry says why
    } else if (!entry.fill.empty()) {
      query_ = entry.fill;
      ++field_;
      ui.focus.clear();
    } else {
      chosen = entry;
      ui.focus.clear();
      ui.close_popup();
    }
  }
  ui.end_popup();
  return chosen;
}

}  // namespace headlight::app
