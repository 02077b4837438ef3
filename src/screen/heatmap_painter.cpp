#include "screen/heatmap_painter.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "screen/heatmap_level.h"
#include "screen/shader_program.h"

namespace headlight::screen {
namespace {

constexpr int values_unit = 1, colors_unit = 2;        // unit 0 is ImGui's
constexpr int forget_after = 120;                      // frames
constexpr std::size_t comfortable_bytes = 256u << 20;  // beyond this, textures are freed after a few frames
constexpr float smallest_gapped_cell = 8;              // units

std::uint64_t fingerprint(std::span<const base::Interval> intervals) {
  std::uint64_t hash = 1469598103934665603ull ^ intervals.size();
  for (base::Interval i : intervals) {
    hash ^= (std::uint64_t(std::uint32_t(i.begin)) << 32) | std::uint32_t(i.end);
    hash *= 1099511628211ull;
    hash ^= hash >> 29;
  }
  return hash;
}

// Identifies the data that a texture was made from.
struct Source {
  const float* values = nullptr;
  std::uint64_t version = 0, allowed = 0;
  int rows = 0, cols = 0, row_stride = 0;
  Level level;
  bool operator==(const Source&) const = default;
};

struct Texture {
  Source source;
  std::vector<base::Interval> allowed;  // kept until the upload
  GLuint name = 0;
  int width = 0, height = 0;  // as allocated
  bool uploaded = false;
  int last_used = 0;
  std::size_t bytes() const { return std::size_t(width) * std::size_t(height) * sizeof(float); }
};

struct Uniforms {
  int projection, map, range, decades, transposed, cells, shown, pixels_per_cell, blocks_per_cell, begin,
      mask_color, origin, gap, radius;
};

void set_color(int location, draw::Color c) {
  glUniform3f(location, float(c.r) / 255, float(c.g) / 255, float(c.b) / 255);
}

// The matrix from ImGui's display rectangle to clip space, column by column.
void set_projection(int location) {
  const ImDrawData* data = ImGui::GetDrawData();
  float left = data->DisplayPos.x, right = left + data->DisplaySize.x;
  float top = data->DisplayPos.y, bottom = top + data->DisplaySize.y;
  const float matrix[16] = {2 / (right - left),
                            0,
                            0,
                            0,
                            0,
                            2 / (top - bottom),
                            0,
                            0,
                            0,
                            0,
                            -1,
                            0,
                            (right + left) / (left - right),
                            (top + bottom) / (bottom - top),
                            0,
                            1};
  glUniformMatrix4fv(location, 1, GL_FALSE, matrix);
}

}  // namespace

struct HeatmapPainter::State {
  struct Request {
    State* state;
    draw::Heatmap map;         // its `allowed` is not used: texture->allowed is
    draw::Box box, shown;      // pixels, cells
    float pixels_x, pixels_y;  // per cell
    float scale;
    draw::Color mask;
    Texture* texture;
  };

  std::deque<Request> requests;  // of this frame; draw commands point into it
  std::deque<Request> previous;  // of the frame before
  std::vector<Request> fading;   // the old maps that the current ones are blended with
  float part = 1;                // part of the new ones in this frame
  float part_before = 1;         // in the frame before
  std::deque<std::unique_ptr<Texture>> textures;
  // One for each way of drawing a map, built when first needed: see heatmap.frag.glsl. The default scene
  // needs one.
  struct Program {
    Program(std::string defines, const std::vector<Attribute>& attributes)
        : shaders("heatmap", attributes, std::move(defines)) {}
    ShaderProgram shaders;
    Uniforms uniforms{};
  };
  std::array<std::unique_ptr<Program>, 16> programs;
  std::vector<Attribute> attributes;  // ImGui's locations; empty: nothing was drawn yet
  GLuint colors = 0;
  int frame = 0, uploads = 0;
  int most_texels =
      4096;  // supported by every OpenGL 3.3 driver; the true limit is queried after the first render
  bool requested_limit = false;
  draw::Theme theme = draw::theme(true);
  bool can_draw = true;

  Texture& texture_for(const draw::Heatmap& map, const Level& level);
  void upload(Texture& texture, const draw::Heatmap& map);
  void start();
  Program& program_for(bool gaps, bool masked, bool small, bool logarithmic);
  void find_uniforms(Program& program);
  void begin_map(const Request& request);
  const Request* faded_by(const Request& request) const;
  void add(ImDrawList& list, const Request& request, float opacity);
  void release(Texture& texture) {
    if (texture.name) glDeleteTextures(1, &texture.name);
  }

