// Pictures, animations and files of numbers: checks the arguments and runs the commands.
#include <algorithm>

#include "command/commands.h"
#include "command/progress_line.h"
#include "command/words.h"
#include "figure/figure.h"
#include "pages/missing.h"
#include "pages/page_that.h"
#include "pictures/animate.h"
#include "pictures/card_names.h"
#include "scene/nearest.h"
#include "scene/portable.h"
#include "scene/settings.h"
#include "scene/store.h"

namespace headlight::app {

namespace {

constexpr int smallest_side = 64, largest_side = 16384;  // pixels of a picture
constexpr double smallest_scale = 0.25, largest_scale = 8;

bool read_size(const std::string& text, RenderOptions& options) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) return false;
  return read_number(text.substr(0, cross), options.width) &&
         read_number(text.substr(cross + 1), options.height);
}

/// Reads --without and --square, which apply to one card.
std::optional<Failure> read_parts(const Words& words, RenderOptions& options) {
  if (words.has_without) {
    if (const base::Status read = leave_out(options.parts, words.without); !read)
      return Failure{words_wrong, "--without: " + read.error()};
  }
  options.parts.square = words.square;
  if (options.parts == draw::FigureParts{} || !words.panel.empty()) return std::nullopt;
  return Failure{words_wrong, std::string(words.has_without ? "--without" : "--square") +
                                  " changes a figure of one card; name the card with --panel NAME"};
}

/// The card of --panel or --present must be one that the page can have.
std::optional<Failure> check_card(const Words& words, scene::Page page) {
  const bool present = !words.present.empty();
  const std::string unknown = unknown_card(page, present ? words.present : words.panel);
  if (unknown.empty()) return std::nullopt;
  return Failure{words_wrong, (present ? "--present: " : "--panel: ") + unknown};
}

}  // namespace

std::optional<Failure> read_look(const Words& words, RenderOptions& options) {
  options.panel = words.present.empty() ? words.panel : words.present;
  options.present = !words.present.empty();
  const bool parts = words.has_without || words.square;
  if (options.present && (!words.panel.empty() || words.transparent || parts || !words.width_mm.empty()))
    return Failure{words_wrong,
                   std::string("--present shows a card alone in a whole window; leave out --panel, "
                               "--transparent") +
                       (parts ? ", --without, --square" : "") + " and --width-mm"};
  if (auto failure = read_parts(words, options)) return failure;
  options.transparent = words.transparent;
  options.sized = words.sized;
  if (!words.width_mm.empty() && (!read_number(words.width_mm, options.width_mm) ||
                                  !(options.width_mm >= 20 && options.width_mm <= 1000)))
    return Failure{words_wrong,
                   "--width-mm: " + scene::in_quotes(words.width_mm) + " is not a number from 20 to 1000"};
  if (!read_size(words.size, options)) {
    return Failure{words_wrong,
                   "--size: " + scene::in_quotes(words.size) + " is not WIDTHxHEIGHT, such as 1600x1000"};
  }
  if (!read_number(words.scale, options.scale) ||
      !(options.scale >= smallest_scale && options.scale <= largest_scale)) {
    return Failure{words_wrong,
                   "--scale: " + scene::in_quotes(words.scale) + " is not a number from 0.25 to 8"};
  }
  for (const int side : {options.width, options.height}) {
    const double pixels = side * options.scale;
    if (side < smallest_side || pixels > largest_side) {
      return Failure{words_wrong, "--size: " + words.size + " is out of range; each side must be " +
                                      std::to_string(smallest_side) + " to " +
                                      std::to_string(static_cast<int>(largest_side / options.scale)) +
                                      " at this --scale"};
    }
  }
  return std::nullopt;
}

std::optional<Failure> read_picture(const Words& words, RenderOptions& options) {
  if (words.out.empty()) return Failure{words_wrong, "render requires --out FILE (.png, .svg or .pdf)"};
  options.out = words.out;
  if (auto failure = check_ending(words.out, {".png", ".svg", ".pdf"})) return failure;
  return read_look(words, options);
}

/// Pictures that are laid out in one way only.
std::optional<Failure> read_own_picture(const Words& words) {
  const bool of_a_card = !words.panel.empty() || !words.present.empty() || words.has_without || words.square;
  if (words.share && (of_a_card || !words.width_mm.empty() || words.first_start || !words.page.empty()))
    return Failure{words_wrong,
                   "--share is a picture of its own; leave out --page, --panel, --present, --first-start, "
                   "--without, --square and --width-mm"};
  if (words.first_start && (of_a_card || !words.width_mm.empty() || words.transparent || !words.page.empty()))
    return Failure{words_wrong,
                   "--first-start is a whole window; leave out --page, --panel, --present, --transparent, "
                   "--without, --square and --width-mm"};
  return std::nullopt;
}

