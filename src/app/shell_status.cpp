// The status line: what is open and how large it is at the left, messages or pins at the right. At the right
// of the tabs of the page, messages and pins come first, and the rest is shown where it fits.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/shell.h"
#include "base/numbers.h"
#include "base/words.h"
#include "kit/plain_text.h"
#include "pages/opened_attention.h"
#include "pictures/pages.h"
#include "screen/paint.h"
#include "ui/fitting_words.h"

namespace headlight::app {

namespace {

std::string milliseconds(double ms) {
  return base::ms_words(ms) + " ms";
}

/// "d = 32 · h = 4 · d_k = 8"; for a model of another program also the shown layer.
std::string size_words(const scene::Results& results, const scene::PageUses& uses) {
  const scene::OpenedLayer* opened = results.opened.get();
  if (opened && opened->saved) {
    std::string out = "h = " + std::to_string(results.attention.heads);
    if (results.attention.d_k > 0) out += " · d_k = " + std::to_string(results.attention.d_k);
    out += " · layer " + std::to_string(opened->layer + 1) + " of " + std::to_string(opened->layers);
    return opened->sequences > 1 ? out + " · sequence " + std::to_string(opened->sequence) + " of " +
                                       std::to_string(opened->sequences)
                                 : out;
  }
  const int d = opened ? opened->width : results.scene.d_model;
  std::string width = "d = " + std::to_string(d);
  // The input of a layer may be narrower than its output.
  if (const int narrow = results.x.cols(); opened && narrow > 0 && narrow != d)
    width = "d = " + std::to_string(narrow) + " → " + std::to_string(d);
  if (uses.head_width > 0) return width + " · d_k = " + std::to_string(uses.head_width);
  const int heads = opened ? results.attention.heads : results.scene.heads;
  std::string out = width + " · h = " + std::to_string(heads);
  if (opened && opened->kv_heads < heads) out += " on " + std::to_string(opened->kv_heads) + " K/V heads";
  out += " · d_k = " + std::to_string(opened ? results.attention.d_k : d / heads);
  if (opened)
    out += " · layer " + std::to_string(opened->layer + 1) + " of " + std::to_string(opened->layers);
  return out;
}

constexpr double computes_unseen = 0.3;  // seconds: shorter computations are not mentioned
constexpr float work_gap = 4, work_padding = 6;

std::string_view work_act(const Session& session) {
  return session.stopped() && session.loading().empty() ? "Compute" : "Stop";
}

}  // namespace

/// The text about the model that is being loaded or the background computation; empty: none that takes long
/// enough to mention.
std::string Shell::work_words() {
  const std::string loading = session_.loading();
  if (session_.busy() < 0 && loading.empty()) {
    busy_since_ = -1;
    return session_.stopped() ? "stopped: the last picture is shown" : std::string();
  }
  if (busy_since_ < 0) busy_since_ = now_;
  if (now_ < busy_since_ + computes_unseen) return {};
  if (!loading.empty()) return loading;
  return "computing " + std::to_string(static_cast<int>(std::lround(session_.busy() * 100))) + " %";
}

/// The width in pixels of this text with the button that stops the work, or starts it again.
float Shell::work_width(std::string_view words) const {
  const auto wide = [this](std::string_view what, draw::Font font) {
    return ui_.text.width(what, font, ui_.px(12));
  };
  // The items beside it do not move while the number changes.
  return std::max(wide(words, draw::Font::sans), wide("computing 88 %", draw::Font::sans)) +
         ui_.px(work_gap) + wide(work_act(session_), draw::Font::semibold) + ui_.px(2 * work_padding);
}

/// Draws both, right-aligned at `right`.
void Shell::work(std::string_view words, float right, draw::Box line) {
  const bool loading = !session_.loading().empty(), stopped = session_.stopped() && !loading;
  const std::string_view act = work_act(session_);
  const float width = ui_.text.width(act, draw::Font::semibold, ui_.px(12)) + ui_.px(2 * work_padding);
  ui_.words(right - work_width(words), line.centre().y, words, draw::Font::sans, 12, theme().text);
  ImGui::SetCursorScreenPos(ImVec2(right - width, line.y));
  const screen::Ui::Item item =
      ui_.item(loading   ? "stop loading"
               : stopped ? "compute again"
                         : "stop computing",
               width, line.h,
               loading   ? "stop loading this file; the picture stays as it is (Ctrl + .)"
               : stopped ? "compute what the settings ask for (Ctrl + .)"
                         : "keep the last picture; the settings stay as they are (Ctrl + .)");
  if (item.hovered)
    ImGui::GetWindowDrawList()->AddRectFilled(item.from, item.to, screen::packed(theme().faint), ui_.px(4));
  ui_.focus_ring(item, ui_.px(4));
  ui_.words(right - width / 2, line.centre().y, act, draw::Font::semibold, 12, theme().accent,
            draw::Align::centre);
  if (item.pressed) stop_or_compute(now_);
}

/// Shows messages at the bottom of the page in a small window, which has no status line. False: there is
/// none.
bool Shell::toast(draw::Box page, bool with_work) {
  std::string words = maps_.shader_log();
  if (words.empty()) words = session_.message();
  // The note above says the same for longer.
  if (const auto& ended = export_.ended();
      ended && !ended->path.empty() && words.find(ended->path) != std::string::npos)
    words.clear();
  const std::string working =
      with_work ? work_words() : std::string();  // a user who waits long must be able to stop it
  const bool works =
      !working.empty() && (words.empty() || session_.busy() >= 0 || !session_.loading().empty());
  if (works) words = working;
  if (words.empty()) return false;
  if (const auto line = words.find('\n'); line != std::string::npos) words.resize(line);
  constexpr float padding = 12, line = 15;
  const float room = page.w - ui_.px(2 * (toast_margin + padding));
  const auto wide = [&](const std::string& text) {
    return ui_.text.width(text, draw::Font::sans, ui_.px(12));
  };
  // What is too long for one line has a second one, in nearly the same box.
  std::string below;
  if (!works && wide(words) > room) {
    std::size_t blank = words.rfind(' ');
    while (blank != std::string::npos && blank > 0 && wide(words.substr(0, blank)) > room)
      blank = words.rfind(' ', blank - 1);
    if (blank != std::string::npos && blank > 0) {
      below = ui_.text.fit(words.substr(blank + 1), draw::Font::sans, ui_.px(12), room);
      words.resize(blank);
    }
  }
  words = ui_.text.fit(words, draw::Font::sans, ui_.px(12), room);
  const float width = (works ? work_width(words) : std::max(wide(words), wide(below))) + ui_.px(2 * padding);
  const float height = toast_height + (below.empty() ? 0 : 4);
  const draw::Box box{std::round(page.centre().x - width / 2),
                      std::round(page.bottom() - ui_.px(toast_margin + toast_height)), std::ceil(width),
                      std::round(ui_.px(height))};
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui_.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.f, std::floor(ui_.scale())));
  if (ui_.begin_panel("toast", box, theme().field, 0, false)) {
    if (works) {
      const float edge = ui_.px(4);
      work(words, box.right() - ui_.px(padding / 2), {box.x, box.y + edge, box.w, box.h - 2 * edge});
    } else {
      const float apart = below.empty() ? 0 : ui_.px(line / 2);
      ui_.words(box.x + ui_.px(padding), box.centre().y - apart, words, draw::Font::sans, 12, theme().text);
      if (!below.empty())
        ui_.words(box.x + ui_.px(padding), box.centre().y + apart, below, draw::Font::sans, 12, theme().text);
    }
  }
  ui_.end_panel();
  ImGui::PopStyleVar(2);
  return true;
}

