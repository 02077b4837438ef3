#version 330 core
// ImGui's shapes and letters: a corner in pixels, its place in the texture, its colour.
uniform mat4 Projection;
in vec2 Position;
in vec2 UV;
in vec4 Color;
out vec2 place;
out vec4 tint;

void main() {
  place = UV;
  tint = Color;
  gl_Position = Projection * vec4(Position, 0.0, 1.0);
}
