#include "screen/part_painter.h"

#include <glad/gl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace headlight::screen {

namespace {

const std::vector<Attribute> attributes{{"Position", 0}, {"UV", 1}, {"Color", 2}};

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

}  // namespace

PartPainter::PartPainter()
    : shapes_("shapes", attributes, "#define PLAIN 0\n"), plain_("shapes", attributes, "#define PLAIN 1\n") {
  glGenVertexArrays(1, &array_);
  glGenBuffers(1, &vertices_);
  glGenBuffers(1, &indices_);
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
  for (const Attribute& attribute : attributes) glEnableVertexAttribArray(attribute.location);
  constexpr GLsizei size = sizeof(ImDrawVert);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, size, offset(offsetof(ImDrawVert, pos)));
  glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, size, offset(offsetof(ImDrawVert, uv)));
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, size, offset(offsetof(ImDrawVert, col)));
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

PartPainter::~PartPainter() {
  glDeleteVertexArrays(1, &array_);
  glDeleteBuffers(1, &vertices_);
  glDeleteBuffers(1, &indices_);
}

void PartPainter::begin(const ImDrawData& data) {
  constexpr auto size = static_cast<GLsizeiptr>(sizeof(ImDrawVert));
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBufferData(GL_ARRAY_BUFFER, std::max(1, data.TotalVtxCount) * size, nullptr, GL_STREAM_DRAW);
  first_vertex_.clear();
  int first = 0;
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImVector<ImDrawVert>& vertices = data.CmdLists[n]->VtxBuffer;
    first_vertex_.push_back(first);
    if (vertices.Size > 0)
      glBufferSubData(GL_ARRAY_BUFFER, first * size, vertices.Size * size, vertices.Data);
    first += vertices.Size;
  }
  const float left = data.DisplayPos.x, right = left + data.DisplaySize.x;
  const float top = data.DisplayPos.y, bottom = top + data.DisplaySize.y;
  std::fill(std::begin(projection_), std::end(projection_), 0.f);
  projection_[0] = 2 / (right - left), projection_[5] = 2 / (top - bottom), projection_[10] = -1;
  projection_[12] = (right + left) / (left - right), projection_[13] = (top + bottom) / (bottom - top);
  projection_[15] = 1;
  set_up(data);
  // Builds them now if needed: callbacks of the draw data expect shapes_ to be in use.
  for (ShaderProgram* program : {&plain_, &shapes_}) {
    if (!program->use(0)) continue;
    (void)program->rebuilt();
    glUniformMatrix4fv(program->uniform("Projection"), 1, GL_FALSE, projection_);
    glUniform1i(program->uniform("Picture"), 0);
  }
  look_ = Look::shapes;
}

/// Sets the state with which ImGui's backend starts a frame.
void PartPainter::set_up(const ImDrawData& data) {
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glEnable(GL_SCISSOR_TEST);
  glViewport(0, 0, static_cast<GLsizei>(data.DisplaySize.x), static_cast<GLsizei>(data.DisplaySize.y));
  glActiveTexture(GL_TEXTURE0);
  glBindVertexArray(array_);
}

void PartPainter::look(Look wanted) {
  if (look_ == wanted) return;
  (wanted == Look::plain ? plain_ : shapes_).use(0);
  if (wanted == Look::plain) glDisable(GL_BLEND);
  if (look_ == Look::plain) glEnable(GL_BLEND);
  look_ = wanted;
}

void PartPainter::paint(const ImDrawData& data, const Damage::Part& part) {
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(part.indices.size() * sizeof(ImDrawIdx)),
               part.indices.data(), GL_STREAM_DRAW);
  ImVec4 clip{-1, -1, -1, -1};
  ImTextureID texture = nullptr;
  bool known = false;    // which texture is bound is known
  bool foreign = false;  // a callback's own program is in use
  for (const Damage::Piece& piece : part.pieces) {
    const ImDrawCmd& command = *piece.command;
    if (command.UserCallback == ImDrawCallback_ResetRenderState) {
      set_up(data);
      look_ = Look::none, look(Look::shapes);
      foreign = known = false;
      continue;
    }
    if (command.UserCallback) {
      look(Look::shapes);
      command.UserCallback(data.CmdLists[piece.list], &command);
      foreign = true, known = false;
      continue;
    }
    if (piece.clip.x != clip.x || piece.clip.y != clip.y || piece.clip.z != clip.z ||
        piece.clip.w != clip.w) {
      clip = piece.clip;
      glScissor(static_cast<int>(clip.x), static_cast<int>(data.DisplaySize.y - clip.w),
                static_cast<int>(clip.z - clip.x), static_cast<int>(clip.w - clip.y));
    }
    if (!foreign) look(piece.opaque ? Look::plain : Look::shapes);
    if (!piece.opaque && (!known || command.TextureId != texture)) {
      texture = command.TextureId, known = true;
      glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(reinterpret_cast<std::intptr_t>(texture)));
    }
    const auto list = static_cast<std::size_t>(piece.list);
    glDrawElementsBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(piece.count),
                             sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                             offset(piece.first * sizeof(ImDrawIdx)),
                             first_vertex_[list] + static_cast<int>(command.VtxOffset));
  }
}

void PartPainter::end() {
  look(Look::shapes);
  look_ = Look::none;
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindTexture(GL_TEXTURE_2D, 0);
  glUseProgram(0);
}

}  // namespace headlight::screen
