// Textures for ImGui draw lists. Without OpenGL (in scripted tests) they only get numbers, so that the same
// code runs.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace headlight::screen {

class Textures {
 public:
  virtual ~Textures() = default;
  /// RGBA8, straight alpha, linear filtering. The id is never null.
  virtual ImTextureID create_rgba(int width, int height) = 0;
  virtual void update_rgba(ImTextureID id, int x, int y, int width, int height, const std::uint8_t* rgba,
                           int stride_pixels) = 0;
  virtual void destroy(ImTextureID id) = 0;
};

class NumberedTextures final : public Textures {
 public:
  ImTextureID create_rgba(int, int) override { return reinterpret_cast<ImTextureID>(++last_); }
  void update_rgba(ImTextureID, int, int, int, int, const std::uint8_t*, int) override {}
  void destroy(ImTextureID) override {}

 private:
  std::intptr_t last_ = 1000;
};

}  // namespace headlight::screen
