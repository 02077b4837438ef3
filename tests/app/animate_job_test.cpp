// How animations are made behind the window: by a thread of their own, one at a time, stopped at any moment.
#include "app/animate_job.h"

#include <gmock/gmock.h>
#include <pthread.h>

#include "support/scratch_folder.h"

namespace headlight::app::animate_job_test {
namespace {

using testing::HasSubstr;

scene::Scene on(scene::Page page) {
  scene::Scene scene;
  scene.page = page;
  return scene;
}

AnimateOptions clocks(const std::filesystem::path& out, int frames = 8) {
  return {
      .figure = {.panel = "clocks", .width = 800, .height = 600}, .frames = frames, .fps = 20, .out = out};
}

TEST(AnimateJob, WorksBehindAndSaysSoOnce) {
  const tests::ScratchFolder folder;
  std::atomic<int> changes{0};
  AnimateJob job([&] { ++changes; });
  EXPECT_FALSE(job.take());
  ASSERT_TRUE(job.start(on(scene::Page::position), clocks(folder / "a.gif")));
  job.wait();
  EXPECT_FALSE(job.running());
  const auto ended = job.take();
  ASSERT_TRUE(ended && *ended);
  EXPECT_EQ((*ended)->first, folder / "a.gif");
  EXPECT_FALSE(job.take());
  EXPECT_GT(changes, 0);
  EXPECT_EQ(folder.files(), 1);
}

TEST(AnimateJob, IsStoppedAndOneAtATime) {
  const tests::ScratchFolder folder;
  AnimateJob job;
  ASSERT_TRUE(job.start(on(scene::Page::position), clocks(folder / "a.gif", 2000)));
  EXPECT_FALSE(job.start(on(scene::Page::position), clocks(folder / "b.gif")));
  EXPECT_TRUE(job.running());
  job.stop();
  job.wait();
  const auto ended = job.take();
  ASSERT_TRUE(ended);
  EXPECT_FALSE(*ended);
  ASSERT_TRUE(job.start(on(scene::Page::position), clocks(folder / "b.gif", 2000)));
  // The end of the program stops it, too.
}

/// As on a computer without room for another thread: no stack is so large.
class NoThreads {
 public:
  NoThreads() {
    ::pthread_getattr_default_np(&usual_);
    pthread_attr_t large = usual_;
    ::pthread_attr_setstacksize(&large, std::size_t(1) << 50);
    works_ = ::pthread_setattr_default_np(&large) == 0;
  }
  ~NoThreads() { ::pthread_setattr_default_np(&usual_); }
  bool works() const { return works_; }

 private:
  pthread_attr_t usual_;
  bool works_ = false;
};

TEST(AnimateJob, WithoutAThreadItEndsWithAnError) {
  const tests::ScratchFolder folder;
  AnimateJob job;
  {
    const NoThreads none;
    ASSERT_TRUE(none.works());
    EXPECT_EQ(base::Parallel(4).threads(), 1) << "it works on with those it has";
    ASSERT_TRUE(job.start(on(scene::Page::position), clocks(folder / "a.gif")));
  }
  job.wait();
  EXPECT_FALSE(job.running());
  const auto ended = job.take();
  ASSERT_TRUE(ended && !*ended);
  EXPECT_THAT(ended->error(), HasSubstr("cannot start the animation: "));
  ASSERT_TRUE(job.start(on(scene::Page::position), clocks(folder / "a.gif", 2)));
  job.wait();
  const auto next = job.take();
  EXPECT_TRUE(next && *next);
}

}  // namespace
}  // namespace headlight::app::animate_job_test
