#include "fuzz/user_screen.h"

#include <glad/gl.h>

#include "screen/gl_textures.h"
#include "screen/headless.h"
#include "screen/renderer.h"
#include "screen/unseen_screen.h"

namespace headlight::fuzz {

namespace {

class Unseen final : public UserScreen {
 public:
  screen::InputQueue& input() override { return screen_.input; }
  screen::Textures& textures() override { return screen_.textures; }
  std::string& clipboard() override { return screen_.clipboard; }
  void use() override { screen_.use(); }
  std::string frame(int width, int height, app::Shell&, const std::function<void()>& build) override {
    screen_.frame(width, height, build);
    return "";
  }

 private:
  screen::UnseenScreen screen_;
};

class Drawn final : public UserScreen {
 public:
  static std::unique_ptr<Drawn> create() {
    auto context = screen::HeadlessContext::create();
    if (!context) return nullptr;
    auto renderer = screen::Renderer::create();
    if (!renderer) return nullptr;
    return std::make_unique<Drawn>(std::move(*context), std::move(*renderer));
  }
  Drawn(std::unique_ptr<screen::HeadlessContext> context, std::unique_ptr<screen::Renderer> renderer)
      : context_(std::move(context)),
        renderer_(std::move(renderer)),
        textures_(std::make_unique<screen::GlTextures>()) {
    ImGuiIO& io = ImGui::GetIO();
    io.ClipboardUserData = &clipboard_;
    io.SetClipboardTextFn = [](void* data, const char* text) { *static_cast<std::string*>(data) = text; };
    io.GetClipboardTextFn = [](void* data) { return static_cast<std::string*>(data)->c_str(); };
    renderer_->keep_picture(*textures_);
  }

  screen::InputQueue& input() override { return input_; }
  screen::Textures& textures() override { return *textures_; }
  std::string& clipboard() override { return clipboard_; }
  void use() override { renderer_->use(); }
  std::string frame(int width, int height, app::Shell& shell, const std::function<void()>& build) override {
    use();
    if (!target_ || target_->width() != width || target_->height() != height) {
      target_.reset();
      auto made = screen::PixelTarget::create(width, height);
      if (!made) return made.error();
      target_ = std::move(*made);
    }
    target_->bind();
    input_.apply(ImGui::GetIO());
    renderer_->begin(width, height, screen::UnseenScreen::seconds);
    build();
    use();
    shell.upload();
    renderer_->end(shell.theme().window, shell.vision());
    target_->unbind();
    const GLenum error = glGetError();
    return error == GL_NO_ERROR ? "" : "OpenGL error " + std::to_string(error);
  }

 private:
  screen::InputQueue input_;
  std::string clipboard_;
  std::unique_ptr<screen::HeadlessContext> context_;
  std::unique_ptr<screen::Renderer> renderer_;
  std::unique_ptr<screen::GlTextures> textures_;
  std::unique_ptr<screen::PixelTarget> target_;
};

}  // namespace

std::unique_ptr<UserScreen> unseen_user_screen() {
  return std::make_unique<Unseen>();
}
std::unique_ptr<UserScreen> drawn_user_screen() {
  return Drawn::create();
}

}  // namespace headlight::fuzz
