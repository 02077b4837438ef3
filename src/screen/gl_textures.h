// Textures (textures.h) by OpenGL. Needs a current context for its whole life; what is left is deleted with
// it. Tested by tests/screen/canvas_gl_test.cpp.
#pragma once

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

 private:
  std::set<unsigned> names_;
};

}  // namespace headlight::screen
