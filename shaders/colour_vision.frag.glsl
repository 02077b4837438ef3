#version 330 core
// The finished picture as somebody with colour-blindness sees it: a matrix on linear RGB (draw/colour_vision.h).
uniform sampler2D u_picture;
uniform mat3 u_matrix;
out vec4 color;

vec3 linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 encoded(vec3 c) { return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }

void main() {
  vec4 seen = texelFetch(u_picture, ivec2(gl_FragCoord.xy), 0);
  color = vec4(encoded(clamp(u_matrix * linear(seen.rgb), 0.0, 1.0)), seen.a);
}
