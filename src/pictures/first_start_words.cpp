#include "pictures/first_start_words.h"

#include <algorithm>

#include "base/numbers.h"
#include "kit/selection.h"
#include "pages/page_that.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

/// Writes a weight through its quantity, so that it is the same number as everywhere else.
std::string weight_words(const views::PageInput& in, const ShownRow& row, int key) {
  return in.text(views::quantity("weight", {{"head", row.head + 1}, {"query", row.query}, {"key", key}}),
                 base::weight_form(2));
}

/// Says which head of which layer this is, where its weights come from, and whether it was guided.
std::string who(const views::PageInput& in, int head) {
  const scene::Results& results = in.results;
  const std::string layer = views::layer_words(in);
  const std::string name = "Head " + std::to_string(head + 1) + (layer.empty() ? "" : " of " + layer);
  if (results.guide.head < 0) return name + ", " + results.weights_source + ".";
  const std::string model =
      scene::is_included_model(results.scene.weights_file) ? "an included model" : results.weights_source;
  if (!results.guided(head))
    return name + " of " + model + ". It was not guided; head " + std::to_string(results.guide.head + 1) +
           " of layer " + std::to_string(results.guide.layer + 1) + " was.";
  return name + " of " + model + ", guided during training to attend from a pronoun to its noun.";
}

/// Counts the other queries with the same strongest key: a head may attend to it from every word.
constexpr int most_counted = 256;  // limits the work, since every frame counts
int others_alike(const views::PageInput& in, const ShownRow& requested) {
  const nn::AttentionTrace& trace = in.results.attention;
  int alike = 0;
  for (int query = 0; query < trace.T; ++query) {
    const auto row = trace.weights.row(requested.head, query);
    const auto strongest = std::max_element(row.begin(), row.end());
    alike += query != requested.query && *strongest > 0 && strongest - row.begin() == requested.key &&
             std::count(row.begin(), row.end(), *strongest) == 1;
  }
  return alike;
}

}  // namespace

scene::Scene first_start_scene(scene::Scene scene) {
  scene.page = scene::default_page;
  if (scene.head.size() != 1 || scene.head.front() < 1) scene.head = {1};
  scene.key = -1;
  scene.positions.play = false;
  return scene;
}

std::vector<std::string> token_texts(const scene::Results& results) {
  std::vector<std::string> texts;
  for (const nn::Token& token : results.tokens) texts.push_back(token.text);
  return texts;
}

scene::Scene first_start_scene(scene::Scene scene, const scene::Results& results) {
  scene = first_start_scene(std::move(scene));
  if (scene.query.size() != 1) {
    if (const int query = first_query(token_texts(results)); query >= 0) scene.query = {query};
  }
  return scene;
}

ShownRow shown_row(const views::PageInput& in) {
  const views::Selection selection = views::select(in);
  const nn::AttentionTrace& trace = in.results.attention;
  ShownRow row;
  if (selection.detail_query < 0 || selection.heads.empty() || in.results.tokens.empty() || trace.S < 1 ||
      views::other_keys(in))
    return row;
  row.query = selection.detail_query, row.head = selection.heads.front();
  row.weights = trace.weights.row(row.head, row.query);
  for (int i = 0; i < trace.S; ++i) {
    const float weight = row.weights[static_cast<std::size_t>(i)];
    if (!(weight > 0)) continue;
    if (row.key < 0 || weight > row.weights[static_cast<std::size_t>(row.key)]) {
      row.next = row.key, row.key = i;
    } else if (row.next < 0 || weight > row.weights[static_cast<std::size_t>(row.next)]) {
      row.next = i;
    }
  }
  return row;
}

namespace {

constexpr float nearly_all = 0.9f;  // with less of the weight, a query attends to other keys as well

}  // namespace

