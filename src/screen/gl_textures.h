// Textures (textures.h) in OpenGL. Needs a current context for its whole life; its destructor deletes the
// remaining textures. Tested by tests/screen/canvas_gl_test.cpp.
#pragma once

#include <cstdint>
#include <set>

#include "screen/textures.h"

namespace headlight::screen {

class GlTextures final : public Textures {
 public:
  GlTextures() = default;
  ~GlTextures() override;
  GlTextures(const GlTextures&) = delete;
  GlTextures& operator=(const GlTextures&) = delete;

  /// Transparent until it is updated.
  ImTextureID create_rgba(int width, int height) override;
  void update_rgba(ImTextureID id, int x, int y, int width, int height, const std::uint8_t* rgba,
                   int stride_pixels) override;
  void destroy(ImTextureID id) override;
  /// Returns how many were destroyed: a newer texture may have the same id as one of them.
  std::uint64_t destroyed() const { return destroyed_; }

 private:
  std::set<unsigned> names_;
  std::uint64_t destroyed_ = 0;
};

}  // namespace headlight::screen
