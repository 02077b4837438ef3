#include "app/kept_window.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>

#include "io/files.h"
#include "pages/page.h"

namespace headlight::app {

namespace {

constexpr int smallest = 200, largest = 16384;
constexpr std::size_t largest_file = std::size_t{1} << 20;
constexpr float most_scroll = 1e6f;         // units
constexpr std::size_t longest_guess = 400;  // in bytes
constexpr const char* file_name = "window.txt";
constexpr const char *lessons_word = "lessons", *open_word = "settings-open",
                     *closed_word = "settings-closed", *shown_word = "settings-shown",
                     *hidden_word = "settings-hidden";
constexpr const char *tab_line = "tab", *map_line = "map", *lesson_line = "lesson", *page_line = "page",
                     *answer_line = "answer-of", *old_answer_line = "answer", *scroll_line = "scroll",
                     *export_line = "export";

bool has_a_size(const KeptWindow& window) {
  return window.width >= smallest && window.height >= smallest && window.width <= largest &&
         window.height <= largest;
}

std::string one_line(std::istream& words) {
  std::string rest;
  std::getline(words >> std::ws, rest);
  return rest;
}

std::optional<scene::Page> read_page(std::istream& words) {
  std::string page;
  words >> page;
  const auto& pages = scene::Words<scene::Page>::list;
  const auto found = std::find(std::begin(pages), std::end(pages), page);
  if (found == std::end(pages)) return std::nullopt;
  return static_cast<scene::Page>(found - std::begin(pages));
}

/// "tab model next": the tab of the Model page that contains the card "next".
void read_tab(std::istream& words, KeptView& view) {
  const auto page = read_page(words);
  const std::string card = one_line(words);
  if (page && !card.empty()) view.tabs[*page] = card;
}

/// "map X Y WIDTH HEIGHT QUERIES KEYS TURNED", the part in cells.
void read_map(std::istream& words, KeptView& view) {
  constexpr float rounding = 0.01f;
  draw::Box map;
  int queries = 0, keys = 0, turned = 0;
  if (!(words >> map.x >> map.y >> map.w >> map.h >> queries >> keys >> turned)) return;
  const auto columns = static_cast<float>(turned != 0 ? queries : keys),
             rows = static_cast<float>(turned != 0 ? keys : queries);
  const bool within = map.x >= 0 && map.y >= 0 && map.w > 0 && map.h > 0 &&
                      map.right() <= columns + rounding && map.bottom() <= rows + rounding;
  if (within) view.map = map, view.queries = queries, view.keys = keys, view.turned = turned != 0;
}

/// "answer-of STEP OF REVEALED DONE CHOSEN GUESS", the step from 0, OF as answered_of(); "answer" is the same
/// without OF, as it was written before.
void read_answer(std::istream& words, bool fingerprint, std::vector<StepAnswer>& answers) {
  constexpr int most_steps = 1000;
  int step = 0, revealed = 0, done = 0, chosen = 0;
  std::uint64_t of = 0;
  words >> step;
  if (fingerprint) words >> of;
  if (!(words >> revealed >> done >> chosen) || step < 0 || step >= most_steps) return;
  if (answers.size() <= static_cast<std::size_t>(step)) answers.resize(static_cast<std::size_t>(step) + 1);
  answers[static_cast<std::size_t>(step)] = {revealed != 0, done != 0, chosen, one_line(words), of};
}

/// "export FORMAT SCALE WIDTH FRAMES FPS LIGHT TRANSPARENT FRAME TITLE SELECTION HINTS SQUARE", each by its
/// place among the choices of the card.
void read_export(std::istream& words, ExportChoices& choices) {
  ExportChoices read;
  draw::FigureParts& parts = read.parts;
  if (words >> read.format >> read.scale >> read.width >> read.frames >> read.fps >> read.light >>
      read.transparent >> parts.frame >> parts.title >> parts.selection >> parts.hints >> parts.square)
    choices = read;
}

void write_export(std::ostream& lines, const ExportChoices& choices) {
  if (choices == ExportChoices{}) return;
  const draw::FigureParts& parts = choices.parts;
  lines << export_line;
  for (const int one : {choices.format, choices.scale, choices.width, choices.frames, choices.fps,
                        int{choices.light}, int{choices.transparent}, int{parts.frame}, int{parts.title},
                        int{parts.selection}, int{parts.hints}, int{parts.square}})
    lines << ' ' << one;
  lines << '\n';
}

/// A guess of one line; a longer one is cut at the end of a character.
std::string kept_guess(std::string guess) {
  std::replace_if(
      guess.begin(), guess.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (guess.size() <= longest_guess) return guess;
  std::size_t end = longest_guess;
  while (end > 0 && (static_cast<unsigned char>(guess[end]) & 0xC0) == 0x80) --end;
  return guess.substr(0, end);
}

void write_answers(std::ostream& lines, const std::vector<StepAnswer>& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const StepAnswer& one = answers[i];
    if (one == StepAnswer{.of = one.of}) continue;
    lines << answer_line << ' ' << i << ' ' << one.of << ' ' << one.revealed << ' ' << one.done << ' '
          << one.chosen << ' ' << kept_guess(one.guess) << '\n';
  }
}

std::string lines_of(const KeptWindow& window) {
  std::ostringstream lines;
  if (!window.lesson.empty() && window.lesson.find('\n') == std::string::npos) {
    lines << lesson_line << ' ' << window.step << ' ' << window.lesson << '\n';
    write_answers(lines, window.answers);
  }
  write_export(lines, window.exported);
  for (const scene::Page page : window.pages) lines << page_line << ' ' << scene::word(page) << '\n';
  for (const auto& [page, card] : window.view.tabs)
    lines << tab_line << ' ' << scene::word(page) << ' ' << card << '\n';
  const KeptView& view = window.view;
  lines.precision(9);
  if (view.scroll > 0) lines << scroll_line << ' ' << view.scroll << '\n';
  if (view.map.w > 0)
    lines << map_line << ' ' << view.map.x << ' ' << view.map.y << ' ' << view.map.w << ' ' << view.map.h
          << ' ' << view.queries << ' ' << view.keys << ' ' << (view.turned ? 1 : 0) << '\n';
  return lines.str();
}

}  // namespace

std::optional<KeptWindow> kept_window(const std::filesystem::path& folder) {
  if (folder.empty()) return std::nullopt;
  const auto text = io::read_file(folder / file_name, largest_file);
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  std::string line;
  std::getline(lines, line);
  std::istringstream words(line);
  KeptWindow window;
  if (!(words >> window.width >> window.height) || !has_a_size(window)) return std::nullopt;
  for (std::string shows; words >> shows;) {
    if (shows == lessons_word) window.lessons = true;
    if (shows == open_word || shows == closed_word) window.settings = shows == open_word;
    if (shows == shown_word || shows == hidden_word) window.by_hand = shows == shown_word;
  }
  while (std::getline(lines, line)) {
    std::istringstream more(line);
    std::string what;
    more >> what;
    if (what == page_line && window.pages.size() < std::size_t{scene::page_groups}) {
      if (const auto page = read_page(more)) window.pages.push_back(*page);
    }
    if (what == tab_line) read_tab(more, window.view);
    if (what == map_line) read_map(more, window.view);
    if (float scroll = 0; what == scroll_line && more >> scroll && scroll > 0 && scroll < most_scroll)
      window.view.scroll = scroll;
    if (what == lesson_line && more >> window.step) window.lesson = one_line(more);
    if (what == export_line) read_export(more, window.exported);
    if (what == answer_line || what == old_answer_line)
      read_answer(more, what == answer_line, window.answers);
  }
  return window;
}

void keep_window(const std::filesystem::path& folder, KeptWindow window) {
  if (folder.empty()) return;
  if (!has_a_size(window)) {
    const KeptWindow before = kept_window(folder).value_or(KeptWindow{});
    window.width = before.width, window.height = before.height;
  }
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::string text = std::to_string(window.width) + " " + std::to_string(window.height);
  if (window.lessons) text += std::string(" ") + lessons_word;
  if (window.settings) text += std::string(" ") + (*window.settings ? open_word : closed_word);
  if (window.by_hand) text += std::string(" ") + (*window.by_hand ? shown_word : hidden_word);
  (void)io::write_file(folder / file_name, text + "\n" + lines_of(window));
}

}  // namespace headlight::app
