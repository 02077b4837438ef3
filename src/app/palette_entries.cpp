#include "app/palette_entries.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "app/palette_words.h"
#include "kit/card.h"
#include "models/opened_model.h"
#include "pages/controls.h"
#include "pages/page_that.h"
#include "pictures/pages.h"
#include "scene/field_values.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/field_words.h"
#include "session/token_words.h"

namespace headlight::app {

namespace {

using scene::Field;
using scene::Group;
using scene::Page;
using scene::Scene;

/// The form used for comparison: lower case, with the apostrophe of keyboards.
std::string lower(std::string_view text) {
  constexpr std::string_view curly = "’";
  std::string out;
  while (!text.empty()) {
    const bool apostrophe = text.starts_with(curly);
    out += apostrophe ? '\'' : static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    text.remove_prefix(apostrophe ? curly.size() : 1);
  }
  return out;
}

std::string spaced(std::string_view word) {
  std::string out(word);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

/// True if several settings have this label.
bool shared_label(const Field& field) {
  int count = 0;
  for (const scene::Setting& other : scene::settings())
    count += std::strcmp(other.field.label, field.label) == 0 ? 1 : 0;
  return count > 1;
}

/// The label, followed by the setting's page if another setting has the same label.
std::string title_of(const Field& field) {
  if (!shared_label(field)) return field.label;
  if (field.group == Group::model) return std::string(field.label) + " (model)";
  return field_words(field);
}

/// "order_divided=true;page=order"; without the page if it is already open.
std::string assignment(const Field& field, const std::string& value, const Scene& scene) {
  std::string set = std::string(field.name) + "=" + value;
  const Page page = page_of(field, scene);
  if (page != scene.page && std::string_view(field.name) != "page") set += std::string(";page=") + word(page);
  return set;
}

/// Why the setting cannot be changed on its page; empty: it can.
std::string why_fixed(const Field& field, const Scene& scene) {
  Scene there = scene;
  there.page = page_of(field, scene);
  const auto other = scene::other_model(scene);
  const bool position = field.group == Group::position || field.group == Group::encoding;
  const bool positions_of_model = other && position && heading_of(field, there).empty();
  if (!positions_of_model && !scene::fixed_by_model(field, there)) return {};
  const std::string by = other                           ? other->model->name
                         : scene::saved_attention(scene) ? "the file of saved attention"
                                                         : "the trained model";
  return "set by " + by + "; random weights leave it free";
}

/// Makes the entries of a setting, by the type of its value.
struct Offer {
  const Scene& scene;
  std::vector<PaletteEntry>& out;

  PaletteEntry entry(const Field& field, std::string title) const {
    const auto own = scene::own_page(field);
    const std::string kept = why_fixed(field, scene);
    return {.title = std::move(title),
            .detail = !kept.empty() ? kept
                      : own && !shared_label(field)
                          ? std::string(page_info(*own).room.title) + ": " + field.help
                          : field.help,
            .right = "setting",
            .words = std::string(field.name) + (*field.also ? " " : "") + field.also,
            .problem = !kept.empty()};
  }

  void operator()(const Field& field, const bool& value) const {
    PaletteEntry e = entry(field, title_of(field) + (value ? ": off" : ": on"));
    e.right = value ? "now on" : "now off";
    e.set = assignment(field, value ? "false" : "true", scene);
    out.push_back(std::move(e));
  }
  void operator()(const Field& field, const scene::Word& value) const {
    if (value.is<Page>()) return;  // pages have their own entries
    for (std::size_t i = 0; i < value.list().size(); ++i) {
      const char* const one = value.list()[i];
      PaletteEntry e = entry(field, title_of(field) + ": " + value.label(static_cast<int>(i)));
      if (std::strcmp(one, value.text()) == 0) e.right = "now";
      e.words += std::string(" ") + one + " " + spaced(one);
      e.set = assignment(field, one, scene);
      out.push_back(std::move(e));
    }
  }
  void operator()(const Field& field, const scene::MaskSet& value) const {
    for (const char* one : scene::mask_words) {
      scene::MaskSet next = value;
      const std::string_view name = one;
      if (name == "none") next = {};
      if (name == "causal") next.causal = !next.causal;
      if (name == "window") next.window = !next.window;
      if (name == "valid_length") next.valid_length = !next.valid_length;
      PaletteEntry e = entry(field, title_of(field) + ": " + spaced(one));
      const bool on = name == "none" ? value == scene::MaskSet{}
                                     : next.causal < value.causal || next.window < value.window ||
                                           next.valid_length < value.valid_length;
      if (on) e.right = name == "none" ? "now" : "now on";
      e.set = assignment(field, scene::mask_text(next), scene);
      out.push_back(std::move(e));
    }
  }
  template <class V>
  void operator()(const Field& field, const V&) const {
    PaletteEntry e = entry(field, title_of(field));
    e.right = scene::get_field(scene, field.name);
    if (e.right.size() > 28) e.right = "setting";
    const std::string label = lower(field.label);  // unless another setting has this name
    e.fill = (shared_label(field) || scene::find_setting(label) ? field.name : label) + " ";
    out.push_back(std::move(e));
  }
};

/// The place of `word` in `text`: 4 at its start, 3 at the start of a word, 2 inside a word, 1 scattered, 0
/// absent.
int place(std::string_view word, std::string_view text) {
  const auto starts = [&](std::size_t at) {
    return at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
  };
  int best = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    best = std::max(best, at == 0 ? 4 : starts(at) ? 3 : 2);
  }
  if (best > 0 || word.size() < 3) return best;
  std::size_t next = 0;
  for (const char c : text) next += next < word.size() && c == word[next];
  return next == word.size() ? 1 : 0;
}

/// Is it a whole word of the text? "train" is none of "training".
bool whole(std::string_view word, std::string_view text) {
  const auto of_word = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !of_word(at - 1)) && !of_word(at + word.size())) return true;
  }
  return false;
}

