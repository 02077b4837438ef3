#version 330 core
// PLAIN 1 = all corners lie on the texture's white texel, so that it need not be looked at.
#ifndef PLAIN
#define PLAIN 0
#endif
uniform sampler2D Picture;
in vec2 place;
in vec4 tint;
out vec4 result;

void main() {
#if PLAIN
  result = tint;
#else
  result = tint * texture(Picture, place);
#endif
}
