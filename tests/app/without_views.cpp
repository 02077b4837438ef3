// What draws starts no thread: where it would only have to be built, for the thread sanitizer, this stands in
// its place. The pages are the true ones, but have no views; an animation takes its time and writes an empty
// file.
#include <chrono>
#include <fstream>
#include <thread>

#include "app/animate.h"
#include "app/pages.h"

namespace headlight::app {

const PageInfo& page_info(scene::Page page) {
  static const views::PageView nothing{};
#define ROW(name, folder) {scene::folder##_room, nothing},
  static const PageInfo all_pages[] = {HEADLIGHT_PAGES(ROW)};
#undef ROW
  return all_pages[static_cast<int>(page)];
}

base::Result<AnimateReport> animate(const scene::Scene&, const AnimateOptions& options,
                                    base::Parallel& parallel, const std::function<bool(float)>& goes_on) {
  for (int frame = 0; frame < options.frames; ++frame) {
    parallel.run(4, [](int) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!goes_on(static_cast<float>(frame) / static_cast<float>(options.frames)))
      return base::Error{"cancelled"};
  }
  std::ofstream(options.out).flush();
  return AnimateReport{options.frames, 0, 0, options.out, options.out};
}

}  // namespace headlight::app
