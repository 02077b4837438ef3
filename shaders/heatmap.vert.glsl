#version 330 core
// A heatmap's rectangle, as ImGui's draw list has it. UV carries cells of the picture: column, row.
uniform mat4 Projection;
in vec2 Position;
in vec2 UV;
in vec4 Color;
out vec2 cell;
out float opacity;

void main() {
  cell = UV;
  opacity = Color.a;
  gl_Position = Projection * vec4(Position, 0.0, 1.0);
}
