#include "screen/shader_program.h"

#include <glad/gl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gl_test.h"

namespace headlight::screen {
namespace {

namespace fs = std::filesystem;

const char* vertex_source =
    "#version 330 core\nin vec2 Position;\nvoid main() { gl_Position = vec4(Position, 0, 1); }\n";
const char* fragment_source =
    "#version 330 core\nuniform float Value;\nout vec4 color;\nvoid main() { color = vec4(Value); }\n";

class ShaderProgramTest : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    folder_ = fs::temp_directory_path() / ("headlight-shaders-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    unsetenv("HEADLIGHT_SHADERS");
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  void write(const char* name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    // Two writes within the clock's tick would have the same time.
    fs::last_write_time(folder_ / name,
                        fs::last_write_time(folder_ / name) + std::chrono::seconds(++writes_));
  }
  GLint current() {
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    return program;
  }
  fs::path folder_;
  int writes_ = 0;
};

TEST_F(ShaderProgramTest, TheProgramsOwnShadersBuild) {
  ShaderProgram program("heatmap", {{"Position", 0}, {"UV", 1}, {"Color", 2}});
  ASSERT_TRUE(program.use(0)) << program.log();
  EXPECT_EQ(program.log(), "");
  EXPECT_TRUE(program.rebuilt());
  EXPECT_FALSE(program.rebuilt());
  EXPECT_GE(program.uniform("Range"), 0);
  EXPECT_EQ(program.uniform("NoSuchThing"), -1);
  EXPECT_EQ(glGetAttribLocation(GLuint(current()), "UV"), 1);
  EXPECT_FALSE(program.watched());
}

TEST_F(ShaderProgramTest, AnUnknownNameSaysSo) {
  ShaderProgram program("nothing", {});
  EXPECT_FALSE(program.use(0));
  EXPECT_EQ(program.log(), "shader nothing.vert.glsl: not found");
}

TEST_F(ShaderProgramTest, ChangesAreBuiltAndABrokenShaderKeepsTheLastGoodOne) {
  write("mine.vert.glsl", vertex_source);
  write("mine.frag.glsl", fragment_source);
  setenv("HEADLIGHT_SHADERS", folder_.c_str(), 1);
  ShaderProgram program("mine", {{"Position", 0}});
  ASSERT_TRUE(program.use(100)) << program.log();
  EXPECT_TRUE(program.watched());
  EXPECT_TRUE(program.rebuilt());
  GLint first = current();

  write("mine.frag.glsl", "#version 330 core\nout vec4 color;\nvoid main() { color = nonsense; }\n");
  ASSERT_TRUE(program.use(100.1));  // not looked at yet
  EXPECT_EQ(program.log(), "");
  ASSERT_TRUE(program.use(100.7));
  EXPECT_EQ(current(), first);
  EXPECT_FALSE(program.rebuilt());
  EXPECT_EQ(program.log().rfind("shader mine.frag.glsl: ", 0), 0u) << program.log();
  EXPECT_NE(program.log().find("nonsense"), std::string::npos) << program.log();
  EXPECT_EQ(program.log().find('\n'), std::string::npos);

  write("mine.frag.glsl", fragment_source);
  ASSERT_TRUE(program.use(101.3));
  EXPECT_EQ(program.log(), "");
  EXPECT_TRUE(program.rebuilt());
  EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
}

TEST_F(ShaderProgramTest, WithoutFilesToWatchTheProgramsOwnAreUsed) {
  setenv("HEADLIGHT_SHADERS", folder_.c_str(), 1);
  ShaderProgram program("heatmap", {{"Position", 0}, {"UV", 1}, {"Color", 2}});
  ASSERT_TRUE(program.use(0));
  EXPECT_NE(program.log().find("not found in " + folder_.string()), std::string::npos) << program.log();
}

}  // namespace
}  // namespace headlight::screen
