#include "app/desk.h"

#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <system_error>

#include "app/palette_words.h"
#include "pages/page.h"
#include "pictures/describe.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "screen/paint.h"
#include "ui/scene_panel.h"

namespace headlight::app {

namespace fs = std::filesystem;

namespace {

fs::path hints_in(const fs::path& folder) {
  return folder.empty() ? fs::path() : folder / "hints.txt";
}

std::string with_slash(const fs::path& folder) {
  std::string text = folder.string();
  if (!text.empty() && text.back() != '/') text += '/';
  return text;
}

/// The folder of the open file, else the working folder.
std::string first_folder(const Document& document) {
  if (document.path().has_parent_path()) return with_slash(document.path().parent_path());
  std::error_code failed;
  return with_slash(fs::current_path(failed));
}

/// The folder in which a file to open is searched for first: without an open file, the folder of the newest
/// recent file, if it still exists.
std::string folder_to_open(const Document& document) {
  if (document.path().empty() && !document.recent().empty()) {
    std::error_code failed;
    const fs::path folder = document.recent().front().parent_path();
    if (fs::is_directory(folder, failed)) return with_slash(folder);
  }
  return first_folder(document);
}

}  // namespace

Desk::Desk(Session& session, DeskStart start)
    : session_(session),
      document_(session, start.folder, start.file),
      hints_(hints_in(start.folder)),
      tells_(!start.folder.empty()),
      compare_(start.wake) {
  session_.ask_for_file = [this](const FileQuestion& question) { ask(question); };
}

Desk::~Desk() = default;

void Desk::ask_to_open() {
  requested_ = FileCard::Purpose::open;
  files_.ask({.purpose = requested_,
              .title = "Open a scene or a model",
              .ending = ".json .zip .png .svg .pdf .safetensors .pt .bin .npz .npy",
              .begin_with = folder_to_open(document_),
              .recent = document_.recent()});
}

void Desk::ask(const FileQuestion& question) {
  const bool saves = static_cast<bool>(question.save);
  requested_ = saves ? FileCard::Purpose::save : FileCard::Purpose::drop, requested_for_ = question;
  files_.ask(
      {.purpose = saves ? FileCard::Purpose::save : FileCard::Purpose::open,
       .title = question.title,
       .ending = question.ending,
       .begin_with = question.begin_with.empty() ? folder_to_open(document_) : question.begin_with.string()});
}

void Desk::ask_to_save() {
  requested_ = FileCard::Purpose::save, requested_for_ = {};
  files_.ask({.purpose = requested_,
              .title = "Save the scene as",
              .ending = ".json .zip",
              .begin_with = document_.path().empty() || document_.borrowed
                                ? first_folder(document_) + "scene.json"
                                : document_.path().string(),
              .hint = "a .zip file also holds the model"});
}

void Desk::paste(double now) {
  const char* text = ImGui::GetClipboardText();
  const std::string words = text != nullptr ? text : "";
  if (scene::has_line(words)) {
    document_.open_line(words, now);
  } else {
    session_.warn("the clipboard contains no scene line; a scene line begins with headlight1:", now);
  }
}

bool Desk::perform(Action action, double now) {
  switch (action) {
    case Action::palette:
      palette_.open();
      return true;
    case Action::help:
      help_.open();
      return true;
    case Action::open:
      ask_to_open();
      return true;
    case Action::save:
      if (document_.path().empty() || document_.borrowed) {
        ask_to_save();
      } else {
        document_.save_as(document_.path(), now);
      }
      return true;
    case Action::save_as:
      ask_to_save();
      return true;
    case Action::copy_line: {
      const std::string line = scene::to_line(session_.scene());
      ImGui::SetClipboardText(line.c_str());
      session_.say("copied the scene as one line of " + std::to_string(line.size()) + " letters", now);
      return true;
    }
    case Action::paste_line:
      paste(now);
      return true;
    case Action::copy_report:
      ImGui::SetClipboardText(describe_session(session_, 5).c_str());
      session_.say("copied a text report of the page", now);
      return true;
    case Action::keep_before:
      compare_.keep(session_, now);
      session_.say("kept as “before”; B switches between before and after", now);
      return true;
    case Action::switch_sides:
      if (!compare_.active()) session_.say("kept as “before”; B switches between before and after", now);
      compare_.key_pressed(session_, now);
      return true;
    case Action::drop_before:
      compare_.drop();
      return true;
    case Action::write_on:
      session_.write_on(false, now);
      return true;
    case Action::write_one:
      session_.write_on(true, now);
      return true;
    case Action::stop_writing:
      session_.stop_writing();
      return true;
    case Action::hints_again:
      hints_.all_again();
      return true;
    default:
      return false;
  }
}

void Desk::draw_above(screen::Ui& ui, draw::Box pixels, double now) {
  if (!compare_.active()) return;
  if (ui.begin_panel("compare", pixels, ui.theme().panel, 0, false))
    compare_.strip(ui, pixels, session_, now);
  ui.end_panel();
}

int Desk::tokens_unknown() const {
  const scene::Scene& scene = session_.scene();
  const scene::Results& results = session_.results();
  const scene::PageUses uses = scene::room_of(scene.page).uses(scene);
  const bool shown = results.model && results.instead.empty() && uses.sentence && !uses.letters;
  if (!tells_ || !shown || unknown_kept_ == scene.weights_file) return 0;
  const auto unknown = std::count(results.known.begin(), results.known.end(), 0);
  if (compare_.shows_before(session_)) return 0;  // another sentence is on the page
  const bool many = unknown >= 2 && 3 * unknown >= std::ssize(results.known);
  return many ? static_cast<int>(unknown) : 0;
}

const std::string& Desk::font_problem() const {
  static const std::string nothing;
  const scene::Results& results = session_.results();
  if (font_.version != results.version && missing_font) {
    font_.version = results.version, font_.words.clear();
    // A tokenizer may split a character into bytes, which have texts of their own.
    if (scene::room_of(results.scene.page).uses(results.scene).sentence)
      font_.words = missing_font(results.scene.sentence);
    for (std::size_t t = 0; t < results.tokens.size() && font_.words.empty(); ++t)
      font_.words = missing_font(results.tokens[t].text);
  }
  const bool shown = tells_ && font_.words != font_.noted;
  return shown ? font_.words : nothing;
}

void Desk::draw_below(screen::Ui& ui, draw::Box pixels, double now) {
  struct Act {
    screen::Button button;
    std::function<void()> act;
  };
  std::string words;
  std::vector<Act> acts;
  if (const std::string& problem = font_problem(); !problem.empty()) {
    words = problem;
    acts = {{{.label = "Got it", .help = "do not say this again", .name = "font noted", .width = 78},
             [this] { font_.noted = font_.words; }}};
  } else if (const int unknown = tokens_unknown(); unknown > 0) {
    // A map of tokens that a model does not distinguish looks like any other.
    words = std::to_string(unknown) + " of " + std::to_string(session_.results().known.size()) +
            " tokens are <unknown> to this model.";
    acts = {{{.label = "Use the dictionary model",
              .help = "an included model that accepts any text",
              .name = "use dictionary",
              .width = 190},
             [this, now] {
               scene::Scene next = session_.scene();
               if (scene::set_field(next, "model=dictionary")) session_.change(std::move(next), "", now);
             }},
            {{.label = "Keep",
              .help = "keep this model, and do not say this again",
              .name = "keep model",
              .width = 72},
             [this] { unknown_kept_ = session_.scene().weights_file; }}};
  } else if (const char* hint = hints_.shown(session_.scene())) {
    words = hint;
    acts = {{{.label = "Got it", .help = "do not show this hint again", .name = "got it", .width = 78},
             [this] { hints_.close(session_.scene().page); }}};
  } else {
    return;
  }
  const draw::Theme& t = ui.theme();
  if (ui.begin_panel("hint", pixels, draw::mix(t.panel, t.accent, 0.1f), 0, false)) {
    constexpr float edge = 16, gap = 8;
    const float middle = pixels.centre().y;
    float left = pixels.right() - ui.px(edge - gap);
    for (const Act& one : acts) left -= ui.px(one.button.width + gap);
    ui.words(pixels.x + ui.px(edge), middle,
             ui.text.fit(words, draw::Font::sans, ui.px(13), left - ui.px(edge) - pixels.x - ui.px(edge)),
             draw::Font::sans, 13, t.text);
    for (const Act& one : acts) {
      screen::Button button = one.button;
      button.height = 24;
      ImGui::SetCursorScreenPos(ImVec2(left, middle - ui.px(12)));
      left += ui.px(button.width + gap);
      if (ui.button(button)) one.act();
    }
  }
  ui.end_panel();
}

void Desk::apply(const PaletteEntry& entry, double now) {
  if (!entry.other.empty() && chosen) return chosen(entry.other);
  if (!entry.open.empty()) return static_cast<void>(document_.open(entry.open, now));
  base::Result<scene::Scene> next = scene::with_fields(session_.scene(), entry.set);
  if (!next) return session_.warn(next.error(), now);
  session_.change(*std::move(next), "", now);
}

std::optional<Action> Desk::cards(screen::Ui& ui, double now) {
  std::optional<Action> left;
  if (const auto entry = palette_.frame(ui, session_.scene(), more_entries)) {
    if (entry->action) {
      left = entry->action;  // the shell handles actions that are not about the open file
    } else {
      place_ = answer_place(entry->title), chosen_ = !entry->set.empty();
      apply(*entry, now);
      // A setting whose control is on a card is found there again.
      const std::string_view setting = std::string_view(entry->set).substr(0, entry->set.find('='));
      if (const auto card = card_with_control(session_.scene(), setting); place_.empty() && !card.empty())
        place_ = "card " + std::string(card);
    }
  }
  if (const auto path = files_.frame(ui)) {
    if (requested_ == FileCard::Purpose::open) {
      document_.open(*path, now);
    } else if (requested_ == FileCard::Purpose::save && requested_for_.save) {
      requested_for_.save(*path);
    } else if (const std::string setting = requested_for_.setting;
               requested_ == FileCard::Purpose::drop && !setting.empty()) {
      scene::Scene next = session_.scene();
      std::error_code failed;
      const std::string whole = std::filesystem::absolute(*path, failed).string();
      if (const base::Status set = scene::set_field(next, setting + "=" + whole); !set) {
        session_.warn(set.error(), now);
      } else {
        session_.change(std::move(next), "", now);
      }
    } else if (requested_ == FileCard::Purpose::drop) {
      if (!document_.drop({path->string()}, now)) session_.warn("cannot open " + path->string(), now);
    } else {
      document_.save_as(*path, now);
    }
  }
  help_.frame(ui, session_.scene().page);
  return left;
}

}  // namespace headlight::app