/// Does it begin as a question does?
bool asks(std::string_view query) {
  static constexpr std::string_view first[] = {"what ", "why ", "how ", "which ", "where ", "when ",
                                               "does ", "do ",  "is ",  "are ",   "can "};
  const std::string text = lower(query);
  return std::any_of(std::begin(first), std::end(first),
                     [&](std::string_view word) { return text.starts_with(word); });
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : lower(text)) {
    if (c == ' ' || c == '=' || c == ':' || c == '_' || c == '?' || c == '\t') {
      if (!out.back().empty()) out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

/// The same as score(), for a token of the sentence: one word of the query is the token, or begins it or its
/// word; the others say "query" or "key" and where it is. Complete words of the program are better matches,
/// unless the query begins with "query" or "key" and goes on with the whole token.
int token_score(const std::vector<std::string>& requested, const PaletteEntry& entry) {
  constexpr int whole = 4, begun = 3, other = 1;
  constexpr int behind = 90;  // as if the title were as long as score() counts
  const std::string role = lower(entry.title.substr(0, entry.title.find(' ')));
  int best = 0, beside = 0;
  bool named = false;
  for (std::string word : requested) {
    for (const std::string_view sign : {"“", "”", "(", ")"}) {
      for (std::size_t at = word.find(sign); at != std::string::npos && word != sign; at = word.find(sign))
        word.erase(at, sign.size());
    }
    const int here = word == entry.token || word == entry.word                       ? whole
                     : entry.token.starts_with(word) || entry.word.starts_with(word) ? begun
                                                                                     : 0;
    named = named || word == entry.token;
    const bool place = word == entry.place || word == "position";
    if (here > best) {
      best = here;
    } else if (role.starts_with(word) || place) {
      beside += other;
    } else if (here == 0 && !is_filler(word)) {
      return 0;
    }
  }
  if (best == 0) return 0;
  const bool meant = requested.size() > 1 && requested.front() == role && named;
  constexpr int first = 200'000;  // above what score() gives to a complete title
  return (best * 24 + beside * 12) * 100 - behind + (meant ? first : 0);
}

}  // namespace

Page page_of(const Field& field, const Scene& scene) {
  if (const auto own = scene::own_page(field)) return *own;
  const std::string_view name = field.name;
  if (field.group == Group::interface || name == "sentence" || name == "tokenizer" || name == "page")
    return scene.page;
  const scene::PageUses uses = page_info(scene.page).room.uses(scene);
  const bool here = field.group == Group::model ? uses.model != scene::PageUses::Model::none : uses.positions;
  return here ? scene.page : scene::default_page;
}

std::vector<PaletteEntry> palette_entries(const Scene& scene) {
  std::vector<PaletteEntry> out;
  for (const PageInfo& info : pages())
    out.push_back({.title = info.room.title,
                   .detail = info.room.about,
                   .right = info.page() == scene.page ? "open" : "page",
                   .words = std::string(word(info.page())) + " page " + info.view.also,
                   .set = std::string("page=") + word(info.page())});
  for (const PaletteQuestion& one : palette_questions())
    out.push_back({.title = one.page_question.question,
                   .detail = one.page_question.answer,
                   .right = "question",
                   .words = one.page_question.words,
                   .set = (one.page_question.of_a_cell && scene.query.empty() ? "query=0;" : "") + one.set});
  for (const ActionInfo& info : actions()) {
    if (info.action == Action::palette || !works(info, scene)) continue;
    out.push_back({.title = info.name,
                   .detail = "",
                   .right = info.keys[0] != '\0' ? info.keys : "action",
                   .words = info.words,
                   .action = info.action});
  }
  scene::fields(scene, [&](const Field& field, const auto& value) { Offer{scene, out}(field, value); });
  return out;
}

std::vector<PaletteEntry> model_entries(const std::vector<ModelChoice>& choices, const Scene& scene) {
  std::vector<PaletteEntry> out;
  for (const ModelChoice& choice : choices) {
    const bool file = choice.what == ModelChoice::What::open_file;
    if (!file && (choice.what != ModelChoice::What::set || choice.sentence)) continue;
    PaletteEntry e{.title = "Model: " + choice.title, .detail = choice.detail, .words = "model weights"};
    e.right = in_use(choice, scene) ? "in use" : choice.where.empty() ? "model" : choice.where;
    if (file) e.open = choice.path;
    for (const std::string& one : choice.set) e.set += (e.set.empty() ? "" : ";") + one;
    out.push_back(std::move(e));
  }
  return out;
}

std::vector<PaletteEntry> token_entries(const Scene& scene, const scene::Results& results) {
  std::vector<PaletteEntry> out;
  const Scene& computed = results.scene;  // of a change that matters to the tokens, it is still the old one
  if (computed.sentence != scene.sentence || computed.tokenizer != scene.tokenizer ||
      computed.weights != scene.weights || computed.weights_file != scene.weights_file ||
      computed.token_ids != scene.token_ids)
    return out;
  const bool here = page_info(scene.page).room.uses(scene).pins;
  const bool pieces = results.tokens_are != nn::VocabularyKind::words;
  constexpr std::string_view inside = "##";  // WordPiece writes it before a piece that continues a word
  const auto continues = [&](std::string_view text) {
    return pieces && text.size() > inside.size() && text.starts_with(inside);
  };
  const auto begins_blank = [](std::string_view text) { return without_blank(text).size() < text.size(); };
  const auto bare = [&](std::string_view text) {
    text = without_blank(text);
    if (continues(text)) text.remove_prefix(inside.size());
    return lower(text.substr(0, text.find_last_not_of(' ') + 1));
  };
  const auto of_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
  };
  for (const bool key : {false, true}) {
    const std::vector<nn::Token>& tokens = key ? results.tokens_of_keys() : results.tokens;
    std::size_t begin = 0;  // of the word that the token is a piece of
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      const auto follows = [&](std::size_t later) {  // inside a word
        return pieces && later < tokens.size() && tokens[later].begin == tokens[later - 1].end &&
               !tokens[later].text.empty() && !tokens[later - 1].text.empty() &&
               !begins_blank(tokens[later].text) && !bare(tokens[later - 1].text).empty() &&
               (of_word(tokens[later].text.front()) || continues(tokens[later].text)) &&
               of_word(tokens[later - 1].text.back());
      };
      if (t == 0 || !follows(t)) begin = t;
      std::string word;
      constexpr std::size_t most_pieces = 32;
      for (std::size_t piece = begin; piece < begin + most_pieces; ++piece) {
        word += bare(tokens[piece].text);
        if (!follows(piece + 1)) break;
      }
      const std::string token = bare(tokens[t].text), at = std::to_string(t);
      if (token.empty()) continue;
      PaletteEntry e{.title = std::string(key ? "key " : "query ") +
                              views::in_quotes(views::shown_token(tokens[t].text)) + " (position " + at +
                              ")"};
      if (word != token) e.detail = "a piece of " + views::in_quotes(word) + ": ";
      e.detail +=
          key ? "select it as the key: its weight for the selected query is shown; positions count from 0"
              : "select it as the query, whose weights the page shows; positions count from 0";
      if (e.title.find("␣") != std::string::npos) e.detail += "; ␣ is a space";
      e.right = key ? "key" : "query";
      e.token = token, e.word = word, e.place = at;
      e.set = key ? "key=" + at : "query=" + at + ";key=-1";
      // Of all queries, the last one sees the most keys under a mask.
      if (key && scene.query.empty() && !results.tokens.empty())
        e.set += ";query=" + std::to_string(results.tokens.size() - 1);
      if (!here) e.set += std::string(";page=") + scene::word(scene::default_page);
      out.push_back(std::move(e));
    }
  }
  return out;
}

