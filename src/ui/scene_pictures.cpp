#include "ui/scene_pictures.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/caught.h"
#include "base/parallel.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "pictures/page_figure.h"
#include "pictures/pages.h"
#include "scene/shown.h"

namespace headlight::app {

namespace {

constexpr std::size_t most_kept_weights = 1 << 20;  // for one step; a lesson has many
constexpr float page_width = 1120;
constexpr double card_high = 0.9;  // fraction of a picture: a tile of the list is lower

/// The top of `from` in exactly the size of a picture; a smaller image is centred.
io::Image cropped(const io::Image& from, ScenePictures::Size size, draw::Color ground) {
  io::Image out{.width = size.width, .height = size.height};
  out.pixels.resize(std::size_t(4) * static_cast<std::size_t>(size.width) *
                    static_cast<std::size_t>(size.height));
  for (std::size_t i = 0; i < out.pixels.size(); i += 4) {
    out.pixels[i] = ground.r, out.pixels[i + 1] = ground.g, out.pixels[i + 2] = ground.b;
    out.pixels[i + 3] = 255;
  }
  const int rows = std::min(from.height, out.height), cols = std::min(from.width, out.width);
  const int left = (out.width - cols) / 2, top = (out.height - rows) / 2;
  const auto channels = static_cast<std::size_t>(from.channels);
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < cols; ++x) {
      const auto* source = &from.pixels[(static_cast<std::size_t>(y) * static_cast<std::size_t>(from.width) +
                                         static_cast<std::size_t>(x)) *
                                        channels];
      auto* target = &out.pixels[(static_cast<std::size_t>(y + top) * static_cast<std::size_t>(size.width) +
                                  static_cast<std::size_t>(x + left)) *
                                 4];
      std::copy(source, source + 3, target);
    }
  }
  return out;
}

std::string lowercase(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

/// The card that a step of a lesson names: by its name, or by a part of its title.
const figure::Panel* panel_named(const std::vector<figure::Panel>& panels, const std::string& name) {
  const std::string wanted = lowercase(name);
  for (const figure::Panel& panel : panels) {
    if (lowercase(panel.name) == wanted) return &panel;
  }
  for (const figure::Panel& panel : panels) {
    if (lowercase(panel.title).find(wanted) != std::string::npos) return &panel;
  }
  return nullptr;
}

/// Chooses the width of the page at which the card fills the picture best; of layouts that are nearly as
/// good, the narrowest is used, as its words are the largest.
void choose_layout(const views::PageInput& in, const std::string& name, ScenePictures::Size size,
                   FigureRequest& request) {
  constexpr std::array<float, 4> widths = {520, 700, 900, page_width};
  constexpr double clearly = 1.15;
  const auto wide = static_cast<double>(size.width), high = card_high * static_cast<double>(size.height);
  FigureRequest best = request;
  double filled = 0;
  for (const float width : widths) {
    FigureRequest one = request;
    one.width = width, one.height = width * static_cast<float>(high / wide);
    const std::vector<figure::Panel> panels = page_panels(one, in);
    const figure::Panel* const card = panel_named(panels, name);
    if (!card || card->box.w <= 0) continue;
    const auto w = static_cast<double>(card->box.w), h = static_cast<double>(card->box.h);
    one.panel = card->name, one.scale = std::min(wide / w, high / h);
    const double part = one.scale * w * one.scale * h / (wide * high);
    if (part > filled * clearly) best = one, filled = part;
  }
  request = best;
}

}  // namespace

ScenePictures::ScenePictures(screen::Textures& textures, std::function<void()> wake, Size size)
    : size_(size), textures_(textures), wake_(std::move(wake)) {}

ScenePictures::~ScenePictures() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    wanted_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  for (const auto& picture : kept_) {
    if (picture->texture_) textures_.destroy(picture->texture_);
  }
}

void ScenePictures::drop_if(const std::function<bool(const Picture&)>& unwanted) {
  std::erase_if(kept_, [&](const std::shared_ptr<Picture>& picture) {
    if (picture.use_count() > 1 || !unwanted(*picture)) return false;  // it is shown, or being made
    if (picture->texture_) textures_.destroy(std::exchange(picture->texture_, ImTextureID{}));
    return true;
  });
}

