// Lessons as JSON. The first error is reported in one line: file, step, field, what was expected.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "base/utf8.h"
#include "io/json_reader.h"
#include "pages/earlier_names.h"
#include "scene/field_values.h"
#include "scene/model_folders.h"
#include "scene/nearest.h"
#include "scene/settings.h"
#include "teach/lesson.h"

namespace headlight::scene {

namespace {

using io::found;
using io::Json;
using Names = std::vector<std::string>;

constexpr const char* version_name = "headlight_lesson";
constexpr io::JsonKind lesson_kind{"lesson", 7, std::size_t(4) << 20, 100'000, true};
constexpr std::size_t most_steps = most_lesson_steps;
/// The parts of cards that pages draw only if PageInput::leaves_out() does not name them.
const Names parts = {"scaled series",   "choosers", "read back",  "shuffled",
                     "trained weights", "outcome",  "explanation"};
constexpr std::size_t longest_words = 20'000;  // bytes of a paragraph, a claim, a name; people write hundreds

/// A setting's value in the form that set_field() accepts.
base::Result<std::string> value_text(const std::string& name, const Json& json) {
  if (const Setting* one = find_setting(name); json.is_null() && one && may_be_automatic(one->field))
    return std::string(automatic_word);
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return std::string(json.get<bool>() ? "true" : "false");
  if (json.is_number()) return json.dump();
  if (!json.is_array())
    return base::Error{"expected a number, text, true, false or a list of whole numbers, found " +
                       found(json)};
  std::string text;
  for (const Json& item : json) {
    if (!item.is_number_integer())
      return base::Error{"expected a list of whole numbers, found " + found(item) + " in it"};
    text += (text.empty() ? "" : ",") + item.dump();
  }
  return text;
}

class Reader {
 public:
  explicit Reader(const std::string& origin) : origin_(origin) {}

  base::Result<Lesson> read(std::string_view text) {
    Lesson lesson;
    const base::Result<Json> json = io::read_json_object(text, origin_, lesson_kind);
    if (!json) return base::Error{json.error()};
    whole(*json, lesson);
    if (!error_.empty()) return base::Error{error_};
    return lesson;
  }

 private:
  void wrong(const std::string& field, const std::string& message) {
    if (error_.empty()) error_ = origin_ + ": " + where_ + field + ": " + message;
  }

  void only(const Json& json, const std::string& in, const Names& names) {
    for (const auto& item : json.items()) {
      if (!error_.empty()) return;  // the first error is reported
      if (std::find(names.begin(), names.end(), item.key()) == names.end())
        wrong(in.empty() ? "unknown field " + in_quotes(item.key()) : in,
              in.empty() ? "expected one of " + joined(names) + did_you_mean(item.key(), names)
                         : "unknown field " + in_quotes(item.key()) + did_you_mean(item.key(), names));
    }
  }

  static std::string joined(const Names& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
  }

  void whole(const Json& json, Lesson& lesson) {
    const auto version = json.find(version_name);
    if (version == json.end()) return wrong(version_name, "expected the version 1, found nothing");
    if (!io::whole_number(*version, 1, std::numeric_limits<int>::max()))
      return wrong(version_name, "expected the version 1, found " + found(*version));
    if (!io::whole_number(*version, 1, lesson_version)) {
      return wrong(version_name, "the file has version " + version->dump() +
                                     ", but this program reads version " + std::to_string(lesson_version));
    }
    only(json, "", {version_name, "title", "about", "needs", "scene", "steps"});
    lesson.title = text(json, "title", true);
    lesson.about = text(json, "about", false);
    if (const Json* needs = object(json, "needs", {"model", "words"})) {
      lesson.needs = LessonModel{text(*needs, "model", true, "needs"), words(*needs, "words", true, "needs")};
      if (error_.empty() && !is_folder_name(lesson.needs->name)) {
        wrong("needs.model", "expected the name of a folder, without the folders that it lies in, found " +
                                 in_quotes(lesson.needs->name));
      }
      model_decides_ = true;
    }
    changes(json, lesson.scene);
    const auto steps = json.find("steps");
    if (steps == json.end() || !steps->is_array() || steps->empty()) {
      return wrong("steps", "expected a list of at least one step, found " +
                                (steps == json.end() ? "nothing" : found(*steps)));
    }
    if (steps->size() > most_steps)
      return wrong("steps", "expected at most " + std::to_string(most_steps) + " steps, found " +
                                std::to_string(steps->size()));
    if (!apply("scene", lesson.scene)) return;
    for (const Json& step : *steps) {
      where_ = "step " + std::to_string(lesson.steps.size() + 1) + ": ";
      if (!step.is_object()) return wrong("step", "expected an object, found " + found(step));
      lesson.steps.push_back(one_step(step));
      if (!apply("scene", lesson.steps.back().scene)) return;
    }
  }

  /// Applies the changes and checks the rules between settings, step by step.
  bool apply(const char* field, const SceneChanges& changes) {
    for (const auto& change : changes) {
      if (!error_.empty()) return false;
      const std::string &name = change.first, &value = change.second;
      if (const base::Status set = set_field(scene_, name + "=" + value); !set) wrong(field, set.error());
      if (const Setting* one = find_setting(name); one && one->field.group == Group::interface)
        wrong(field,
              name + ": a lesson cannot set the look of the interface; expected settings of the pages");
    }
    // The number of heads depends on a model that may not be here.
    if (model_decides_) return error_.empty();
    if (const base::Status rules = check(scene_); !rules) wrong(field, rules.error());
    return error_.empty();
  }

  std::string text(const Json& json, const char* name, bool needed, const std::string& in = {}) {
    const auto item = json.find(name);
    const std::string field = in.empty() ? name : in + "." + name;
    if (item == json.end()) {
      if (needed) wrong(field, "expected text, found nothing");
      return {};
    }
    if (!item->is_string()) {
      wrong(field, "expected text, found " + found(*item));
      return {};
    }
    const auto& stated = item->get_ref<const std::string&>();
    if (needed && stated.empty()) wrong(field, "expected text, found an empty one");
    return not_too_long(field, stated);
  }

  std::string not_too_long(const std::string& field, const std::string& text) {
    if (text.size() <= longest_words) return text;
    wrong(field, "expected at most " + std::to_string(longest_words) + " bytes in one text, found " +
                     std::to_string(text.size()));
    return {};
  }

  /// Words that may contain marks and numbers.
  std::string words(const Json& json, const char* name, bool needed, const std::string& in = {}) {
    const std::string words = text(json, name, needed, in);
    readable(in.empty() ? name : in + "." + name, words);
    return words;
  }

  void readable(const std::string& field, const std::string& text) {
    if (const auto parsed = parse_words(text); !parsed) wrong(field, parsed.error());
  }

  /// One text, or a list of texts.
  Names texts(const Json& json, const std::string& name, const std::string& in = {}) {
    Names out;
    const auto item = json.find(name);
    const std::string field = in.empty() ? name : in + "." + name;
    if (item == json.end()) return out;
    if (item->is_string()) return {not_too_long(field, item->get_ref<const std::string&>())};
    if (!item->is_array()) {
      wrong(field, "expected text or a list of texts, found " + found(*item));
      return out;
    }
    for (const Json& entry : *item) {
      if (!entry.is_string()) {
        wrong(field, "expected a list of texts, found " + found(entry) + " in it");
        return out;
      }
      out.push_back(not_too_long(field, entry.get_ref<const std::string&>()));
    }
    return out;
  }

  /// Of parts of a page; cards by the names that they have now.
  Names places(const Json& json, const std::string& name, const std::string& in = {}) {
    Names out = texts(json, name, in);
    for (std::string& one : out) one = place_name_now(one);
    return out;
  }

  Names paragraphs(const Json& json, const char* name) {
    Names out = texts(json, name);
    for (const std::string& one : out) {
      if (error_.empty()) readable(name, one);
    }
    return out;
  }

  Names claims(const Json& json, const char* name, const std::string& in = {}) {
    Names out = texts(json, name, in);
    for (const std::string& one : out) {
      if (!error_.empty()) break;
      if (const auto claim = parse_claim(one); !claim)
        wrong(in.empty() ? name : in + "." + name, claim.error());
    }
    return out;
  }

  void changes(const Json& json, SceneChanges& out) {
    const auto item = json.find("scene");
    if (item == json.end()) return;
    if (!item->is_object()) return wrong("scene", "expected an object of settings, found " + found(*item));
    for (const auto& entry : item->items()) {
      const auto value = value_text(entry.key(), entry.value());
      if (!value) return wrong("scene", base::shortened(entry.key()) + ": " + value.error());
      out.emplace_back(entry.key(), *value);
    }
  }

  const Json* object(const Json& json, const char* name, const Names& fields) {
    const auto item = json.find(name);
    if (item == json.end()) return nullptr;
    if (!item->is_object()) {
      wrong(name, "expected an object, found " + found(*item));
      return nullptr;
    }
    only(*item, name, fields);
    return &*item;
  }

  LessonStep one_step(const Json& json) {
    LessonStep step;
    only(json, "",
         {"title", "words", "reveal", "scene", "controls", "highlight", "focus", "without", "predict",
          "question", "task", "facts", "notes", "picture"});
    step.title = words(json, "title", true);
    step.words = paragraphs(json, "words");
    step.reveal = paragraphs(json, "reveal");
    changes(json, step.scene);
    step.controls = texts(json, "controls");
    for (const std::string& name : step.controls) {
      if (error_.empty() && !find_setting(name))
        wrong("controls",
              "expected names of settings, found " + in_quotes(name) + did_you_mean(name, setting_names()));
    }
    step.highlight = places(json, "highlight");
    step.without = texts(json, "without");
    for (const std::string& name : step.without) {
      if (error_.empty() && std::find(parts.begin(), parts.end(), name) == parts.end())
        wrong("without", "expected parts that a step can leave out, found " + in_quotes(name) +
                             did_you_mean(name, parts));
    }
    step.focus = places(json, "focus");
    step.facts = claims(json, "facts");
    step.notes = text(json, "notes", false);
    if (const auto item = json.find("picture"); item != json.end()) {
      if (!item->is_boolean()) wrong("picture", "expected true or false, found " + found(*item));
      step.picture = item->is_boolean() && item->get<bool>();
    }
    if (const Json* predict = object(json, "predict", {"ask", "hide"})) {
      step.predict =
          LessonPrediction{words(*predict, "ask", true, "predict"), places(*predict, "hide", "predict")};
    } else if (!step.reveal.empty()) {
      wrong("reveal", "expected \"predict\" beside it: Space reveals the answer to a prediction");
    }
    if (const Json* ask = object(json, "question", {"ask", "choices", "answer", "why"})) question(*ask, step);
    if (const Json* task = object(json, "task", {"ask", "until"})) {
      step.task = LessonTask{words(*task, "ask", true, "task"), claims(*task, "until", "task")};
      if (step.task->until.empty())
        wrong("task.until", "expected a claim, such as \"entropy head=2 < 0.5\", found nothing");
    }
    return step;
  }

  void question(const Json& json, LessonStep& step) {
    LessonQuestion question;
    question.ask = words(json, "ask", true, "question");
    question.why = words(json, "why", false, "question");
    question.choices = texts(json, "choices", "question");
    for (const std::string& choice : question.choices) readable("question.choices", choice);
    if (question.choices.size() < 2 || question.choices.size() > 6) {
      wrong("question.choices", "expected 2 to 6 choices, found " + std::to_string(question.choices.size()));
    }
    const auto answer = json.find("answer");
    const std::string range = "expected the number of the right choice, 1 to " +
                              std::to_string(question.choices.size()) + ", found ";
    if (answer == json.end()) return wrong("question.answer", range + "nothing");
    const auto right = io::whole_number(*answer, 1, static_cast<std::int64_t>(question.choices.size()));
    if (!right) return wrong("question.answer", range + found(*answer));
    question.answer = static_cast<int>(*right);
    step.question = std::move(question);
  }

  const std::string& origin_;
  std::string where_, error_;
  Scene scene_ = written_defaults();
  bool model_decides_ = false;
};

/// A setting's value as a user would write it into the file.
Json value_json(const std::string& name, const std::string& text) {
  Json value = base::well_formed(text);
  const Setting* setting = find_setting(name);
  if (!setting) return value;
  using Type = Setting::Type;
  if (setting->type == Type::boolean) {
    value = text == "true";
  } else if (setting->type == Type::integer || setting->type == Type::number) {
    auto number = io::read_json(text, name, lesson_kind);
    if (number && number->is_number()) value = std::move(*number);
  } else if (setting->type == Type::list && text == automatic_word) {
    value = Json();
  } else if (setting->type == Type::list) {
    auto list = io::read_json("[" + text + "]", name, lesson_kind);
    if (list) value = std::move(*list);
  }
  return value;
}

void put(Json& json, const char* name, const Names& texts) {
  if (texts.empty()) return;
  for (const std::string& text : texts) json[name].push_back(base::well_formed(text));
}

void put(Json& json, const SceneChanges& changes) {
  for (const auto& [name, value] : changes) json["scene"][name] = value_json(name, value);
}

}  // namespace

base::Result<Lesson> lesson_from_json(std::string_view json, const std::string& origin) {
  return Reader(origin).read(json);
}

std::string to_json(const Lesson& lesson) {
  Json json;
  json[version_name] = lesson_version;
  json["title"] = base::well_formed(lesson.title);
  if (!lesson.about.empty()) json["about"] = base::well_formed(lesson.about);
  if (lesson.needs) {
    json["needs"]["model"] = base::well_formed(lesson.needs->name);
    json["needs"]["words"] = base::well_formed(lesson.needs->words);
  }
  put(json, lesson.scene);
  for (const LessonStep& step : lesson.steps) {
    Json out;
    out["title"] = base::well_formed(step.title);
    put(out, "words", step.words);
    put(out, step.scene);
    put(out, "controls", step.controls);
    put(out, "highlight", step.highlight);
    put(out, "without", step.without);
    put(out, "focus", step.focus);
    if (step.predict) {
      out["predict"]["ask"] = base::well_formed(step.predict->ask);
      put(out["predict"], "hide", step.predict->hide);
    }
    put(out, "reveal", step.reveal);
    if (step.question) {
      out["question"]["ask"] = base::well_formed(step.question->ask);
      put(out["question"], "choices", step.question->choices);
      out["question"]["answer"] = step.question->answer;
      if (!step.question->why.empty()) out["question"]["why"] = base::well_formed(step.question->why);
    }
    if (step.task) {
      out["task"]["ask"] = base::well_formed(step.task->ask);
      put(out["task"], "until", step.task->until);
    }
    put(out, "facts", step.facts);
    if (!step.notes.empty()) out["notes"] = base::well_formed(step.notes);
    if (step.picture) out["picture"] = true;
    json["steps"].push_back(std::move(out));
  }
  return json.dump(2) + "\n";
}

}  // namespace headlight::scene
