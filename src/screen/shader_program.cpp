#include "screen/shader_program.h"

#include <glad/gl.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/embedded.h"

namespace headlight::screen {
namespace {

constexpr double look_every = 0.5;  // seconds

std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0' || text.back() == ' ')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

std::string file_name(const std::string& name, const char* stage) {
  return name + "." + stage + ".glsl";
}

// Returns the file's latest change; 0 if it does not exist.
long long changed(const std::filesystem::path& path) {
  std::error_code error;
  auto time = std::filesystem::last_write_time(path, error);
  return error ? 0 : static_cast<long long>(time.time_since_epoch().count());
}

// Returns 0 and a message if it does not compile.
GLuint compile(GLenum stage, const std::string& source, const std::string& file, std::string& log) {
  GLuint shader = glCreateShader(stage);
  const char* text = source.c_str();
  GLint length = static_cast<GLint>(source.size());
  glShaderSource(shader, 1, &text, &length);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return shader;
  std::string message(4096, '\0');
  GLsizei written = 0;
  glGetShaderInfoLog(shader, static_cast<GLsizei>(message.size()), &written, message.data());
  message.resize(static_cast<std::size_t>(written));
  log = "shader " + file + ": " + one_line(message);
  glDeleteShader(shader);
  return 0;
}

}  // namespace

ShaderProgram::ShaderProgram(std::string name, std::vector<Attribute> attributes, std::string defines)
    : name_(std::move(name)), attributes_(std::move(attributes)), defines_(std::move(defines)) {
  if (const char* folder = std::getenv("HEADLIGHT_SHADERS")) folder_ = folder;
}

ShaderProgram::~ShaderProgram() {
  if (program_) glDeleteProgram(program_);
}

bool ShaderProgram::use(double seconds) {
  if (!built_once_ || sources_changed(seconds)) {
    built_once_ = true;
    looked_ = seconds;
    log_.clear();
    unsigned built = build_from(folder_);
    if (!built && !program_ && !folder_.empty()) {
      // The watched sources never worked: use the program's own, and keep reporting the error.
      std::string wrong = std::exchange(log_, {});
      built = build_from({});
      log_ = std::move(wrong);
    }
    if (built) {
      if (program_) glDeleteProgram(program_);
      program_ = built;
      rebuilt_ = true;
    }
  }
  if (!program_) return false;
  glUseProgram(program_);
  return true;
}

// Checks the watched files, but not more often than twice a second.
bool ShaderProgram::sources_changed(double seconds) {
  if (folder_.empty() || (seconds - looked_ < look_every && seconds >= looked_)) return false;
  looked_ = seconds;
  return stamp() != stamp_;
}

long long ShaderProgram::stamp() const {
  std::filesystem::path folder(folder_);
  return changed(folder / file_name(name_, "vert")) ^ (changed(folder / file_name(name_, "frag")) << 1);
}

bool ShaderProgram::rebuilt() {
  return std::exchange(rebuilt_, false);
}

int ShaderProgram::uniform(const char* name) const {
  return program_ ? glGetUniformLocation(program_, name) : -1;
}

// Builds from the files in `folder`, or from the program itself if it is empty. Returns 0 on failure, with
// the reason in log_.
unsigned ShaderProgram::build_from(const std::string& folder) {
  if (!folder.empty()) stamp_ = stamp();
  std::string vertex, fragment;
  const std::pair<const char*, std::string*> stages[] = {{"vert", &vertex}, {"frag", &fragment}};
  for (auto [stage, text] : stages) {
    std::string file = file_name(name_, stage);
    if (folder.empty()) {
      auto bytes = base::embedded("shaders/" + file);
      text->assign(bytes.begin(), bytes.end());
    } else {
      std::ifstream in(std::filesystem::path(folder) / file, std::ios::binary);
      std::ostringstream content;
      if (in) content << in.rdbuf();
      *text = content.str();
    }
    if (text->empty()) {
      log_ =
          "shader " + file + ": not found" + (folder.empty() ? "" : " in " + folder + " (HEADLIGHT_SHADERS)");
      return 0;
    }
  }
  if (const std::size_t version = fragment.find('\n'); version != std::string::npos)
    fragment.insert(version + 1, defines_);
  return link(vertex, fragment);
}

unsigned ShaderProgram::link(const std::string& vertex_source, const std::string& fragment_source) {
  GLuint vertex = compile(GL_VERTEX_SHADER, vertex_source, file_name(name_, "vert"), log_);
  if (!vertex) return 0;
  GLuint fragment = compile(GL_FRAGMENT_SHADER, fragment_source, file_name(name_, "frag"), log_);
  if (!fragment) {
    glDeleteShader(vertex);
    return 0;
  }
  GLuint program = glCreateProgram();
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  for (const Attribute& attribute : attributes_)
    glBindAttribLocation(program, attribute.location, attribute.name.c_str());
  glLinkProgram(program);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint ok = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  if (ok) return program;
  std::string message(4096, '\0');
  GLsizei written = 0;
  glGetProgramInfoLog(program, static_cast<GLsizei>(message.size()), &written, message.data());
  message.resize(static_cast<std::size_t>(written));
  log_ = "shader " + name_ + ": " + one_line(message);
  glDeleteProgram(program);
  return 0;
}

}  // namespace headlight::screen
