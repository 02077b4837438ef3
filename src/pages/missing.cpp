#include "pages/missing.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <type_traits>

#include "base/words.h"
#include "pages/controls.h"
#include "pages/opened_attention.h"
#include "pages/page.h"
#include "scene/hidden_tokens.h"
#include "scene/layer_input.h"
#include "scene/saved_attention.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

using Lines = std::vector<std::string>;
using AllGiven = std::span<const Given>;

const Given* given_as(AllGiven given, std::string_view name) {
  const auto at =
      std::find_if(given.begin(), given.end(), [&](const Given& one) { return one.first == name; });
  return at == given.end() ? nullptr : &*at;
}

/// A default value chooses nothing, unless it was given; nor does what a file means that leaves the setting
/// out.
bool is_chosen(const Setting& setting, const Scene& scene, AllGiven given) {
  static const Scene usual, written = written_defaults();
  return (!setting.same(scene, usual) && !setting.same(scene, written)) ||
         given_as(given, setting.field.name);
}

/// Which heads a page shows of those that the scene names; none: it has settings of its own for heads, or
/// shows none.
enum class HeadsShown { none, first, all };
HeadsShown heads_shown(const Scene& scene) {
  if (has_trait(scene.page, page_traits::combined)) return HeadsShown::all;
  const PageRoom& room = room_of(scene.page);
  const PageUses uses = room.uses(scene);
  if (uses.shown_head) return HeadsShown::first;
  if (!uses.pins) return HeadsShown::none;
  const std::vector<ChosenOf> own = room.chooses ? room.chooses(scene, nullptr) : std::vector<ChosenOf>();
  const bool own_heads = std::any_of(
      own.begin(), own.end(), [](const ChosenOf& one) { return std::string_view(one.noun) == "head"; });
  return own_heads ? HeadsShown::none : HeadsShown::first;
}

/// Heads that were given and do not exist; repair() has left them out of the scene.
void add_heads(const Scene& scene, AllGiven given, Lines& lines) {
  const Given* const head = given_as(given, "head");
  const HeadsShown shown = head ? heads_shown(scene) : HeadsShown::none;
  Scene requested = scene;
  if (shown == HeadsShown::none || !set_field(requested, "head=" + head->second)) return;
  const int count = heads_to_show(scene);
  std::vector<int> missing;
  for (const int number : requested.head) {
    if (number > count) missing.push_back(number);
  }
  if (missing.empty() || count == 0) return;
  const bool none = missing.size() == requested.head.size(), first = shown == HeadsShown::first;
  lines.push_back(missing_line("head", missing, what_exists(1, count, "head"), none && first ? "1" : "") +
                  (none && !first ? ", and all are shown" : ""));
}

/// Of the pinned tokens of a setting: those that do not exist, and the last one, which takes their place when
/// none exists. Those from `reported` on are left out: they were told before the results.
void add_pinned(const char* name, const std::vector<int>& pinned, int count, int reported,
                const std::string& exists, Lines& lines) {
  std::vector<int> missing;
  std::size_t absent = 0;
  for (const int token : pinned) {
    if (token < count) continue;
    ++absent;
    if (token < reported) missing.push_back(token);
  }
  if (missing.empty()) return;
  const bool instead = absent == pinned.size() && count > 0;
  lines.push_back(missing_line(name, missing, exists, instead ? number_text(count - 1) : ""));
}

void add_pinned(const Scene& scene, AllGiven given, const Results* results, bool found, Lines& lines) {
  const PageUses uses = room_of(scene.page).uses(scene);
  if (!uses.sentence) return;
  const bool query = (uses.pins || uses.shown_query) && is_chosen(*find_setting("query"), scene, given),
             key = (uses.pins || uses.shown_key) && scene.key >= 0 &&
                   is_chosen(*find_setting("key"), scene, given);
  if (!query && !key) return;
  const TokensThere known = results ? tokens_there(*results) : tokens_there(scene);
  const int tokens = known.used;
  const std::string there = known.words();
  const int reported =
      found && known.used < known.in_sentence ? tokens_there(scene).used : std::numeric_limits<int>::max();
  if (query) add_pinned("query", scene.query, tokens, reported, there, lines);
  if (!key) return;
  // Saved attention may have other keys than queries.
  const int keys = results && tokens > 0 ? results->attention.S : tokens;
  if (!results && shown_saved_attention(scene)) return;
  add_pinned("key", {scene.key}, keys, reported, keys == tokens ? there : what_exists(0, keys, "key"), lines);
}

/// A run of 50 steps shows 51 of them: step 0 is before the first.
std::string chosen_exists(const ChosenOf& one) {
  if (one.first != 0 || std::string_view(one.noun) != "step")
    return what_exists(one.first, one.count, one.noun);
  const int steps = one.count - 1;
  return "the run has " + base::counted(steps, "step") + ", 0 to " + std::to_string(steps);
}

/// What the settings of the page choose, see PageRoom::chooses.
void add_chosen(const Scene& scene, AllGiven given, const Results* results, Lines& lines) {
  static const Scene usual;
  const PageRoom& room = room_of(scene.page);
  if (!room.chooses) return;
  for (ChosenOf one : room.chooses(scene, results)) {
    const Setting* const setting = find_setting(one.setting);
    const bool of_tokens = std::string_view(one.noun) == "token";
    TokensThere there;
    if (of_tokens) {
      there = results ? tokens_there(*results) : tokens_there(scene);
      one.count = there.used = std::min(one.count, there.used);
    }
    const int last = one.first + one.count - 1;
    if (!setting || one.count <= 0 || !is_chosen(*setting, scene, given)) continue;
    std::vector<int> requested, missing;
    setting->visit(scene, [&](const auto& value) {
      using Value = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::is_same_v<Value, int>) requested = {value};
      if constexpr (std::is_same_v<Value, IndexList>) requested = value;
    });
    int nearest = last;
    for (const int number : requested) {
      if (number >= one.first && number <= last) continue;
      if (number < one.first && setting->same(scene, usual)) continue;  // it stands for none
      missing.push_back(number);
      nearest = number > last ? last : one.first;
    }
    if (missing.empty()) continue;
    const bool list = setting->type == Setting::Type::list;
    lines.push_back(missing_line(one.setting, missing,
                                 of_tokens ? there.words(one.first) : chosen_exists(one),
                                 list ? "" : std::to_string(nearest)));
  }
}