int render(const Words& words) {
  scene::Scene scene;
  RenderOptions options;
  if (const auto failure = read_own_picture(words)) return complain(failure->status, failure->message);
  if (const auto failure = words.list ? read_look(words, options) : read_picture(words, options))
    return complain(failure->status, failure->message);
  if (const auto failure = open_scene(words, scene)) return complain(failure->status, failure->message);
  if (const auto failure = set_option(scene, "theme", words.theme))
    return complain(failure->status, failure->message);
  if (const auto failure = check_weights(scene)) return complain(failure->status, failure->message);
  options.page = scene.page;
  if (const auto failure = check_card(words, options.page))
    return complain(failure->status, failure->message);
  ProgressLine progress;
  options.trained = [&](float part) { progress.done("training", static_cast<double>(part)); };
  if (words.list) return say(list_panels(scene, options));
  options.tell = note;
  options.first_start = words.first_start, options.share = words.share;
  if (options.share) options.page = scene::default_page;
  const base::Status status = render_page(scene, options);
  if (!status) return complain(world_failed, status.error());
  if (scene::room_of(options.page).uses(scene).sentence) note(figure::missing_font(scene.sentence));
  return done;
}

int export_numbers(const Words& words) {
  if (!words.attention.empty()) return export_attention(words);
  if (!words.model.empty()) return export_of_model(words);
  scene::Scene scene;
  if (words.list) {
    const auto failure = open_scene(words, scene);
    return failure ? complain(failure->status, failure->message) : say(list_tables());
  }
  if (words.what.empty() && words.panel.empty() && words.page.empty()) {
    return complain(
        words_wrong,
        "export requires --what NAME, --panel NAME or --page PAGE; `headlight export --list` lists them");
  }
  if (words.out.empty())
    return complain(words_wrong, "export requires --out FILE (.npy, .npz, .csv or .json)");
  if (const auto failure = check_ending(words.out, {".npy", ".npz", ".csv", ".json"}))
    return complain(failure->status, failure->message);
  std::vector<scene::Given> given;
  if (const auto failure = open_scene(words, scene, &given))
    return complain(failure->status, failure->message);
  if (const auto failure = check_weights(scene)) return complain(failure->status, failure->message);
  const scene::Page page = scene.page;
  const auto known = scene::what_is_missing(scene, given);
  const auto tables = tables_meant({words.what, words.panel}, scene);
  if (!tables) return complain(words_wrong, tables.error());
  if (scene.page != page) {  // the table is of another page, where other things are chosen
    for (const scene::Given& chosen : scene::chosen_in(scene)) {
      if (std::none_of(given.begin(), given.end(),
                       [&](const scene::Given& one) { return one.first == chosen.first; }))
        given.push_back(chosen);
    }
    scene::repair(scene);
    for (const std::string& line : scene::what_is_missing(scene, given)) {
      if (std::find(known.begin(), known.end(), line) == known.end()) note(line);
    }
  }
  std::string remark;
  const base::Status status = export_tables(scene, *tables, words.out, remark, words.measure);
  note(remark);
  return status ? done : complain(world_failed, status.error());
}

int save_scene(const Words& words) {
  if (words.out.empty())
    return complain(words_wrong, "scene requires --out FILE (.json, or .zip, which also holds the model)");
  if (const auto failure = check_ending(words.out, {".json", ".zip"}))
    return complain(failure->status, failure->message);
  scene::Scene scene;
  if (const auto failure = open_scene(words, scene)) return complain(failure->status, failure->message);
  if (const auto failure = check_weights(scene)) return complain(failure->status, failure->message);
  scene::repair(scene);
  const base::Status saved = scene::is_portable_name(words.out) ? scene::save_portable(scene, words.out)
                                                                : scene::save(scene, words.out);
  return saved ? done : complain(world_failed, saved.error());
}

int animate_page(const Words& words) {
  scene::Scene scene;
  RenderOptions look;
  AnimateOptions options;
  if (words.what != "clocks" && words.what != "film")
    return complain(words_wrong, "animate requires --what clocks or --what film");
  if (words.out.empty()) return complain(words_wrong, "animate requires --out FILE (.gif or .png)");
  if (const auto failure = check_ending(words.out, {".gif", ".png"}))
    return complain(failure->status, failure->message);
  if (const auto failure = read_look(words, look)) return complain(failure->status, failure->message);
  if (!read_number(words.frames, options.frames) || options.frames < 2 || options.frames > 2000)
    return complain(words_wrong,
                    "--frames: " + scene::in_quotes(words.frames) + " is not a whole number from 2 to 2000");
  if (!read_number(words.fps, options.fps) || !(options.fps >= 1 && options.fps <= 50))
    return complain(words_wrong, "--fps: " + scene::in_quotes(words.fps) + " is not a number from 1 to 50");
  if (const auto failure = open_scene(words, scene)) return complain(failure->status, failure->message);
  if (const auto failure = set_option(scene, "theme", words.theme))
    return complain(failure->status, failure->message);
  options.what = words.what == "film" ? Motion::film : Motion::clocks;
  const scene::Page page =
      scene::page_that(words.what == "film" ? &scene::PageUses::trains : &scene::PageUses::plays);
  if (const auto failure = check_card(words, page)) return complain(failure->status, failure->message);
  options.figure = request_of(look);
  if (options.figure.panel.empty()) options.figure.panel = words.what;
  options.transparent = look.transparent;
  options.out = words.out;
  base::Parallel parallel;
  const auto report = animate(scene, options, parallel);
  if (!report) return complain(world_failed, report.error());
  std::string files = report->first.string();
  if (report->last != report->first) files += " … " + report->last.string();
  return say(std::to_string(report->frames) + " frames of " + std::to_string(report->width) + " × " +
             std::to_string(report->height) + " pixels: " + files + "\n");
}

