// How files are made behind the window: by a thread of their own, one at a time, stopped at any moment.
#include "session/file_job.h"

#include <gmock/gmock.h>
#include <pthread.h>

#include "io/files.h"
#include "support/scratch_folder.h"

namespace headlight::app::file_job_test {
namespace {

using testing::HasSubstr;

/// So many pieces of work, one after the other, and a file at the end.
FileJob::Work pieces(const std::filesystem::path& out, int count = 8) {
  return {.what = "the animation",
          .smaller = "use fewer frames",
          .make = [=](base::Parallel& parallel,
                      const std::function<bool(float)>& keep_going) -> base::Result<MadeFile> {
            for (int i = 0; i < count; ++i) {
              parallel.run(4, [](int) {});
              std::this_thread::sleep_for(std::chrono::milliseconds(10));
              if (!keep_going(static_cast<float>(i) / static_cast<float>(count)))
                return base::Error{"cancelled"};
            }
            if (const base::Status written = io::write_file(out, "made"); !written)
              return base::Error{written.error()};
            return MadeFile{out, out, {}};
          }};
}

TEST(FileJob, WorksBehindAndSaysSoOnce) {
  const tests::ScratchFolder folder;
  std::atomic<int> changes{0};
  FileJob job([&] { ++changes; });
  EXPECT_FALSE(job.take());
  ASSERT_TRUE(job.start(pieces(folder / "a.gif")));
  job.wait();
  EXPECT_FALSE(job.running());
  const auto ended = job.take();
  ASSERT_TRUE(ended && *ended);
  EXPECT_EQ((*ended)->first, folder / "a.gif");
  EXPECT_FALSE(job.take());
  EXPECT_GT(changes, 0);
  EXPECT_EQ(folder.files(), 1);
}

TEST(FileJob, IsStoppedAndOneAtATime) {
  const tests::ScratchFolder folder;
  FileJob job;
  ASSERT_TRUE(job.start(pieces(folder / "a.gif", 2000)));
  EXPECT_FALSE(job.start(pieces(folder / "b.gif")));
  EXPECT_TRUE(job.running());
  job.stop();
  job.wait();
  const auto ended = job.take();
  ASSERT_TRUE(ended);
  EXPECT_FALSE(*ended);
  ASSERT_TRUE(job.start(pieces(folder / "b.gif", 2000)));
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

TEST(FileJob, WithoutAThreadItEndsWithAnError) {
  const tests::ScratchFolder folder;
  FileJob job;
  {
    const NoThreads none;
    ASSERT_TRUE(none.works());
    EXPECT_EQ(base::Parallel(4).threads(), 1) << "it works on with those it has";
    ASSERT_TRUE(job.start(pieces(folder / "a.gif")));
  }
  job.wait();
  EXPECT_FALSE(job.running());
  const auto ended = job.take();
  ASSERT_TRUE(ended && !*ended);
  EXPECT_THAT(ended->error(), HasSubstr("cannot start the animation: "));
  ASSERT_TRUE(job.start(pieces(folder / "a.gif", 2)));
  job.wait();
  const auto next = job.take();
  EXPECT_TRUE(next && *next);
}

TEST(FileJob, WithoutMemoryItSaysWhatToDo) {
  FileJob job;
  ASSERT_TRUE(job.start({"the picture", "choose a smaller one",
                         [](base::Parallel&, const std::function<bool(float)>&) -> base::Result<MadeFile> {
                           throw std::bad_alloc();
                         }}));
  job.wait_for(std::chrono::minutes(1));
  const auto ended = job.take();
  ASSERT_TRUE(ended && !*ended);
  EXPECT_EQ(ended->error(), "not enough memory for the picture: choose a smaller one");
}

}  // namespace
}  // namespace headlight::app::file_job_test
