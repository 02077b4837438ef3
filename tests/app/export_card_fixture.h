// The Export card, driven by its own names: a program whose exports go into a folder of the test.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "app/export_card.h"
#include "app/program.h"
#include "io/files.h"

namespace headlight::app::export_card_test {

class ExportCardTest : public tests::ProgramTest {
 protected:
  void start_on(scene::Page page) {
    scene::Scene scene;
    scene.page = page;
    start(scene);
    shell_->exporter().folder = folder_.path();
  }
  void open() {
    done(pilot_.click("top/export"));
    pilot_.frames(3);
    ASSERT_TRUE(pilot_.on_screen("export/write"));
  }
  /// A button, and what is made behind the window.
  void press(const char* name) {
    done(pilot_.click(name));
    shell_->exporter().wait();
    pilot_.frames(2);
  }
  std::string file(const std::string& name) const {
    const auto bytes = io::read_file(folder_ / name);
    EXPECT_TRUE(bytes) << name;
    return bytes ? *bytes : "";
  }
};

}  // namespace headlight::app::export_card_test
