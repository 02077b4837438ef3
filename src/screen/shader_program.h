// A pair of shaders, from the program or, during development, from a folder. With the environment variable
// HEADLIGHT_SHADERS=folder the files are watched and rebuilt when they change. If a shader fails to build,
// the last working one stays in use, and log() gives the reason. Needs a current OpenGL context from the
// first use() on. Tested by tests/screen/shader_program_test.cpp.
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
  /// `name` "heatmap" means shaders/heatmap.vert.glsl and shaders/heatmap.frag.glsl. The attributes are bound
  /// to their locations in the vertex array. `defines`, preprocessor lines, follow the #version line of the
  /// fragment shader.
  ShaderProgram(std::string name, std::vector<Attribute> attributes, std::string defines = {});
  ~ShaderProgram();
  ShaderProgram(const ShaderProgram&) = delete;
  ShaderProgram& operator=(const ShaderProgram&) = delete;

  /// Shaders are read from a folder: draw a frame about twice a second, so that changes are noticed.
  bool watched() const { return !folder_.empty(); }
  /// Builds if needed (checks watched files about twice a second, by `seconds` on any steady clock) and makes
  /// the program current. Returns false if no build ever succeeded; log() gives the reason.
  bool use(double seconds);
  /// Returns true once after each new build: the caller must set the uniforms and request their locations
  /// again.
  bool rebuilt();
  /// Returns the location of a uniform; −1 if the program does not use it, and OpenGL ignores values set
  /// there.
  int uniform(const char* name) const;
  /// Returns why the newest sources do not build, in one line; empty if they build.
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
  long long stamp_ = 0;  // of the watched files at the last build
};

}  // namespace headlight::screen