/// Settings that were given and that nothing of the page uses, with what is used.
void add_unused(const Scene& scene, AllGiven given, Lines& lines) {
  static const Scene usual;
  const PageUses uses = room_of(scene.page).uses(scene);
  const bool model = uses.model != PageUses::Model::none || uses.model_positions;
  const auto unused = [&](const char* name, const char* instead) {
    const Given* const one = given_as(given, name);
    Scene requested;
    if (one && set_field(requested, std::string(name) + "=" + one->second) &&
        !find_setting(name)->same(requested, usual))
      lines.push_back(std::string(name) + " " + one->second + ": not used: " + instead);
  };
  if (model && scene.weights == WeightsSource::random)
    unused("weights_layer", "random weights are those of one layer");
  if (model && !shown_saved_attention(scene)) unused("saved_sequence", "the scene shows no saved attention");
  if (uses.sentence && scene.weights != WeightsSource::file)  // a file that cannot be used says why
    unused("token_ids", "they are for a model from another program; the sentence is used instead");
}

/// Texts of the token filter that no token contains.
void add_filter(const Results& results, Lines& lines) {
  const Scene& scene = results.scene;
  if (scene.shown_tokens.empty() || !room_of(scene.page).uses(scene).large_map || results.tokens.empty())
    return;
  const auto found = [](const std::vector<nn::Token>& tokens, const std::string& text) {
    return std::any_of(tokens.begin(), tokens.end(),
                       [&](const nn::Token& token) { return token.text.find(text) != std::string::npos; });
  };
  std::string missing;
  int texts = 0, absent = 0;
  for (const std::string& text : filter_texts(scene)) {
    ++texts;
    if (found(results.tokens, text) || found(results.tokens_of_keys(), text)) continue;
    missing += (absent++ == 0 ? " " : ", ") + text;
  }
  if (absent == 0) return;
  lines.push_back("shown_tokens" + missing + ": no token contains " + (absent == 1 ? "it" : "them") +
                  (absent == texts ? "; no weight is drawn" : ""));
}

/// Texts and lists that are not used.
void add_problems(const Results& results, Lines& lines) {
  for (const Setting& one : settings()) {
    if (one.type != Setting::Type::text && one.type != Setting::Type::list) continue;
    const std::string problem = problem_of(one.field, results);
    if (problem.empty()) continue;
    const std::string name = one.field.name;
    lines.push_back(problem.starts_with(name) ? problem : name + ": " + problem);
  }
}

}  // namespace

std::string TokensThere::words(int first) const {
  if (used == 0) return "the sentence has no tokens";
  const std::string numbers =
      used > 1 ? ", " + number_text(first) + " to " + number_text(first + used - 1) : std::string();
  if (used == in_sentence) return "the sentence has " + base::counted(used, "token") + numbers;
  return used == 1 ? "the first token of the sentence is used"
                   : "the first " + base::counted(used, "token") + " of the sentence are used" + numbers;
}

TokensThere tokens_there(const Results& results) {
  const int used = static_cast<int>(results.tokens.size());
  return {used, std::max(used, static_cast<int>(results.tokens_in_sentence))};
}

TokensThere tokens_there(const Scene& scene) {
  std::size_t in_sentence = 0;
  const int tokens = static_cast<int>(tokens_of(scene, nullptr, &in_sentence).size());
  const auto other = shown_other_model(scene);
  const int most = other                          ? most_opened_tokens(*other, scene)
                   : shown_saved_attention(scene) ? tokens
                                                  : max_tokens(scene.heads);
  return {std::min(tokens, most), static_cast<int>(in_sentence)};
}

namespace {

/// `found`: without the pinned tokens that were missing before the results told how many are used.
Lines all_missing(const Scene& scene, AllGiven given, const Results* results, bool found) {
  Lines lines;
  for (const auto& [name, value] : given) {
    if (std::string line = repaired_to(scene, name, value); !line.empty()) lines.push_back(std::move(line));
  }
  add_heads(scene, given, lines);
  add_unused(scene, given, lines);
  if (results && !results->failure.empty()) return lines;
  add_pinned(scene, given, results, found, lines);
  add_chosen(scene, given, results, lines);
  if (results) add_filter(*results, lines), add_problems(*results, lines);
  return lines;
}

}  // namespace

Lines what_is_missing(const Scene& scene, AllGiven given, const Results* results) {
  return all_missing(scene, given, results, false);
}

Lines found_missing(const Results& results, AllGiven given) {
  Lines all = all_missing(results.scene, given, &results, true);
  const Lines known = what_is_missing(results.scene, given);
  std::erase_if(all, [&](const std::string& line) {
    return std::find(known.begin(), known.end(), line) != known.end();
  });
  return all;
}

std::vector<Given> without_given_by_model(std::vector<Given> given, const Scene& scene) {
  std::erase_if(given, [&](const Given& one) { return given_by_model(scene, one.first); });
  return given;
}

}  // namespace headlight::scene
