// A pair of shaders, from the program or, while one works on them, from a folder. With the environment
// variable HEADLIGHT_SHADERS=folder the files are watched and built again when they change; a shader that
// fails to build leaves the last good one in use and says why in log(). Needs a current OpenGL context from
// the first use() on. Tested by tests/screen/shader_program_test.cpp.
#pragma once

#include <string>
#include <vector>

namespace headlight::screen {

struct Attribute {
  std::string name;
  unsigned location = 0;
};

class ShaderProgram {
 public:
  /// `name` "heatmap" stands for shaders/heatmap.vert.glsl and shaders/heatmap.frag.glsl. The attributes are
  /// bound to where the vertex array has them. `defines`, lines of the preprocessor, follow the #version line
  /// of the fragment shader.
  ShaderProgram(std::string name, std::vector<Attribute> attributes, std::string defines = {});
  ~ShaderProgram();
  ShaderProgram(const ShaderProgram&) = delete;
  ShaderProgram& operator=(const ShaderProgram&) = delete;

  /// Shaders are read from a folder: draw a frame about twice a second, or changes are not seen.
  bool watched() const { return !folder_.empty(); }
  /// Builds when needed (looks at watched files about twice a second, by `seconds` on any steady clock) and
  /// makes the program current. False: nothing was ever built; log() says why.
  bool use(double seconds);
  /// True once after each new build, when uniforms have to be set and locations asked for again.
  bool rebuilt();
  /// The location of a uniform; −1 when the program does not use it, which is where OpenGL ignores values.
  int uniform(const char* name) const;
  /// Why the newest sources do not build, in one line; empty when all is well.
  const std::string& log() const { return log_; }

 private:
  bool sources_changed(double seconds);
  long long stamp() const;
  unsigned build_from(const std::string& folder);
  unsigned link(const std::string& vertex_source, const std::string& fragment_source);

  std::string name_, folder_, log_;
  std::vector<Attribute> attributes_;
  std::string defines_;
  unsigned program_ = 0;
  bool built_once_ = false, rebuilt_ = false;
  double looked_ = 0;
  long long stamp_ = 0;  // of the watched files, when they were built
};

}  // namespace headlight::screen
