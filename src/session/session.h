// The open scene, its history, its results, and the file that keeps it. Knows nothing of windows, so scripts
// and tests drive the same code as a user does.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "pages/page.h"
#include "scene/results.h"
#include "scene/scene.h"
#include "scene/undo.h"
#include "session/compute_job.h"
#include "session/cost_job.h"
#include "session/file_job.h"
#include "session/model_shelf.h"
#include "session/preview_job.h"
#include "session/train_job.h"
#include "session/write_job.h"

namespace headlight::app {

/// What is shown at one moment, for a thread that uses it: nothing in it changes any more.
struct Shown {
  scene::Scene scene;
  std::shared_ptr<const scene::Results> results;
  std::shared_ptr<const nn::CellTrace> cell;  // null: nothing is pinned
  std::shared_ptr<const scene::CostMeasurements> measured;
  std::shared_ptr<const scene::TrainingSnapshot> training;
  std::shared_ptr<const scene::ModelsAtHand> models;  // those of the scene
};

/// What a card asks for that the window shows.
struct FileQuestion {
  const char* title = "";
  const char* ending = "";   // ".safetensors", or several with blanks between
  const char* setting = "";  // takes the path of the chosen file; empty: it is handled as if dropped
  std::filesystem::path begin_with{};  // the initial path; empty: the folder of the open file
  std::function<void(const std::filesystem::path&)> save{};  // gets the path of a file to save
};

class Session {
 public:
  struct Start {
    scene::Scene scene;
    std::filesystem::path autosave;  // empty: nothing is kept
    std::filesystem::path training;  // where a training run is kept between sessions; empty: nowhere
    std::string unsaved = {};  // why nothing is kept: reported once there is something to keep; empty: never
    std::function<void()> wake = [] {};  // called from other threads when there is something new to draw
    int threads = 0;                     // 0: one for each core
    /// Loads the models in the background; outlives the session. Null: a model is loaded at once by the code
    /// that needs it first.
    ModelShelf* models = nullptr;
    CostJob::Measure measure = {};  // see CostJob
  };
  explicit Session(Start start);
  ~Session();

  const scene::Scene& scene() const { return scene_; }
  const scene::Results& results() const { return *results_; }
  Shown shown() const;
  /// Arithmetic of the pinned cell; null when nothing is pinned.
  const nn::CellTrace* cell() const { return cell_.get(); }
  /// What is known of the newest sentence on the Attention page while the rest is computed; null: nothing
  /// beyond results().
  const scene::Preview* preview() const { return preview_.get(); }
  /// The map of the shown heads for the preview's sentence, as soon as it is computed; null: not yet.
  const scene::EarlyMap* early_map() const { return early_.get(); }
  /// Why the newest scene cannot be computed; then results() are older. Empty: results() are the scene's.
  const std::string& failure() const { return failure_; }
  /// Fraction done of a background computation; −1 when there is none.
  float busy() const;
  /// Stops the background computation. The picture stays that of the earlier settings until the settings
  /// change or compute_again(). Does nothing without a computation.
  void stop_computing(double now);
  /// True if the newest settings are not computed because the computation was stopped.
  bool stopped() const { return stopped_; }
  void compute_again();
  /// "loading NAME … 43 %" while the scene waits for its model: until it is loaded, the old picture is shown.
  std::string loading() const;
  /// Does without the file that is being loaded: the scene has the weights of the picture again, or random
  /// ones if the picture waits for this very file. Does nothing when nothing is being loaded.
  void stop_loading(double now);
  ModelShelf* models() const { return models_; }
  /// Makes the model in a file the weights of every page, as soon as it has been loaded; then calls `opened`.
  /// For a file that is not a model, message() says so and nothing changes. False when that is known at once.
  bool open_model(const std::filesystem::path& path, std::function<void()> opened, double now);
  /// Forward passes timed on this machine, for the Cost page: started only by a click.
  CostJob& timing() { return timing_; }
  const CostJob& timing() const { return timing_; }
  /// Models that are trained in the background, for the Training page.
  TrainJob& training() { return training_; }
  const TrainJob& training() const { return training_; }
  /// The model of the scene continues the sentence: by one token, or until it is stopped by the model's end
  /// of a text, by an edit of the sentence, or after 200 tokens.
  void write_on(bool one, double now);
  void stop_writing();
  bool writing() const { return writing_.has_value(); }
  /// Makes the trained model of the shown run the weights of every page, as soon as it is written to `path`.
  void use_trained(const std::filesystem::path& path, int step);
  /// The place on the page, as in PageOverlay::highlight, that shows what these weights changed; once.
  std::string take_changed_place() { return std::exchange(changed_place_, {}); }
  /// Shows a card that asks for a file. Set by the window.
  std::function<void(const FileQuestion& question)> ask_for_file;
  /// The folder in which a run was last saved or opened; empty: in none yet.
  std::filesystem::path run_folder;
  /// The last message, for the status line; empty after a while.
  const std::string& message() const { return message_; }
  /// A confirmation, which is gone after a few seconds.
  void say(std::string message, double now);
  /// What failed and what to do: it stays long enough to be read and understood.
  void warn(std::string message, double now);

