// The card that asks for a file: a path to type, the contents of its folder, and recent files. It can be used
// with the keyboard alone: letters complete, arrows select, Enter opens a folder or chooses a file. The card
// asks before a file is replaced.
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
    std::string begin_with;  // the initial path
    std::vector<std::filesystem::path> recent{};
    std::string hint{};  // explains the meaning of a name, when a file is saved
  };
  void ask(Question question);

  /// Draws the card while it is open. Returns the chosen file, once.
  std::optional<std::filesystem::path> frame(screen::Ui& ui);

 private:
  void look();
  void type(std::string path);
  std::optional<std::filesystem::path> take(int row);
  std::optional<std::filesystem::path> take_typed();

  Question question_;
  bool opening_ = false;
  std::string typed_, listed_, offered_;  // offered_: the initial text
  bool stale_ = true;
  int field_ = 0;
  std::string problem_;
  std::string confirmed_;  // the path that Enter would replace
  std::vector<FolderRow> rows_;
  std::size_t recent_rows_ = 0;  // number of rows at the top that are recent files
  ChoiceList list_;
};

}  // namespace headlight::app
