#include "faults/window_acts.h"

#include <chrono>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "io/files.h"
#include "learn/training_run.h"
#include "scene/portable.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/window_files.h"
#include "session/quick_training.h"
#include "support/model_files.h"
#include "support/reference_data.h"
#include "support/whole_model.h"

namespace headlight::faults {

namespace {

namespace fs = std::filesystem;
using scene::Scene;
using screen::Key;

constexpr screen::Mods ctrl{.ctrl = true};

void nothing(Interface&, const fs::path&) {}

template <const char* file>
void drop(Interface& it, const fs::path& folder) {
  const std::vector<std::string> paths = {(folder / file).string()};
  {
    const Counted counted;
    if (!it.shell.desk().document().drop(paths, it.now))  // as run_window() says it
      it.session.say("cannot open " + paths.front(), it.now);
  }
  until_quiet(it);
}
constexpr char other_scene[] = "other.json", figure[] = "figure.svg", own_model[] = "model.safetensors",
               foreign[] = "foreign", text[] = "text.txt", run[] = "run.safetensors",
               dump[] = "attention.npy", portable[] = "portable.zip", lesson[] = "a-lesson.json";

Scene another() {
  Scene scene;
  scene.sentence = "another scene";
  return scene;
}
bool is_another(Interface& it, const fs::path&) {
  return it.session.scene().sentence == another().sentence;
}
/// Its weights are those of a file, and are there.
bool has_model(Interface& it, const fs::path&) {
  return it.session.scene().weights != scene::WeightsSource::random &&
         it.session.results().weights_problem.empty() &&
         it.session.results().scene.weights == it.session.scene().weights;
}

void train(Interface& it, int steps) {
  it.session.training().start(tests::quick_training(scene::TrainingTask::reverse, steps));
  until_quiet(it);
}
template <scene::Page page>
void to_page(Interface& it, const fs::path&) {
  Scene next = it.session.scene();
  next.page = page;
  it.session.change(next, "", it.now);
  it.pilot.frames(2);
}
constexpr auto to_training = to_page<scene::Page::training>;
bool is_trained(Interface& it, const fs::path&) {
  const auto now = it.session.training().latest();
  return now && now->step == 12;
}

constexpr char svg[] = "SVG", pdf[] = "PDF", png[] = "PNG", npz[] = "NPZ";
template <const char* format>
void export_as(Interface& it, const fs::path&) {
  (void)it.pilot.click("top/export");
  it.pilot.frames(2);
  (void)it.pilot.click(std::string("export/format/") + format);
  if (format == png) (void)it.pilot.click("export/scale/1×");
  (void)it.pilot.click("export/write");
  {
    const Counted counted;
    it.shell.exporter().wait();
  }
  it.pilot.frames(2);
}
/// The card that is still open says why.
template <const char* file>
bool is_exported(Interface& it, const fs::path& folder) {
  return fs::exists(folder / file) || it.pilot.on_screen("export/write");
}
constexpr char svg_file[] = "headlight-attention.svg", pdf_file[] = "headlight-attention.pdf",
               png_file[] = "headlight-attention.png", npz_file[] = "headlight-attention.npz",
               gif_file[] = "headlight-positions-clocks.gif";

void animate(Interface& it, const fs::path&) {
  (void)it.pilot.click("top/export");
  it.pilot.frames(2);
  (void)it.pilot.click("export/clocks");
  (void)it.pilot.click("export/format/GIF");
  (void)it.pilot.click("export/frames/25");
  (void)it.pilot.click("export/scale/1×");
  (void)it.pilot.click("export/write");
  {
    const Counted counted;
    it.shell.exporter().wait();
  }
  it.pilot.frames(4);
}

const Act all[] = {
    {"autosave", nullptr, nothing,
     [](Interface& it, const fs::path&) {
       change(it, 11);
       it.rest(1);
       {
         const Counted counted;
         it.session.wait_until_saved();
       }
       it.rest(0.1);
     },
     [](Interface& it, const fs::path& folder) {
       const auto kept = scene::load(folder / "state" / "scene.json");
       return kept && *kept == it.session.scene();
     }},
    {"save", nullptr, [](Interface& it, const fs::path&) { change(it, 12); },
     [](Interface& it, const fs::path&) { it.pilot.key(Key::s, ctrl); },
     [](Interface&, const fs::path& folder) {
       const auto saved = scene::load(folder / "scene.json");
       return saved && saved->seed == 12;
     }},
    {"open_a_scene", nullptr, nothing, drop<other_scene>, is_another},
    {"open_a_figure", nullptr, nothing, drop<figure>, is_another},
    {"open_a_portable_scene",
     [](const fs::path& folder) {
       Scene scene = another();
       scene.weights = scene::WeightsSource::file;
       scene.weights_file = tests::whole_model("tiny-gpt2", "f16-transformer", folder).string();
       (void)scene::save_portable(scene, folder / portable);
     },
     nothing, drop<portable>, is_another},
    {"open_our_model", nullptr, nothing, drop<own_model>, has_model},
    {"open_another_model",
     [](const fs::path& folder) {
       fs::rename(tests::whole_model("models/llama", "bf16-sharded", folder), folder / foreign);
     },
     nothing, drop<foreign>, has_model},
    {"open_saved_attention",
     [](const fs::path& folder) {
       fs::copy(tests::ReferenceData::instance().on_disk("dumps/npy-lhtt") / dump, folder / dump);
     },
     nothing, drop<dump>, has_model},
    {"open_a_text", nullptr, nothing, drop<text>,
     [](Interface& it, const fs::path&) { return it.session.scene().sentence == "a text of a few words"; }},
    {"open_a_lesson",
     [](const fs::path& folder) {
       fs::copy(HEADLIGHT_SOURCE_DIR "/assets/lessons/07-masking.json", folder / lesson);
     },
     nothing,
     [](Interface& it, const fs::path& folder) {
       try {  // as the frame of the list in which it is chosen
         const Counted counted;
         it.shell.lessons().open((folder / lesson).string(), it.now);
       } catch (const std::bad_alloc&) {
         it.session.say("this frame could not be drawn", it.now);
       }
       it.pilot.frames(3);
     },
     [](Interface& it, const fs::path&) { return it.shell.lessons().player().open(); }},
    {"open_a_run",
     [](const fs::path& folder) {
       base::Parallel alone(1);
       const auto made =
           scene::start_training(tests::quick_training(scene::TrainingTask::reverse, 12), alone);
       while (made && (*made)->advance(alone)) {
       }
       tests::write_bytes(folder / run, *(*made)->file(0, true));
     },
     to_training, drop<run>, is_trained},
    {"train", nullptr, to_training, [](Interface& it, const fs::path&) { train(it, 12); }, is_trained},
    {"leave", nullptr,
     [](Interface& it, const fs::path& folder) {
       to_training(it, folder);
       train(it, 12);
     },
     [](Interface& it, const fs::path&) {
       const Counted counted;
       it.session.training().leave();
       it.session.training().wait_until_left();
     },
     is_trained},
    {"write_a_lesson", nullptr, nothing,
     [](Interface& it, const fs::path&) {
       it.shell.lessons().write("", 0, it.now);
       it.pilot.frames(3);
       (void)it.pilot.fill("editor/lesson title", "Mine");
       it.rest(1);
     },
     [](Interface& it, const fs::path& folder) {
       // Its panel says why.
       return fs::exists(folder / "lessons" / "mine.json") || it.shell.lessons().editor().open();
     }},
    {"export_a_figure", nullptr, nothing, export_as<svg>, is_exported<svg_file>},
    {"export_a_pdf", nullptr, nothing, export_as<pdf>, is_exported<pdf_file>},
    {"export_a_picture", nullptr, nothing, export_as<png>, is_exported<png_file>},
    {"export_numbers", nullptr, nothing, export_as<npz>, is_exported<npz_file>},
    {"animate", nullptr, to_page<scene::Page::position>, animate, is_exported<gif_file>},
};

}  // namespace

bool Act::exports() const {
  return std::string_view(name).starts_with("export_") || act == animate;
}

std::span<const Act> acts() {
  return all;
}

void change(Interface& it, int seed) {
  Scene next = it.session.scene();
  next.seed = seed;
  it.session.change(next, "", it.now);
}

void until_quiet(Interface& it) {
  for (int i = 0; i < 400 && (!it.session.loading().empty() || it.session.training().running()); ++i) {
    {
      const Counted counted;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    it.frame();
  }
  it.pilot.frames(2);
}

}  // namespace headlight::faults
