// The list of lessons, shown instead of a page: for each lesson a picture of one of its first steps, the
// title, its subject, the minutes, and the progress.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lecture/lesson_screen.h"
#include "screen/paint.h"

namespace headlight::app {

namespace {

constexpr float margin = 16, gap = 14, least_tile = 236, most_tile = 400;
constexpr float words_high = 96, foot_high = 34;          // of a tile; units
constexpr float picture_shape = 0.56f, flattest = 0.46f;  // height of its picture, in its widths
constexpr float uncut = float(ScenePictures::height) / float(ScenePictures::width);
constexpr float about_size = 12;
constexpr float edit_wide = 54, edit_high = 26;

/// Breaks at a blank, so that the first line has as many words as fit; the second line may be too long.
std::pair<std::string, std::string> two_lines(const screen::Ui& ui, const std::string& words, float room) {
  std::size_t end = words.size();
  while (end != std::string::npos &&
         ui.text.width(words.substr(0, end), draw::Font::sans, ui.px(about_size)) > room)
    end = end == 0 ? std::string::npos : words.rfind(' ', end - 1);
  if (end == std::string::npos || end == words.size()) return {words, {}};
  return {words.substr(0, end), words.substr(end + 1)};
}

/// The number of tiles side by side, and their width in pixels: the widest at which all tiles are visible; if
/// there is none, the narrowest.
std::pair<int, float> tiles_in(const screen::Ui& ui, float wide, float room, std::size_t count) {
  const float between = ui.px(gap);
  const auto width = [&](int columns) {
    const float all = wide - between * static_cast<float>(columns - 1);
    return std::min(ui.px(most_tile), std::floor(all / static_cast<float>(columns)));
  };
  const int most = std::max(1, static_cast<int>((wide + between) / (ui.px(least_tile) + between)));
  int best = most;
  for (int columns = most - 1; columns > 0 && width(columns) > width(best); --columns) {
    const auto rows = static_cast<float>((static_cast<int>(count) + columns - 1) / columns);
    if (rows * (width(columns) * picture_shape + ui.px(words_high) + between) > room) break;
    best = columns;
  }
  return {best, width(best)};
}

/// The height of a row of tiles and of what is between two rows, in pixels.
float row_pitch(const screen::Ui& ui, float width, float shape) {
  return std::round(width * shape) + ui.px(words_high + gap - 4) + ImGui::GetStyle().ItemSpacing.y;
}

/// The shape of the pictures at which the last row in `room` is whole, or cut where one sees that it is;
/// `picture_shape` where it is so anyway.
float shape_in(const screen::Ui& ui, float width, float room, std::size_t rows) {
  constexpr float clear_from = 0.35f, clear_to = 0.85f,
                  cut_at = 0.5f;  // visible share of the row that is cut
  const float usual = row_pitch(ui, width, picture_shape), seen = room / usual;
  const float part = seen - std::floor(seen);
  if (seen >= static_cast<float>(rows) || (part > clear_from && part < clear_to)) return picture_shape;
  float best = picture_shape, least = 1;
  for (const float wanted :
       {std::floor(seen), std::ceil(seen), std::floor(seen) + cut_at, std::floor(seen) - 1 + cut_at}) {
    if (wanted < 1) continue;
    const float shape = picture_shape + (std::floor(room / wanted) - usual) / width;
    if (shape < flattest || shape > uncut || std::abs(shape - picture_shape) >= least) continue;
    best = shape, least = std::abs(shape - picture_shape);
  }
  return best;
}

}  // namespace

void LessonScreen::list_tile(screen::Ui& ui, std::size_t index, float width, float shape, double now) {
  const LessonEntry& entry = entries_[index];
  const draw::Theme& t = ui.theme();
  const bool works = entry.problem.empty();
  // If two lessons have the same title, the file name distinguishes them.
  const bool twice = std::count_if(entries_.begin(), entries_.end(), [&](const LessonEntry& other) {
                       return other.number == 0 && other.title == entry.title;
                     }) > 1;
  const std::string own = twice ? entry.title + " · " + entry.path.filename().string() : entry.title;
  const std::string name = entry.number > 0 ? std::to_string(entry.number) + "   " + entry.title : own;
  const std::string what = entry.number > 0 ? entry.name : entry.path.string();
  const float picture = std::round(width * shape), high = picture + ui.px(words_high);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  // The line at the tile's bottom has its own button.
  const float foot = ui.px(foot_high);
  const float room = width - 2 * ui.px(12);
  const std::string& about = !works ? entry.problem : entry.missing.empty() ? entry.about : entry.missing;
  const auto [line_one, line_two] = two_lines(ui, about, room);
  // Text that does not fit is in a tooltip.
  const auto too_wide = [&](const std::string& line) {
    return ui.text.width(line, draw::Font::sans, ui.px(about_size)) > room;
  };
  const bool cut_off = too_wide(line_one) || too_wide(line_two);
  const screen::Ui::Item it =
      ui.item(name, width, high - foot, cut_off ? std::string_view(about) : std::string_view(), false, works);
  const ImVec2 end{it.to.x, it.to.y + foot};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = std::max(1.f, std::floor(ui.scale()));
  // Cuts the picture above and below to the height of the tile.
  const float cut = (1 - shape / uncut) / 2;
  if (it.visible) {
    const bool over = it.hovered || it.held;
    list.AddRectFilled(it.from, end, screen::packed(over ? t.field_hover : t.panel), ui.px(10));
    if (index < step_pictures_.size() && step_pictures_[index]) {
      if (const ImTextureID texture = pictures_.texture(*step_pictures_[index]))
        list.AddImageRounded(texture, it.from, {it.to.x, it.from.y + picture}, {0, cut}, {1, 1 - cut},
                             IM_COL32_WHITE, ui.px(10), ImDrawFlags_RoundCornersTop);
    }
    const float middle = (it.from.x + it.to.x) / 2;
    if (works && !entry.missing.empty())
      ui.words(middle, it.from.y + picture / 2, "Model not found", draw::Font::semibold, 16, t.dim,
               draw::Align::centre);
    else if (entry.covered && works)
      ui.words(middle, it.from.y + picture / 2, "?", draw::Font::semibold, 44, t.dim, draw::Align::centre);
    list.AddLine({it.from.x, it.from.y + picture}, {it.to.x, it.from.y + picture}, screen::packed(t.border),
                 line);
    list.AddRect(it.from, end, screen::packed(t.border), ui.px(10), 0, line);
  }
  const float left = it.from.x + ui.px(12), right = it.to.x - ui.px(12);
  const float top = it.from.y + picture;
  const std::string title = entry.number > 0 ? std::to_string(entry.number) + " · " + entry.title : own;
  ui.words(left, top + ui.px(16), ui.text.fit(title, draw::Font::semibold, ui.px(14), room),
           draw::Font::semibold, 14, works ? t.text : t.dim);
  const draw::Color about_color = works && entry.missing.empty() ? t.dim : t.bad;
  ui.words(left, top + ui.px(36), ui.text.fit(line_one, draw::Font::sans, ui.px(about_size), room),
           draw::Font::sans, about_size, about_color);
  ui.words(left, top + ui.px(53), ui.text.fit(line_two, draw::Font::sans, ui.px(about_size), room),
           draw::Font::sans, about_size, about_color);
  if (works) {
    const auto reached = progress_.find(progress_name(entry));
    const int at = reached == progress_.end() ? 0 : std::min(reached->second, entry.steps);
    const bool whole = at >= entry.steps && at > 0;
    const std::string reported =
        std::to_string(entry.minutes) + " min · " +
        (whole    ? "finished"
         : at > 0 ? "step " + std::to_string(at) + " of " + std::to_string(entry.steps)
                  : std::to_string(entry.steps) + (entry.steps == 1 ? " step" : " steps"));
    ui.words(left, top + ui.px(75), reported, draw::Font::sans, 12, whole ? t.text : t.dim);
    const float bar_right = right - ui.px(edit_wide + 10);
    const float bar_left =
        left + std::max(ui.px(116), ui.text.width(reported, draw::Font::sans, ui.px(12)) + ui.px(10));
    const ImVec2 bar{std::round(bar_left), std::round(top + ui.px(74))};
    if (bar_right > bar_left) {
      list.AddRectFilled(bar, {bar_right, bar.y + ui.px(3)}, screen::packed(t.faint), ui.px(1.5f));
      const float part = static_cast<float>(at) / static_cast<float>(std::max(1, entry.steps));
      if (at > 0)
        list.AddRectFilled(bar, {bar.x + (bar_right - bar.x) * part, bar.y + ui.px(3)},
                           screen::packed(t.accent), ui.px(1.5f));
    }
  }
  ui.focus_ring(it, ui.px(10));
  ImGui::SetCursorScreenPos({right - ui.px(edit_wide - 6), top + ui.px(62)});
  const bool edits =
      works && ui.button({.label = entry.number > 0 ? "Copy" : "Edit",
                          .help = entry.number > 0 ? "a copy that you can edit" : "steps, words, questions",
                          .name = "edit " + entry.name,
                          .quiet = true,
                          .width = edit_wide,
                          .height = edit_high});
  ImGui::SetCursorScreenPos(corner);
  ImGui::Dummy({width, high});
  if (edits) return write_from_list(what, now);
  if (!it.pressed || !works) return;
  // Continues where the lesson was left; a finished lesson begins again.
  const auto reached = progress_.find(progress_name(entry));
  const bool resumes = reached != progress_.end() && reached->second < entry.steps;
  open(what, now);
  from_list_ = player_.open();
  if (resumes && player_.open()) player_.go(reached->second - 1, now);
}

void LessonScreen::back_to_left_page(double now) {
  if (!left_page_) return;
  scene::Scene next = session_.scene();
  next.page = *std::exchange(left_page_, std::nullopt);
  session_.change(std::move(next), "", now);
}

void LessonScreen::back_to_list(double now) {
  list_after_writing_ = false;
  scene::Scene next = session_.scene();
  open_list_ = true;
  if (next.page == list_page_) return;
  left_page_ = next.page;
  next.page = list_page_;
  session_.change(std::move(next), "", now);
}

void LessonScreen::write_from_list(const std::string& what, double now) {
  write(what, 0, now);
  list_after_writing_ = editor_.open();
}

void LessonScreen::list(screen::Ui& ui, draw::Box pixels, double now) {
  // The pictures have the current theme.
  const scene::Scene& look = session_.scene();
  if (step_pictures_.size() != entries_.size() || theme_of_list_ != look.theme ||
      ramp_of_list_ != look.ramp) {
    theme_of_list_ = look.theme, ramp_of_list_ = look.ramp;
    step_pictures_.clear();
    for (const LessonEntry& entry : entries_) {
      scene::Scene shown = entry.shown;
      shown.theme = look.theme, shown.ramp = look.ramp;
      const bool has_picture = entry.problem.empty() && entry.missing.empty() && !entry.covered;
      step_pictures_.push_back(has_picture ? pictures_.ask(shown, false, entry.card) : nullptr);
    }
  }
  if (!ui.begin_panel("lessons", pixels, ui.theme().window, 0, false)) return ui.end_panel();
  const float left = pixels.x + ui.px(margin), wide = pixels.w - 2 * ui.px(margin);
  const float title = pixels.y + ui.px(26);
  const char* question = "What do you want to understand?";
  constexpr float question_size = 22, buttons = 330;
  float question_width = ui.text.width(question, draw::Font::semibold, ui.px(question_size));
  if (question_width > wide - ui.px(buttons)) {
    question = "Lessons";
    question_width = ui.text.width(question, draw::Font::semibold, ui.px(question_size));
  }
  ui.words(left, title, question, draw::Font::semibold, question_size, ui.theme().text);
  float right = left + wide;
  const auto button = [&](const char* label, const char* name, const char* help, float width) {
    right -= ui.px(width);
    ImGui::SetCursorScreenPos({right, title - ui.px(16)});
    right -= ui.px(8);
    return ui.button({.label = label, .help = help, .name = name, .width = width, .height = 32}).changed;
  };
  const bool fresh = button("New lesson", "new lesson", "starts with the current page", 104);
  const bool add = button("Add this view to a lesson…", "add view", "the current view becomes a step", 196);
  const bool again =
      show_first_start && right - left > question_width + ui.px(260) &&
      button("First start: one sentence, one beam", "", "what the program shows at its first start", 244);
  const float top = title + ui.px(26);
  ImGui::SetCursorScreenPos({left, top});
  ImGui::BeginChild("entries", {pixels.right() - left, pixels.bottom() - top}, false, ImGuiWindowFlags_NoNav);
  if (std::exchange(list_appears_, false)) ImGui::SetScrollY(0);
  const float between = ui.px(gap);
  const auto [columns, tile] = tiles_in(ui, wide, pixels.bottom() - top, entries_.size());
  const std::size_t count = entries_.size();
  const std::size_t rows =
      (count + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
  const float shape = shape_in(ui, tile, pixels.bottom() - top, rows);
  const bool two_kinds = std::any_of(entries_.begin(), entries_.end(),
                                     [](const LessonEntry& entry) { return entry.number == 0; });
  // The user's own lessons come first: they are few, and are being worked on.
  for (const bool own : {true, false}) {
    int column = 0;
    bool titled = !two_kinds;
    for (std::size_t i = 0; i < count && i < entries_.size(); ++i) {
      if ((entries_[i].number == 0) != own) continue;
      if (!std::exchange(titled, true))
        ui.label(own ? "My lessons" : "Included lessons", 14, draw::Font::semibold);
      if (column > 0) ImGui::SameLine(0, between);
      list_tile(ui, i, tile, shape, now);
      if (++column == columns) column = 0, ui.gap(gap - 4);
    }
    if (column > 0) ui.gap(gap - 4);
  }
  ImGui::EndChild();
  if (again) show_first_start();
  if (fresh || add) back_to_left_page(now);
  if (fresh) write_from_list("", now);
  if (add) open_add_ = true;
  ui.end_panel();
}

}  // namespace headlight::app