  static void begin_callback(const ImDrawList*, const ImDrawCmd* command) {
    auto* request = static_cast<Request*>(command->UserCallbackData);
    request->state->begin_map(*request);
  }
  static void end_callback(const ImDrawList*, const ImDrawCmd*) {
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  }
};

// Returns the texture of this level, or one to fill: an old one of the same size if possible.
Texture& HeatmapPainter::State::texture_for(const draw::Heatmap& map, const Level& level) {
  Source source{map.values, map.version, map.allowed.empty() ? 0 : fingerprint(map.allowed),
                map.rows,   map.cols,    map.row_stride,
                level};
  Texture* found = nullptr;
  for (auto& texture : textures)
    if (texture->source == source) found = texture.get();
  if (!found) {
    for (auto& texture : textures)
      if (!found && texture->last_used < frame - 1 && texture->width == level.cols.size &&
          texture->height == level.rows.size)
        found = texture.get();
    if (!found) found = textures.emplace_back(std::make_unique<Texture>()).get();
    found->source = source;
    found->allowed.assign(map.allowed.begin(), map.allowed.end());
    found->uploaded = false;
  }
  found->last_used = frame;
  return *found;
}

void HeatmapPainter::State::upload(Texture& texture, const draw::Heatmap& map) {
  draw::Heatmap with_mask = map;
  with_mask.allowed = texture.allowed;
  std::vector<float> texels = reduce(with_mask, texture.source.level);
  int width = texture.source.level.cols.size, height = texture.source.level.rows.size;
  bool fresh = texture.name == 0;
  if (fresh) glGenTextures(1, &texture.name);
  glActiveTexture(GL_TEXTURE0 + values_unit);
  glBindTexture(GL_TEXTURE_2D, texture.name);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  if (fresh) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  }
  if (fresh || texture.width != width || texture.height != height)
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, texels.data());
  else
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RED, GL_FLOAT, texels.data());
  texture.width = width, texture.height = height;
  texture.uploaded = true;
  texture.allowed = {};
  ++uploads;
}

// Called at the first map: ImGui's program is current, and our attributes must use its locations.
void HeatmapPainter::State::start() {
  GLint theirs = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &theirs);
  for (const char* name : {"Position", "UV", "Color"}) {
    int location = glGetAttribLocation(static_cast<GLuint>(theirs), name);
    HEADLIGHT_CHECK_OP(location, >=, 0);
    attributes.push_back({name, static_cast<unsigned>(location)});
  }
  std::vector<draw::Color> table;
  for (int map = 0; map < draw::colormaps; ++map) {
    const auto& colors_of_map = draw::colors(static_cast<draw::Colormap>(map));
    table.insert(table.end(), colors_of_map.begin(), colors_of_map.end());
  }
  static_assert(sizeof(draw::Color) == 4);
  glGenTextures(1, &colors);
  glActiveTexture(GL_TEXTURE0 + colors_unit);
  glBindTexture(GL_TEXTURE_2D, colors);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, draw::colormaps, 0, GL_RGBA, GL_UNSIGNED_BYTE, table.data());
}

HeatmapPainter::State::Program& HeatmapPainter::State::program_for(bool gaps, bool masked, bool small,
                                                                   bool logarithmic) {
  std::unique_ptr<Program>& one =
      programs[(gaps ? 1u : 0u) | (masked ? 2u : 0u) | (small ? 4u : 0u) | (logarithmic ? 8u : 0u)];
  if (!one) {
    const auto define = [](const char* name, bool on) {
      return std::string("#define ") + name + (on ? " 1\n" : " 0\n");
    };
    one = std::make_unique<Program>(define("GAPS", gaps) + define("MASKED", masked) + define("SMALL", small) +
                                        define("LOGARITHMIC", logarithmic),
                                    attributes);
  }
  return *one;
}

