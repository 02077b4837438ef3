#include "screen/gl_textures.h"

#include <glad/gl.h>

#include <vector>

#include "base/check.h"

namespace headlight::screen {
namespace {

GLuint name_of(ImTextureID id) {
  return static_cast<GLuint>(reinterpret_cast<std::intptr_t>(id));
}

}  // namespace

GlTextures::~GlTextures() {
  for (unsigned name : names_) glDeleteTextures(1, &name);
}

ImTextureID GlTextures::create_rgba(int width, int height) {
  HEADLIGHT_CHECK(width > 0 && height > 0);
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  std::vector<std::uint8_t> empty(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, empty.data());
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
  names_.insert(name);
  return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(name));
}

void GlTextures::update_rgba(ImTextureID id, int x, int y, int width, int height, const std::uint8_t* rgba,
                             int stride_pixels) {
  HEADLIGHT_CHECK(names_.count(name_of(id)) == 1);
  if (width <= 0 || height <= 0) return;
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glBindTexture(GL_TEXTURE_2D, name_of(id));
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, stride_pixels);
  glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
}

void GlTextures::destroy(ImTextureID id) {
  ++destroyed_;
  GLuint name = name_of(id);
  if (names_.erase(name)) glDeleteTextures(1, &name);
}

}  // namespace headlight::screen
