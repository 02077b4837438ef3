// The card that asks for a file: a path to type, what lies in its folder, and the files of last time. The
// keyboard is enough: letters complete, arrows choose, Enter goes into a folder or takes a file. A file that
// would be replaced is asked about.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "screen/widgets.h"
#include "ui/choice_list.h"
#include "ui/folder_rows.h"

namespace headlight::app {

class FileCard {
 public:
  enum class Purpose { open, save, drop };
  struct Question {
    Purpose purpose = Purpose::open;
    std::string title;       // "Open a scene"
    std::string ending;      // ".json", or several with blanks between
    std::string begin_with;  // the path that stands there first
    std::vector<std::filesystem::path> recent{};
    std::string hint{};  // of what a name means, when a file is saved
  };
  void ask(Question question);

  /// Draws the card while it is open. The file that was chosen, once.
  std::optional<std::filesystem::path> frame(screen::Ui& ui);

 private:
  void look();
  void type(std::string path);
  std::optional<std::filesystem::path> take(int row);
  std::optional<std::filesystem::path> take_typed();

  Question question_;
  bool opening_ = false;
  std::string typed_, listed_, offered_;  // offered_: what stood there before somebody typed
  bool stale_ = true;
  int field_ = 0;
  std::string problem_;
  std::string confirmed_;  // the path that Enter would replace
  std::vector<FolderRow> rows_;
  std::size_t recent_rows_ = 0;  // the first so many rows are files of last time
  ChoiceList list_;
};

}  // namespace headlight::app