void HeatmapPainter::State::find_uniforms(Program& program) {
  auto at = [&](const char* name) { return program.shaders.uniform(name); };
  program.uniforms = {.projection = at("Projection"),
                      .map = at("Map"),
                      .range = at("Range"),
                      .decades = at("Decades"),
                      .transposed = at("Transposed"),
                      .cells = at("Cells"),
                      .shown = at("Shown"),
                      .pixels_per_cell = at("PixelsPerCell"),
                      .blocks_per_cell = at("BlocksPerCell"),
                      .begin = at("Begin"),
                      .mask_color = at("MaskColor"),
                      .origin = at("Origin"),
                      .gap = at("Gap"),
                      .radius = at("Radius")};
  glUniform1i(at("Values"), values_unit);
  glUniform1i(at("Colors"), colors_unit);
  glUniform1f(at("MaskedTexel"), masked_texel);
  glUniform1f(at("NonfiniteTexel"), nonfinite_texel);
  set_color(at("NonfiniteColor"), draw::nan_color);
}

// Runs between ImGui's commands: selects our program instead of ImGui's, and sets what this map needs.
void HeatmapPainter::State::begin_map(const Request& request) {
  if (attributes.empty()) start();
  const draw::Heatmap& map = request.map;
  const Level& level = request.texture->source.level;
  const float unit = std::max(request.scale, 0.25f), smaller = std::min(request.pixels_x, request.pixels_y);
  const bool gapped = map.gaps && smaller >= smallest_gapped_cell * unit;
  const bool small = smaller < 1 || level.cols.shift > 0 || level.rows.shift > 0;
  Program& program = program_for(gapped, request.texture->source.allowed != 0, small, map.decades > 0);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  can_draw = program.shaders.use(seconds);
  if (!can_draw) {
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);  // the rectangle must not be drawn with ImGui's
                                                          // texture
    return;
  }
  if (program.shaders.rebuilt()) find_uniforms(program);
  const Uniforms& uniforms = program.uniforms;
  if (!request.texture->uploaded) upload(*request.texture, request.map);
  glActiveTexture(GL_TEXTURE0 + values_unit);
  glBindTexture(GL_TEXTURE_2D, request.texture->name);
  glActiveTexture(GL_TEXTURE0 + colors_unit);
  glBindTexture(GL_TEXTURE_2D, colors);
  glActiveTexture(GL_TEXTURE0);

  set_projection(uniforms.projection);
  glUniform1i(uniforms.map, static_cast<int>(request.map.map));
  glUniform2f(uniforms.range, map.lo, map.hi);
  glUniform1f(uniforms.decades, map.decades);
  glUniform1i(uniforms.transposed, map.transposed);
  glUniform2f(uniforms.cells, float(map.transposed ? map.rows : map.cols),
              float(map.transposed ? map.cols : map.rows));
  glUniform2f(uniforms.shown, request.shown.x, request.shown.y);
  glUniform2f(uniforms.pixels_per_cell, request.pixels_x, request.pixels_y);
  glUniform2f(uniforms.blocks_per_cell, 1.f / float(1 << level.cols.shift),
              1.f / float(1 << level.rows.shift));
  glUniform2i(uniforms.begin, level.cols.begin, level.rows.begin);
  set_color(uniforms.mask_color, request.mask);
  glUniform2f(uniforms.origin, request.box.x, request.box.y);
  glUniform1f(uniforms.gap,
              gapped ? std::max(1.f, std::round(std::clamp(smaller * 0.03f, unit, 1.6f * unit))) : 0.f);
  glUniform1f(uniforms.radius, std::min(smaller * 0.04f, 3 * unit));
}

HeatmapPainter::HeatmapPainter() : state_(std::make_unique<State>()) {}

HeatmapPainter::~HeatmapPainter() {
  for (auto& texture : state_->textures) state_->release(*texture);
  if (state_->colors) glDeleteTextures(1, &state_->colors);
}

void HeatmapPainter::begin_frame() {
  State& s = *state_;
  s.previous.swap(s.requests);
  s.requests.clear();
  ++s.frame;
  s.part_before = std::exchange(s.part, 1.f);
  if (s.part_before >= 1) s.fading.clear();
  for (const State::Request& request : s.fading) request.texture->last_used = s.frame;
  if (!s.attributes.empty() && !s.requested_limit) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    s.most_texels = std::max(most, 1024);
    s.requested_limit = true;
  }
  std::size_t bytes = memory().bytes;
  std::erase_if(s.textures, [&](const std::unique_ptr<Texture>& texture) {
    int idle = s.frame - texture->last_used;
    if (idle <= 3 || (idle <= forget_after && bytes <= comfortable_bytes)) return false;
    bytes -= std::min(bytes, texture->bytes());
    s.release(*texture);
    return true;
  });
}

