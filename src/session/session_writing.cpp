// The session continues the text: the model's next token is appended to the sentence, and the page follows.
#include "pages/opened_attention.h"
#include "scene/trained_model.h"
#include "session/session.h"

namespace headlight::app {

namespace {

constexpr int most_written = 200;        // tokens; then it stops
constexpr double seconds_a_token = 0.1;  // at least, so that each can be seen
constexpr double seconds_until_saved = 0.5;

/// True if the text and the model are the same.
bool same_text(const scene::Scene& a, const scene::Scene& b) {
  return a.sentence == b.sentence && a.token_ids == b.token_ids && a.weights == b.weights &&
         a.weights_file == b.weights_file;
}

/// True if the settings that decide which token is drawn are the same.
bool same_rules(const scene::Scene& a, const scene::Scene& b) {
  return a.model.off == b.model.off && a.model.temperature == b.model.temperature &&
         a.model.top_k == b.model.top_k && a.model.top_p == b.model.top_p && a.model.seed == b.model.seed;
}

}  // namespace

void Session::write_on(bool one, double now) {
  writing_ = Writing{.left = scene_, .one = one, .next_at = now};
  if (!start_writer(now)) stop_writing();
}

void Session::stop_writing() {
  writing_.reset();
  writer_.stop();
}

bool Session::start_writer(double now) {
  const scene::UseModels at_hand(models_);
  const auto model = scene::model_of(scene_);
  if (!model) return warn(model.error(), now), false;
  if (!*model) return warn("random weights predict no token; choose a trained model", now), false;
  auto rules = scene::write_rules(scene_, **model);
  if (!rules) return warn(rules.error(), now), false;
  writing_->model = *model;
  writer_.start(*model, std::move(*rules));
  return true;
}

void Session::watch_writing(double now) {
  if (!writing_) return;
  if (!same_text(scene_, writing_->left)) return stop_writing();  // the user edits the text
  if (!same_rules(scene_, writing_->left)) {
    writing_->left = scene_;
    if (!start_writer(now)) return stop_writing();
  }
  const auto stop = [&](const std::string& why) {
    warn(why, now);
    stop_writing();
  };
  if (auto answer = writer_.take()) {
    if (!answer->problem.empty()) return stop(answer->problem);
    if (answer->id < 0) return stop("the model ended the text");
    scene::Scene next = scene::written_on(scene_, *writing_->model, answer->ids, answer->id);
    const scene::Scene wanted = next;
    if (writing_->written == 0) {
      change(std::move(next), "", now);
    } else {  // all written tokens are one step of undo
      advance(std::move(next));
      save_at_ = now + seconds_until_saved;
    }
    if (!same_text(scene_, wanted)) return stop("the text has reached the length limit of a scene");
    writing_->left = scene_, writing_->next_at = now + seconds_a_token;
    if (writing_->one) return stop_writing();
    if (++writing_->written >= most_written)
      return stop("stopped after " + std::to_string(most_written) + " tokens");
    return;
  }
  // The page comes first: each token is shown with its attention.
  const bool shown = same_text(results_->scene, scene_) && !job_.busy() && wanted_key() == requested_;
  if (writer_.busy() || !shown || model_on_its_way() || now < writing_->next_at) return;
  if (results_->tokens.empty()) return stop("write a beginning first: there is no token to continue");
  if (results_->tokens.size() < results_->tokens_in_sentence)
    return stop("the text has reached the length that can be shown");
  writer_.ask(scene::opened_ids(results_->tokens));
}

}  // namespace headlight::app