std::optional<PaletteEntry> typed_setting(const Scene& scene, std::string_view query) {
  std::optional<PaletteEntry> out;
  const std::string typed = lower(query);
  std::size_t nearest = 0;  // the longest matching name or label; of two equally long ones, the name
  for (const scene::Setting& one : scene::settings()) {
    const Field& field = one.field;
    for (const std::string& name : {std::string(field.name), lower(field.label), spaced(field.name)}) {
      const std::size_t near = 2 * name.size() + (name == field.name ? 1 : 0);
      if (near <= nearest || typed.size() <= name.size() + 1 || typed.compare(0, name.size(), name) != 0)
        continue;
      std::size_t at = name.size();
      if (typed[at] != ' ' && typed[at] != '=' && typed[at] != ':') continue;
      while (at < typed.size() && (typed[at] == ' ' || typed[at] == '=' || typed[at] == ':')) ++at;
      if (at == typed.size()) continue;
      nearest = near;
      const std::string value(query.substr(at));
      Scene trial = scene;
      base::Status set = scene::set_field(trial, std::string(field.name) + "=" + value);
      // A change without an effect, or one that would be reset, is answered by the reason.
      if (const std::string kept = why_fixed(field, scene); set && !kept.empty())
        set = base::Error{std::string(field.label) + ": " + kept};
      if (const std::string kept = set ? scene::kept_by_model(scene, trial) : ""; !kept.empty())
        set = base::Error{kept};
      if (set && field.checked) set = scene::check(trial);
      out = PaletteEntry{
          .title = std::string(field.label) + ": " + value, .detail = field.help, .right = "Enter"};
      if (set) {
        out->set = assignment(field, value, scene);
      } else {
        out->title = set.error();
        out->detail.clear();
        out->right.clear();
        out->problem = true;
      }
    }
  }
  return out;
}

