#include "session/lesson_handout.h"

#include "base/utf8.h"
#include "scene/scene.h"
#include "scene/settings.h"

namespace headlight::app {

namespace {

using scene::Emphasis;

/// Escapes characters that Markdown would interpret; it does not interpret an underscore inside a word.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '*' || c == '`' || c == '<' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string script(const scene::WordRun& run) {
  const bool one = base::decode(run.text, 0).bytes == run.text.size();
  return (run.script < 0 ? "_" : "^") + (one ? run.text : "{" + run.text + "}");
}

/// The label of the setting in the panel.
std::string label_of(const std::string& name) {
  std::string label = name;
  for (const scene::Setting& one : scene::settings()) {
    const scene::Field& field = one.field;
    if (name == field.name) label = field.label;
  }
  return label;
}

class Writer {
 public:
  explicit Writer(LessonPlayer& player) : player_(player) {}

  std::string write() {
    const scene::Lesson& lesson = player_.lesson();
    text_ = "# " + escaped(lesson.title) + "\n\n";
    if (!lesson.about.empty()) line(escaped(lesson.about));
    for (int step = 0; step < player_.steps(); ++step) {
      player_.go(step, 0);
      player_.settle();
      one_step();
    }
    text_.pop_back();
    return std::move(text_);
  }

 private:
  void line(const std::string& words) { text_ += words + "\n\n"; }
  std::string words(const std::string& markup) const { return handout_words(player_.runs(markup)); }

  void one_step() {
    const scene::LessonStep& step = player_.current();
    line("## " + std::to_string(player_.step() + 1) + ". " + words(step.title));
    for (const std::string& paragraph : step.words) line(words(paragraph));
    if (step.predict) {
      line("**Predict:** " + words(step.predict->ask));
      for (const std::string& paragraph : step.reveal) line("**Space reveals:** " + words(paragraph));
    }
    if (step.question) question(*step.question);
    if (step.task) line("**Try it:** " + words(step.task->ask));
    if (!step.controls.empty()) {
      std::string all;
      for (const std::string& name : step.controls) all += (all.empty() ? "" : ", ") + label_of(name);
      line("**Controls:** " + all);
    }
    if (!step.notes.empty()) line("> **Notes:** " + escaped(player_.notes()));
  }

  void question(const scene::LessonQuestion& question) {
    line("**Question:** " + words(question.ask));
    for (std::size_t i = 0; i < question.choices.size(); ++i)
      text_ += std::string("- ") + static_cast<char>('A' + i) + ": " + words(question.choices[i]) + "\n";
    text_ += "\n";
    std::string answer = std::string("**Answer:** ") + static_cast<char>('A' + question.answer - 1) + ".";
    if (!question.why.empty()) answer += " " + words(question.why);
    line(answer);
  }

  LessonPlayer& player_;
  std::string text_;
};

}  // namespace

std::string handout_words(const std::vector<scene::WordRun>& runs) {
  std::string out;
  for (const scene::WordRun& run : runs) {
    if (run.script != 0) {
      out += script(run);
    } else if (run.emphasis == Emphasis::bold) {
      out += "**" + escaped(run.text) + "**";
    } else if (run.emphasis == Emphasis::button) {
      out += "`" + run.text + "`";
    } else {
      out += escaped(run.text);
    }
  }
  return out;
}

std::string handout(LessonPlayer& player) {
  return Writer(player).write();
}

}  // namespace headlight::app