void HeatmapPainter::set_theme(const draw::Theme& theme) {
  state_->theme = theme;
}

void HeatmapPainter::draw(ImDrawList& list, draw::Box box, const draw::Heatmap& map, float scale,
                          float opacity) {
  State& s = *state_;
  if (!map.values || map.rows <= 0 || map.cols <= 0 || !(box.w > 0) || !(box.h > 0)) return;
  if (!map.allowed.empty()) HEADLIGHT_CHECK_OP(map.allowed.size(), ==, static_cast<std::size_t>(map.rows));
  draw::Box shown = shown_part(map);
  Texture& texture = s.texture_for(map, choose_level(map, box.w, box.h, s.most_texels));
  State::Request request{&s,    map,          box,     shown, box.w / shown.w, box.h / shown.h,
                         scale, s.theme.mask, &texture};
  request.map.allowed = {};
  request.map.map = draw::resolved(map.map, s.theme);
  const State::Request* before = s.part < 1 ? s.faded_by(request) : nullptr;
  if (before) s.add(list, *before, opacity);
  s.add(list, request, before ? opacity * s.part : opacity);
}

void HeatmapPainter::blend(float part) {
  State& s = *state_;
  if (part < 1 && part < s.part_before) s.fading.assign(s.previous.begin(), s.previous.end());
  s.part = part;
}

/// Returns what was drawn in this place before, if it was another picture; null: nothing.
const HeatmapPainter::State::Request* HeatmapPainter::State::faded_by(const Request& request) const {
  // Searches from the last one: of two overlapping maps, it was visible.
  const auto here = std::find_if(fading.rbegin(), fading.rend(), [&](const Request& one) {
    return one.box == request.box && one.shown == request.shown && one.map.rows == request.map.rows &&
           one.map.cols == request.map.cols && one.map.transposed == request.map.transposed;
  });
  return here != fading.rend() && here->texture->uploaded && here->texture != request.texture ? &*here
                                                                                              : nullptr;
}

void HeatmapPainter::State::add(ImDrawList& list, const Request& request, float opacity) {
  requests.push_back(request);
  const draw::Box &box = request.box, &shown = request.shown;
  list.AddCallback(begin_callback, &requests.back());
  list.PrimReserve(6, 4);
  list.PrimRectUV({box.x, box.y}, {box.right(), box.bottom()}, {shown.x, shown.y},
                  {shown.right(), shown.bottom()},
                  IM_COL32(255, 255, 255, int(std::clamp(opacity, 0.f, 1.f) * 255 + 0.5f)));
  list.AddCallback(end_callback, nullptr);
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

std::uint64_t HeatmapPainter::look(const ImDrawCmd& callback) {
  if (callback.UserCallback != State::begin_callback) return 1;
  const auto& request = *static_cast<const State::Request*>(callback.UserCallbackData);
  const Source& source = request.texture->source;
  const draw::Heatmap& map = request.map;
  std::uint64_t hash = 2;
  const auto add = [&](auto value) {
    std::uint64_t bits = 0;
    static_assert(sizeof value <= sizeof bits);
    std::memcpy(&bits, &value, sizeof value);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  };
  add(source.values), add(source.version), add(source.allowed);
  for (const int number :
       {source.rows, source.cols, source.row_stride, source.level.rows.begin, source.level.rows.size,
        source.level.rows.shift, source.level.cols.begin, source.level.cols.size, source.level.cols.shift,
        static_cast<int>(map.map), static_cast<int>(map.transposed), static_cast<int>(map.gaps)})
    add(number);
  for (const float number : {map.lo, map.hi, map.decades, request.box.x, request.box.y, request.shown.x,
                             request.shown.y, request.pixels_x, request.pixels_y, request.scale})
    add(number);
  add(request.mask);
  return hash;
}

const std::string& HeatmapPainter::shader_log() const {
  static const std::string none;
  for (const auto& program : state_->programs)
    if (program && !program->shaders.log().empty()) return program->shaders.log();
  return none;
}

bool HeatmapPainter::watching() const {
  return std::getenv("HEADLIGHT_SHADERS") != nullptr;
}

HeatmapPainter::Memory HeatmapPainter::memory() const {
  Memory out{static_cast<int>(state_->textures.size()), 0, state_->uploads};
  for (const auto& texture : state_->textures) out.bytes += texture->bytes();
  return out;
}

}  // namespace headlight::screen
