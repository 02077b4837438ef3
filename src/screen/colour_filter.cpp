#include "screen/colour_filter.h"

#include <glad/gl.h>

namespace headlight::screen {

ColorFilter::ColorFilter() : program_("colour_vision", {}) {
  glGenTextures(1, &picture_);
  glGenVertexArrays(1, &vertices_);
}

ColorFilter::~ColorFilter() {
  glDeleteTextures(1, &picture_);
  glDeleteVertexArrays(1, &vertices_);
}

void ColorFilter::apply(draw::Vision vision, int width, int height) {
  if (vision == draw::Vision::full || width < 1 || height < 1) return;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, picture_);
  if (width != width_ || height != height_) {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    width_ = width, height_ = height;
  }
  glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, width, height);
  if (!program_.use(0)) return;  // the picture keeps its own colours
  glUniform1i(program_.uniform("u_picture"), 0);
  glUniformMatrix3fv(program_.uniform("u_matrix"), 1, GL_TRUE, draw::matrix_of(vision).data());
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glViewport(0, 0, width, height);
  glBindVertexArray(vertices_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glUseProgram(0);
  glBindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace headlight::screen
