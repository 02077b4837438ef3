#include "app/export_preview.h"

#include <cmath>
#include <utility>

namespace headlight::app {

ExportPreview::ExportPreview(screen::Textures& textures, std::function<void()> wake)
    : textures_(textures), job_(std::move(wake)) {}

ExportPreview::~ExportPreview() {
  if (texture_) textures_.destroy(texture_);
}

void ExportPreview::forget() {
  job_.stop();
  begun_.clear();
  width_ = height_ = 0;
}

void ExportPreview::take() {
  const auto made = job_.take();
  if (!made) return;
  const auto picture = *made ? io::decode_png((**made).bytes, "the preview") : base::Error{made->error()};
  if (begun_.empty()) return;  // the preview was dropped meanwhile
  width_ = height_ = 0;
  if (!picture) return;  // the card says why there is none
  const io::Image& image = picture->image;
  if (texture_) textures_.destroy(std::exchange(texture_, ImTextureID{}));
  texture_ = textures_.create_rgba(image.width, image.height);
  textures_.update_rgba(texture_, 0, 0, image.width, image.height, image.pixels.data(), image.width);
  width_ = image.width, height_ = image.height;
}

void ExportPreview::frame(const screen::Ui& ui, draw::Box pixels, draw::Color ground, const std::string& key,
                          const std::function<FileJob::Make()>& work) {
  take();
  if (begun_ != key && !job_.running()) {
    begun_ = key;
    job_.start({.what = "the preview", .smaller = "close other programs", .make = work(), .threads = 1});
  } else if (begun_ != key) {
    job_.stop();
  }
  if (width_ <= 0) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto wide = static_cast<float>(width_), high = static_cast<float>(height_);
  const ImVec2 from{std::round(pixels.centre().x - wide / 2), std::round(pixels.centre().y - high / 2)},
      to{from.x + wide, from.y + high};
  list.AddRectFilled(from, to, screen::packed(ground));
  list.AddImage(texture_, from, to);
  const ImVec2 line{ui.px(1), ui.px(1)};
  list.AddRect({from.x - line.x, from.y - line.y}, {to.x + line.x, to.y + line.y},
               screen::packed(ui.theme().border), 0, 0, line.x);
}

}  // namespace headlight::app
