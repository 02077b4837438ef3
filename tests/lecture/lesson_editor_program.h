// The program with the lesson editor, whose lessons are in a folder of their own.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "app/program.h"
#include "io/files.h"

namespace headlight::app::lesson_editor_test {

using scene::Scene;

class Editor : public tests::ProgramTest {
 protected:
  Editor() {
    start({});
    shell_->lessons().folder = folder_.path();
  }
  LessonEditor& editor() { return shell_->lessons().editor(); }
  const scene::LessonStep& step() { return editor().draft().current(); }
  const scene::Lesson& lesson() { return editor().draft().lesson(); }

  void begin() {
    done(pilot_.click("rail/Explore"));
    begin_here();
  }
  void begin_here() {
    shell_->lessons().write("", 0, now_);
    pilot_.frames(3);
    ASSERT_TRUE(editor().open()) << session_->message();
    settled();
  }
  /// Pictures and checks are there.
  void settled() {
    shell_->lessons().pictures().wait();
    pilot_.frames(3);
  }
  scene::Lesson on_disk() {
    const auto text = io::read_file(editor().path(), 1 << 20);
    EXPECT_TRUE(text);
    const auto read = scene::lesson_from_json(text ? *text : "", "disk.json");
    EXPECT_TRUE(read) << read.error();
    return read ? *read : scene::Lesson{};
  }
  void saved() { pilot_.frames(60); }
  /// Another program writes the lesson's file, with the title "By hand".
  void change_by_hand() {
    scene::Lesson other = lesson();
    other.title = "By hand";
    EXPECT_TRUE(io::write_file(editor().path(), scene::to_json(other)));
  }
  std::string at(const char* name) {
    return "editor/step/" + std::to_string(editor().draft().step() + 1) + "/" + name;
  }
  /// As from Compare one goes to the list of lessons.
  void from_compare_to_list() {
    Scene next = scene();
    next.page = scene::Page::compare;
    session_->change(next, "", now_);
    pilot_.frames(3);
    done(pilot_.click("rail/Learn"));
    pilot_.frames(3);
  }
};

}  // namespace headlight::app::lesson_editor_test