  /// Makes `next` the scene, repaired where fields contradict each other. The requested value of a field is
  /// remembered: 3 heads of a width of 30 are 4 again once the width is 32. Changes with the same non-empty
  /// `label` that follow closely (one drag, one word typed) are one step of undo; changes of the open page
  /// and the look of the interface are none.
  void change(scene::Scene next, const std::string& label, double now);
  /// As change(), for changes that need no undo step of their own: the position while it plays.
  void advance(scene::Scene next);
  /// Sets exactly this scene and forgets requested values: a step of a lesson. One step of undo.
  void restore(scene::Scene scene, double now);
  /// Saves this scene automatically instead of the open one, while a lesson is played. Nothing: saves the
  /// open one again.
  void keep_instead(std::optional<scene::Scene> scene) { kept_ = std::move(scene); }
  void undo(double now);
  void redo(double now);
  /// Replaces the history and returns the one before: a lesson has its own.
  scene::Undo exchange_history(scene::Undo history) { return std::exchange(undo_, std::move(history)); }
  std::size_t undo_steps() const { return undo_.undo_steps(); }
  bool can_undo() const { return undo_.undo_steps() > 0; }
  bool can_redo() const { return undo_.redo_steps() > 0; }

  /// Once per frame: takes finished work, starts work that is needed, saves when it is time.
  void update(double now);
  /// Waits until nothing is being computed: for pictures, which cannot wait for the next frame. On the
  /// Training page a run is started and trained to its last step, however long that takes;
  /// `trained` receives the fraction that is done.
  void wait(const std::function<void(float)>& trained = {});
  /// Writes the scene before this returns, if it is not yet on disk; succeeds at once when there is no file
  /// for it. On failure returns false, and message() says why.
  bool save(double now);
  /// Waits until a background save is on disk, or has failed.
  void wait_until_saved() const { saver_.wait(); }
  /// Seconds until update() has something to do without input; a large number when nothing is due.
  double due_in(double now) const;

 private:
  void explain();
  std::shared_ptr<const scene::OneModel> models_of_scene() const;
  void begin();
  void say_unsaved(double now);
  FileJob::Make saving() const;
  void save_behind(double now);
  bool saved(const base::Status& status, double now);
  void watch_training(double now);
  void watch_models(double now);
  void model_arrived(double now);
  void watch_compared(double now);
  bool start_writer(double now);
  void watch_writing(double now);
  void watch_model_of_scene();
  bool model_on_its_way() const { return watch_ && !watch_->model(); }
  bool opened_model(const std::string& path, const scene::LoadedModel& model,
                    const std::function<void()>& opened, double now);
  void compute_or_submit(bool took, double now);
  void submit(std::shared_ptr<scene::Results> reuse = nullptr);
  /// The shared results that the open page uses.
  scene::PageUses uses() const { return scene::room_of(scene_.page).uses(scene_); }
  void foresee();
  void forget_preview();
  const std::string& wanted_key();
  void train_for_a_picture(const std::function<void(float)>& trained);
  void go_back_to(scene::Scene scene, const char* what, double now);
  void show(std::shared_ptr<scene::Results> fresh, double now);
  void follow_words();
  void say_heads(const scene::Scene& next, double now);
  void say_unread(const std::string& sentence, const scene::Scene& next, double now);

  base::Parallel parallel_;    // for computations within a frame
  base::Parallel background_;  // for the background job: computations within a frame never wait for it
  scene::Scene scene_;
  scene::Scene wanted_;  // the requested value of each field; scene_ is the valid scene made from it
  /// The pinned tokens when editing of the sentence began; nothing: the last change was another one.
  struct Typed {
    std::vector<std::string> queries, keys;  // the tokens
    scene::IndexList query;
    int key = -1;
  };
  std::optional<Typed> typed_;
  scene::Undo undo_;
  std::shared_ptr<const scene::Results> results_;
  std::shared_ptr<const scene::Results> previous_;  // the next computation reuses its buffers
  std::string failure_;
  std::shared_ptr<const nn::CellTrace> cell_;
  std::string requested_;  // key of the newest results or request
  std::string key_;        // of scene_ and its model; empty: must be recomputed
  bool stopped_ = false;
  ModelShelf* models_ = nullptr;
  std::shared_ptr<ModelWatch> watch_;  // of the scene's model; null: no file
  std::uint64_t model_version_ = 0;    // of the model that the scene was repaired for
  std::string model_problem_;          // the last one that was reported
  struct Compared {                    // the saved attention that the page compares with
    std::shared_ptr<ModelWatch> watch;
    std::uint64_t version = 0;
    std::string problem;  // the last one that was reported
  };
  std::optional<Compared> compared_;
  std::optional<scene::Scene> adopting_;  // the scene when its model, still loading, was chosen
  struct Opening {
    std::shared_ptr<ModelWatch> watch;
    std::function<void()> opened;
  };
  std::optional<Opening> opening_;
  bool selection_changed_ = true;
  std::filesystem::path autosave_;
  std::optional<scene::Scene> kept_;  // see keep_instead()
  double save_at_ = -1;               // −1: everything is on disk
  bool save_failed_ = false;
  FileJob saver_;
  std::string unsaved_;  // not reported yet
  std::string changed_place_;
  std::string message_;
  double message_until_ = 0;
  std::shared_ptr<const scene::Preview> preview_;
  std::shared_ptr<const scene::EarlyMap> early_;
  std::vector<int> foreseen_;  // the queries that were pinned when it was requested
  ComputeJob job_;             // after parallel_, which it uses
  PreviewJob preview_job_;
  CostJob timing_;
  struct Writing {
    scene::Scene left;  // as the session left it: another text was typed by the user
    bool one = false;
    double next_at = 0;
    int written = 0;
    std::shared_ptr<const scene::TrainedModel> model = {};
  };
  std::optional<Writing> writing_;
  WriteJob writer_;
  struct Arrivals {  // from the trainer's thread
    std::mutex mutex;
    std::string model;
  };
  Arrivals arrivals_;
  std::optional<scene::TrainingSettings> suggested_;  // suggested settings for the task that was chosen last
  std::string training_message_;                      // its newest message that was passed on
  TrainJob training_;                                 // last: its thread writes to arrivals_
};

}  // namespace headlight::app