int score(std::string_view query, const PaletteEntry& entry) {
  if (!entry.token.empty()) return token_score(words_of(query), entry);
  const std::string title = lower(entry.title), also = lower(entry.words), detail = lower(entry.detail);
  int total = 1;
  bool matched = false;
  for (const std::string& word : words_of(query)) {
    int in_title = place(word, title);
    const int in_words = place(word, also), in_detail = place(word, detail);
    // The letters of any short word are scattered in a whole sentence.
    if (in_title == 1 && entry.right == "question") in_title = 0;
    const int best = std::max({in_title * 24, in_words >= 2 ? in_words * 12 : 0, in_detail >= 3 ? 6 : 0});
    if (best == 0 && !is_filler(word)) return 0;
    matched |= best > 0;
    // "what is an X" is about X, not about what, is and an.
    const int counted = best + (best == in_title * 24 && whole(word, title) ? 3 : 0);
    total += is_filler(word) ? counted / 3 : counted;
  }
  if (!matched) return 0;
  // What begins as a question is answered by a question before a setting with the same words.
  constexpr int question = 60;
  if (entry.right == "question" && asks(query)) total += question;
  // A complete title wins; of two entries that match equally, the shorter one is nearer.
  const std::string stated = lower(query);
  if (stated == title) total += 1000;
  if (also.rfind(stated + " ", 0) == 0) total += 800;    // its name on the command line: "bench" is Compare
  if (title.rfind(stated + " (", 0) == 0) total += 900;  // "seed" is "seed (model)" before "seed of B"
  return total * 100 - static_cast<int>(std::min<std::size_t>(title.size(), 90));
}

std::vector<const PaletteEntry*> found(std::string_view query, const std::vector<PaletteEntry>& entries) {
  std::vector<std::pair<int, const PaletteEntry*>> scored;
  const bool all = words_of(query).empty();
  for (const PaletteEntry& entry : entries) {
    if (all && !entry.token.empty()) continue;  // the sentence is on screen
    if (const int s = all ? 1 : score(query, entry); s > 0) scored.emplace_back(s, &entry);
  }
  if (scored.empty()) {  // drops the words that match no entry
    const std::vector<std::string> requested = words_of(query);
    std::string known;
    std::size_t kept = 0;
    for (const std::string& word : requested) {
      if (is_filler(word) || std::none_of(entries.begin(), entries.end(),
                                          [&](const PaletteEntry& entry) { return score(word, entry) > 0; }))
        continue;
      known += (known.empty() ? "" : " ") + word, ++kept;
    }
    if (kept > 0 && known != query && kept < requested.size()) return found(known, entries);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const PaletteEntry*> out;
  for (const auto& [s, entry] : scored) out.push_back(entry);
  return out;
}

}  // namespace headlight::app