void ScenePictures::forget_results() {
  drop_if([](const Picture& picture) { return picture.with_results_; });
}

std::shared_ptr<ScenePictures::Picture> ScenePictures::ask(const scene::Scene& scene, bool with_results,
                                                           const std::string& card) {
  for (const auto& picture : kept_) {
    if (picture->scene_ == scene && picture->card_ == card && picture->with_results_ >= with_results)
      return picture;
  }
  auto picture = std::make_shared<Picture>();
  picture->scene_ = scene, picture->card_ = card, picture->with_results_ = with_results;
  if (kept_.size() >= most_kept) {
    std::size_t place = 0;
    drop_if([&](const Picture&) { return ++place > most_kept / 2; });
  }
  kept_.push_front(picture);
  {
    const std::lock_guard lock(mutex_);
    wanted_.push_back(picture);
    working_ = true;
  }
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { work(); });
    } catch (...) {  // then numbers are shown instead of pictures
      (void)base::caught_words();
      const std::lock_guard lock(mutex_);
      wanted_.clear(), working_ = false;
    }
  }
  changed_.notify_all();
  return picture;
}

ImTextureID ScenePictures::texture(Picture& picture) {
  if (!picture.texture_ && picture.ready_ && !picture.image_.pixels.empty()) {
    picture.texture_ = textures_.create_rgba(size_.width, size_.height);
    textures_.update_rgba(picture.texture_, 0, 0, size_.width, size_.height, picture.image_.pixels.data(),
                          size_.width);
    picture.image_ = {};
  }
  return picture.texture_;
}

void ScenePictures::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !working_; });
}

void ScenePictures::work() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (wanted_.empty()) {
      working_ = false;
      changed_.notify_all();
      changed_.wait(lock, [this] { return ends_ || !wanted_.empty(); });
      continue;
    }
    const std::shared_ptr<Picture> picture = wanted_.front();
    wanted_.pop_front();
    lock.unlock();
    try {
      make(*picture);
    } catch (...) {  // without a picture, the step's number is shown
      (void)base::caught_words();
    }
    picture->ready_ = true;
    wake_();
    lock.lock();
  }
  working_ = false;
  changed_.notify_all();
}

void ScenePictures::make(Picture& picture) const {
  scene::Scene scene = picture.scene_;
  scene.positions.play = false;
  base::Parallel parallel(1);
  std::shared_ptr<const scene::Results> results =
      scene::compute_now(scene, parallel, [this](float) { return !ends_; });
  if (!results || !results->failure.empty()) return;
  const auto cell = scene::explain_pinned(scene, *results);
  const draw::Theme& theme = theme_of(scene);
  const views::PageInput in{.scene = scene,
                            .results = *results,
                            .cell = cell.get(),
                            .hover = nullptr,
                            .theme = theme,
                            .map_view = {},
                            .numbers = scene::read_quantity};
  FigureRequest request{
      .page = scene.page,
      .width = page_width,
      .height = page_width * static_cast<float>(size_.height) / static_cast<float>(size_.width),
      .sized = true,
      .scale = static_cast<double>(size_.width) / static_cast<double>(page_width)};
  if (!picture.card_.empty()) choose_layout(in, picture.card_, size_, request);
  auto image = page_pixels(request, in);
  // Without buttons a card may be higher than measured.
  const double most_high = card_high * size_.height;
  if (image && !request.panel.empty() && (image->width > size_.width || image->height > most_high)) {
    request.scale *= std::min(static_cast<double>(size_.width) / image->width, most_high / image->height);
    image = page_pixels(request, in);
  }
  if (image) picture.image_ = cropped(*image, size_, request.panel.empty() ? theme.window : theme.panel);
  if (picture.with_results_ && results->attention.weights.size() <= most_kept_weights)
    picture.results_ = std::move(results);
}

}  // namespace headlight::app