std::vector<Run> finding_runs(const views::PageInput& in) {
  const ShownRow row = shown_row(in);
  const draw::Theme& t = in.theme;
  if (in.results.tokens.empty()) return {{"The sentence is empty", t.text}};
  if (views::other_keys(in)) return {{"Queries and keys are different tokens here", t.text}};
  if (row.query < 0) return {{"Point at a word", t.text}};
  const std::string query = views::quoted_token(in, row.query);
  if (row.key < 0) return {{query, t.query, true}, {" attends to no token", t.text}};
  const float weight = row.weights[static_cast<std::size_t>(row.key)];
  // As large as another weight is not the most.
  const bool most = weight < nearly_all && std::count(row.weights.begin(), row.weights.end(), weight) == 1 &&
                    row.weights.size() > 1;
  std::vector<Run> runs{{query, t.query, true}, {most ? " attends most to " : " attends to ", t.text}};
  if (row.key == row.query) {
    runs.push_back({"itself", t.text});
  } else {
    runs.push_back({views::quoted_token(in, row.key), t.key, true});
  }
  runs.push_back({" with weight " + weight_words(in, row, row.key), t.text});
  return runs;
}

std::string unknown_line(const views::PageInput& in) {
  const int count = static_cast<int>(in.results.tokens.size());
  int unknown = 0, first = -1;
  for (int i = 0; i < count; ++i) {
    if (!views::unknown_token(in, i)) continue;
    if (unknown++ == 0) first = i;
  }
  if (unknown == 0) return {};
  if (unknown == 1)
    return views::quoted_token(in, first) +
           " is not in the model’s vocabulary: the model gets <unknown> instead.";
  return std::to_string(unknown) + " of " + std::to_string(count) +
         " words are not in the model’s vocabulary: the model gets <unknown> for each.";
}

TwoWords two_words(const views::PageInput& in) {
  const auto& tokens = in.results.tokens;
  for (int i = static_cast<int>(tokens.size()) - 1; i >= 0; --i) {
    const std::string& text = tokens[static_cast<std::size_t>(i)].text;
    if (text == first_word || text == second_word) return {i, text == second_word};
  }
  return {};
}

std::string with_word(const views::PageInput& in, bool second) {
  std::string sentence = in.results.scene.sentence;
  const TwoWords now = two_words(in);
  if (now.token < 0) return sentence;
  const nn::Token& token = in.results.tokens[static_cast<std::size_t>(now.token)];
  if (token.end > sentence.size() || token.begin > token.end) return sentence;
  return sentence.replace(token.begin, token.end - token.begin, second ? second_word : first_word);
}

std::string first_start_finding(const views::PageInput& in) {
  std::string words;
  for (const Run& run : finding_runs(in)) words += run.words;
  return words;
}

std::string first_start_note(const views::PageInput& in) {
  const ShownRow row = shown_row(in);
  std::string words = who(in, row.head);
  if (row.next >= 0) {
    const auto& tokens = in.results.tokens;
    const bool again =
        tokens[static_cast<std::size_t>(row.next)].text == tokens[static_cast<std::size_t>(row.key)].text;
    words += std::string(" Next: ") + (again ? "another " : "") + views::quoted_token(in, row.next) +
             " with " + weight_words(in, row, row.next) + ".";
  }
  const int alike = row.key >= 0 && in.results.attention.T <= most_counted ? others_alike(in, row) : 0,
            others = in.results.attention.T - 1;
  if (alike > 0 && others > 1)
    words += " Of the other " + std::to_string(others) +
             (in.results.tokens_are == nn::VocabularyKind::words ? " words, " : " tokens, ") +
             std::to_string(alike) + (alike == 1 ? " also attends" : " also attend") + " most to " +
             views::quoted_token(in, row.key) + ".";
  return words;
}

int first_query(const std::vector<std::string>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (const char* pronoun : {"it", "they", "he", "she"}) {
      if (tokens[i] == pronoun) return static_cast<int>(i);
    }
  }
  return static_cast<int>(tokens.size()) - 1;
}

}  // namespace headlight::app