const char* const scene_notes =
    "  headlight scene --model gpt2 --set weights_layer=5 --page block --out block.json     names the model\n"
    "  headlight scene --model gpt2 --page block --out block.zip     holds its files, up to 64 MiB, and "
    "opens "
    "anywhere";
const char* const export_notes =
    "  headlight export --what weights --out weights.npy     a table by its name\n"
    "  headlight export --page position --panel clocks --out clocks.csv     the numbers of a card\n"
    "  headlight export --page variants --out variants.npz   all tables of a page\n"
    "  headlight export --what cost_times --out times.csv    measured now; with --page cost, add --measure\n"
    "  headlight export --list     every table: name, page, cards, description\n"
    "  headlight export --attention attentions.npz --what entropy --out entropy.npy     of a saved run\n"
    "  headlight export --model gpt2 --set \"sentence=the cat sat\" --what weights --out gpt2.npy\n"
    "  headlight export --model ckpt.pt --set token_ids=5,17,9 --out all.npz     all arrays of a model\n"
    "Shapes: weights and scores (layers = 1, heads, queries, keys); q, k and v (layers = 1, heads, tokens, "
    "d_k);\n"
    "output (tokens, d_model); positions (positions, d_model). Scores are scaled, before the mask.\n"
    "  .npy   NumPy 1.0, float32 or double as computed, C order; for a card with several tables, the first\n"
    "  .npz   several tables, as numpy.savez writes them, and scene.json, which restores the scene\n"
    "  .csv   two axes: a plain grid without headings; otherwise one number per line after its indices, from "
    "0\n"
    "  .json  {\"name\", \"shape\", \"data\": nested lists, \"tokens\", \"scene\"}, or {\"tensors\": "
    "[those]};\n"
    "         NaN and infinities are null\n"
    "With --attention, a file that another program has saved: weights (layers, batch, heads, queries, keys), "
    "entropy of\n"
    "each row in bits, roles of heads (previous, next, first, self, same token), tokens as .json or .txt; "
    "roles "
    "and\n"
    "tokens are printed without --out. Layers and heads count from 1 where they are printed, from 0 in "
    "files.\n"
    "With --model, a folder or file from another program: weights, scores (layers, heads, queries, keys); q, "
    "k, "
    "v\n"
    "(layers, heads, tokens, d_k), the keys and values of shared heads repeated for each of their query "
    "heads,\n"
    "q and k after bias, norm and RoPE; hidden (layers + 1, tokens, width); logits (tokens, vocabulary); "
    "token_ids\n"
    "(tokens), whole numbers; tokens, as .json or .txt.\n"
    "All heads are written. SCENE.json and --set name=value are used without --attention; with --model only "
    "their "
    "sentence and token_ids. See `headlight --help`.";

const char* const render_notes =
    "  headlight render --page attention --panel map --theme light --width-mm 85 --out map.pdf\n"
    "  headlight render --panel map --without frame,title,hints --square --width-mm 85 --out map.pdf\n"
    "  headlight render --page attention --present map --size 1920x1080 --out slide.png\n"
    "  headlight render --share --set \"sentence=the cat chased the mouse because it was hungry\" --out "
    "card.png\n"
    "  headlight "
    "render --page position --list-panels\n"
    "A PNG without --panel, --transparent or --width-mm shows the "
    "whole window; anything else shows the page or card alone.\n"
    "Every picture contains its scene: `headlight "
    "FIGURE` opens it, and so does dropping it onto the window.\n"
    "This command takes SCENE.json and --set "
    "name=value; see `headlight --help`.";

const char* const animate_notes =
    "  headlight animate --what clocks --frames 100 --fps 25 --out clocks.gif\n"
    "  headlight animate --what "
    "film --set training_steps=300 --frames 30 --fps 10 --out film.png\n"
    "GIFs and PNGs contain their scene: "
    "`headlight clocks.gif` opens it. The Export card also makes them.\n"
    "A .png becomes film-0001.png, "
    "film-0002.png, …  The clocks run at play_speed positions per second.";

}  // namespace headlight::app