bool Shell::status_bar(draw::Box pixels, bool beside_tabs) {
  bool whole_message = true;
  if (ui_.begin_panel("status", pixels, theme().window, 0, false)) {
    Session& shown = lessons_.player().playing() ? session_ : desk_.compare().side(session_);
    const scene::Results& results = shown.results();
    const float middle = pixels.y + pixels.h / 2, size = 12;
    float x = pixels.x + ui_.px(beside_tabs ? 20 : 16), right = pixels.right() - ui_.px(16);
    if (std::string words = work_words(); !words.empty()) {
      words = ui_.text.fit(words, draw::Font::sans, ui_.px(size), (right - x) / 2);
      work(words, right, pixels);
      right -= work_width(words) + ui_.px(20);
    }
    // At the right: errors, messages, else the pins. It gets its room before the left part.
    std::string stated = maps_.shader_log();
    draw::Color message_color = theme().bad;
    if (stated.empty()) stated = session_.message(), message_color = theme().text;
    const bool message = !stated.empty();
    if (stated.empty() && !lessons_.listing())
      stated = page_.status(shown, theme()), message_color = theme().dim;
    if (const auto line = stated.find('\n'); line != std::string::npos) stated.resize(line);
    const float whole = right - x;
    // A page without a sentence has almost nothing to show at the left.
    const scene::PageUses uses = page_info(shown.scene().page).room.uses(shown.scene());
    const float most = beside_tabs ? 1.f : !uses.sentence || uses.letters ? 0.85f : message ? 0.75f : 0.6f;
    const auto wide = [&](const std::string& words) {
      return ui_.text.width(words, draw::Font::sans, ui_.px(size));
    };
    whole_message = !message || wide(stated) <= whole * most;
    if (beside_tabs && !message) stated = first_parts(stated, whole, wide);
    if (std::string cut = whole_words(stated, whole * most, wide); !cut.empty() || !message)
      stated = std::move(cut);
    else  // a single long word, such as a path
      stated = ui_.text.fit(stated, draw::Font::sans, ui_.px(size), whole * most);
    const float message_width = ui_.text.width(stated, draw::Font::sans, ui_.px(size));
    const float end = right - (message_width > 0 ? message_width + ui_.px(20) : 0);
    if (message)  // it may quote typed or opened text
      ui_.words(right - message_width, middle, stated, draw::Font::sans, size, message_color);
    else
      ui_.mathematics(right, middle, stated, draw::Font::sans, size, message_color, draw::Align::right);
    // Drops last parts if there is no room for all of them; only the first part is cut.
    const float begin = x;
    const auto whole_parts = [&](std::string words, float room) {
      while (ui_.text.width(words, draw::Font::sans, ui_.px(size)) > room) {
        const std::size_t part = last_part(words);
        if (part == std::string::npos) {
          if (x > begin || beside_tabs) return std::string();
          const std::string cut = whole_words(words, room, wide);
          return cut.empty() ? ui_.text.fit(words, draw::Font::sans, ui_.px(size), room) : cut;
        }
        words.resize(part);
      }
      return words;
    };
    const auto fits = [&](const std::string& sentence) {  // half a sentence has another meaning
      return ui_.text.width(sentence, draw::Font::sans, ui_.px(size)) <= end - x;
    };
    bool full = false;
    // `widest`: the following items do not move while the words change. `typeset`: the words are the
    // program's; the name of a file stays as it is.
    auto item = [&](const std::string& all, draw::Color color, std::string_view widest = {},
                    bool typeset = false) {
      if (all.empty() || full || end - x < ui_.px(48)) return;
      const std::string words = whole_parts(all, end - x);
      full = words.empty() && beside_tabs;  // what comes after it is less important
      if (words.empty()) return;
      if (typeset)
        ui_.mathematics(x, middle, words, draw::Font::sans, size, color);
      else
        ui_.words(x, middle, words, draw::Font::sans, size, color);
      x += std::max(typeset ? ui_.typeset_width(words, draw::Font::sans, ui_.px(size))
                            : ui_.text.width(words, draw::Font::sans, ui_.px(size)),
                    ui_.text.width(widest, draw::Font::sans, ui_.px(size))) +
           ui_.px(20);
    };
    const int T = results.attention.T;
    std::string tokens = "T = " + std::to_string(T) + (T == 1 ? " token" : " tokens");
    if (results.tokens_in_sentence > static_cast<std::size_t>(T)) {
      tokens += " (the first of " + std::to_string(results.tokens_in_sentence) + ")";
    }
    if (!results.key_tokens.empty())
      tokens = "T = " + std::to_string(T) + " queries, S = " + std::to_string(results.attention.S) + " keys";
    const auto not_finite = [&] {
      if (results.nonfinite > 0)
        item(base::counted(results.nonfinite, "value is", "values are") + " not finite", draw::nan_color);
    };
    if (beside_tabs) not_finite();
    if (const std::filesystem::path& file = desk_.document().path(); !file.empty())
      item(file.filename().string() + (desk_.document().changed() ? ", not saved" : ""), theme().dim);
    // While the first picture of a model is computed, nothing is known of it.
    const bool nothing_yet = T == 0 && session_.busy() >= 0;
    const bool reads = uses.sentence && !uses.letters && !nothing_yet;
    if (reads) {
      item(tokens, theme().dim);
      item(size_words(results, uses), theme().dim, {}, true);
    }
    // A model that cannot be used is not an open model: the panel says why.
    if (reads && !results.weights_problem.empty()) {
      item("model not used, " + results.weights_source, theme().text);
    } else if (reads) {
      item(results.weights_source, theme().dim);
    }
    if (!still) {
      const bool passed = !results.opened || !results.opened->saved;
      if (reads && passed)
        item("forward " + milliseconds(results.forward_ms), theme().dim, "forward 88.88 ms");
      // The weights are used in place, from the mapped file.
      if (reads && passed && results.opened)
        item(base::byte_words(scene::opened_bytes(results)) + " in memory", theme().dim);
      if (reads)
        item("frame " + milliseconds(static_cast<double>(shown_frame_ms_)), theme().dim, "frame 88.88 ms");
    }
    if (reads && !page_info(session_.scene().page).view.tells_model) {
      for (const std::string& remark : results.remarks)
        if (remark != results.instead && fits(remark))
          item(remark, theme().dim);  // which the page itself shows
    }
    if (!beside_tabs) not_finite();
  }
  ui_.end_panel();
  return whole_message || !beside_tabs;
}

}  // namespace headlight::app
