#include "io/gif.h"

#include <gif_lib.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "base/bytes_from_c.h"

namespace headlight::io {

namespace {

struct Counted {
  std::uint32_t color;
  std::uint64_t times;
};

int channel(std::uint32_t color, int which) {
  return static_cast<int>(color >> (16 - 8 * which) & 0xFF);
}

/// Colours begin … end of the list, and their spread along the channel in which they spread most.
struct ColorBox {
  std::size_t begin, end;
  int widest = 0, spread = 0;

  ColorBox(const std::vector<Counted>& all, std::size_t from, std::size_t to) : begin(from), end(to) {
    for (int c = 0; c < 3; ++c) {
      int low = 255, high = 0;
      for (std::size_t i = begin; i < end; ++i) {
        low = std::min(low, channel(all[i].color, c));
        high = std::max(high, channel(all[i].color, c));
      }
      if (high - low > spread) widest = c, spread = high - low;
    }
  }
};

std::uint32_t mean_of(const std::vector<Counted>& all, const ColorBox& box) {
  std::uint64_t times = 0, sums[3] = {0, 0, 0};
  for (std::size_t i = box.begin; i < box.end; ++i) {
    times += all[i].times;
    for (int c = 0; c < 3; ++c)
      sums[c] += all[i].times * static_cast<std::uint64_t>(channel(all[i].color, c));
  }
  std::uint32_t out = 0;
  for (const std::uint64_t sum : sums) out = out << 8 | static_cast<std::uint32_t>((sum + times / 2) / times);
  return out;
}

constexpr std::uint32_t without_alpha = 0xFFFFFF;

/// The nearest entry of a palette, cached for each colour.
class Nearest {
 public:
  explicit Nearest(const std::vector<std::uint32_t>& palette) : palette_(palette) {}
  GifByteType operator()(std::uint32_t color) {
    const auto known = known_.find(color);
    if (known != known_.end()) return known->second;
    int best = 0, least = 1 << 30;
    for (std::size_t i = 0; i < palette_.size(); ++i) {
      int distance = 0;
      for (int c = 0; c < 3; ++c) {
        const int d = channel(color, c) - channel(palette_[i], c);
        distance += d * d;
      }
      if (distance < least) best = static_cast<int>(i), least = distance;
    }
    return known_[color] = static_cast<GifByteType>(best);
  }

 private:
  const std::vector<std::uint32_t>& palette_;
  std::unordered_map<std::uint32_t, GifByteType> known_;
};

int append(GifFileType* gif, const GifByteType* bytes, int size) noexcept {
  static_cast<base::BytesFromC*>(gif->UserData)->append(bytes, static_cast<std::size_t>(size));
  return size;
}

bool write_repeat(GifFileType* gif) {
  const unsigned char for_ever[] = {1, 0, 0};
  return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
         EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
         EGifPutExtensionBlock(gif, sizeof for_ever, for_ever) == GIF_OK &&
         EGifPutExtensionTrailer(gif) == GIF_OK;
}

/// Writes the comment before the first frame, where every reader finds it.
bool write_comment(GifFileType* gif, const std::string& comment) {
  return comment.empty() || EGifPutComment(gif, comment.c_str()) == GIF_OK;
}

bool write_frame(GifFileType* gif, const RunImage& frame, int hundredths, Nearest& nearest) {
  GraphicsControlBlock control{};
  control.DisposalMode = DISPOSE_DO_NOT;
  control.DelayTime = hundredths;
  control.TransparentColor = NO_TRANSPARENT_COLOR;
  GifByteType extension[4];
  const auto size = static_cast<int>(EGifGCBToExtension(&control, extension));
  if (EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, size, extension) != GIF_OK ||
      EGifPutImageDesc(gif, 0, 0, frame.width(), frame.height(), false, nullptr) != GIF_OK)
    return false;
  const auto width = static_cast<std::size_t>(frame.width());
  std::vector<GifByteType> line;
  line.reserve(width);
  for (const RunImage::Run& run : frame.runs()) {
    line.insert(line.end(), run.length, nearest(run.color & without_alpha));
    if (line.size() < width) continue;
    if (EGifPutLine(gif, line.data(), frame.width()) != GIF_OK) return false;
    line.clear();
  }
  return true;
}

/// The blocks of a GIF without the content of its images. Nothing is stored, so that a file of many small
/// blocks costs no more than its bytes.
class Blocks {
 public:
  explicit Blocks(std::string_view bytes) : bytes_(bytes) {}

  /// Skips bytes; false if the file ends too early.
  bool skip(std::size_t count) {
    if (count > bytes_.size() - at_) return false;
    at_ += count;
    return true;
  }
  bool byte(unsigned& value) {
    if (at_ >= bytes_.size()) return false;
    value = static_cast<unsigned char>(bytes_[at_++]);
    return true;
  }
  /// Skips the colour table that the flags announce.
  bool skip_colors(unsigned flags) { return !(flags & 0x80) || skip(std::size_t(3) << ((flags & 7) + 1)); }
  /// Skips blocks of up to 255 bytes up to the empty one; appends their content to `text` unless it is null.
  bool sub_blocks(std::string* text) {
    unsigned length = 0;
    while (byte(length)) {
      if (length == 0) return true;
      const std::size_t begin = at_;
      if (!skip(length)) return false;
      if (text && text->size() <= largest_comment) text->append(bytes_.substr(begin, length));
    }
    return false;
  }

 private:
  static constexpr std::size_t largest_comment = std::size_t(64) << 20;
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::uint32_t> palette_of(std::span<const RunImage> frames, std::size_t most) {
  std::unordered_map<std::uint32_t, std::uint64_t> counts;
  for (const RunImage& frame : frames) {
    for (const RunImage::Run& run : frame.runs()) counts[run.color & without_alpha] += run.length;
  }
  std::vector<Counted> all;
  for (const auto& [color, times] : counts) all.push_back({color, times});
  std::sort(all.begin(), all.end(), [](const Counted& a, const Counted& b) { return a.color < b.color; });
  std::vector<ColorBox> boxes;
  if (!all.empty()) boxes.emplace_back(all, std::size_t(0), all.size());
  while (boxes.size() < most) {
    const auto widest = std::max_element(
        boxes.begin(), boxes.end(), [](const ColorBox& a, const ColorBox& b) { return a.spread < b.spread; });
    if (widest == boxes.end() || widest->spread == 0) break;
    const ColorBox box = *widest;
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(box.begin),
              all.begin() + static_cast<std::ptrdiff_t>(box.end), [&](const Counted& a, const Counted& b) {
                const int left = channel(a.color, box.widest), right = channel(b.color, box.widest);
                return left != right ? left < right : a.color < b.color;
              });
    // Splits at the median of the distinct colours: rare ones, such as those of a thin hand, get their part.
    const std::size_t middle = box.begin + (box.end - box.begin) / 2;
    *widest = ColorBox(all, box.begin, middle);
    boxes.emplace_back(all, middle, box.end);
  }
  std::vector<std::uint32_t> palette;
  for (const ColorBox& box : boxes) palette.push_back(mean_of(all, box));
  return palette;
}

base::Result<std::string> encode_gif(std::span<const RunImage> frames, double seconds,
                                     const std::string& comment,
                                     const std::function<bool(float)>& keep_going) {
  if (frames.empty()) return base::Error{"an animation needs at least one frame"};
  const int width = frames[0].width(), height = frames[0].height();
  if (width <= 0 || height <= 0 || width > 0xFFFF || height > 0xFFFF) {
    return base::Error{"frames of " + std::to_string(width) + " × " + std::to_string(height) +
                       " pixels cannot be written as GIF"};
  }
  const std::vector<std::uint32_t> palette = palette_of(frames);
  const int bits = std::max(1, GifBitSize(static_cast<int>(palette.size())));
  std::vector<GifColorType> colors(std::size_t(1) << bits);
  for (std::size_t i = 0; i < palette.size(); ++i) {
    colors[i] = {static_cast<GifByteType>(channel(palette[i], 0)),
                 static_cast<GifByteType>(channel(palette[i], 1)),
                 static_cast<GifByteType>(channel(palette[i], 2))};
  }
  const std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> map(
      GifMakeMapObject(static_cast<int>(colors.size()), colors.data()), GifFreeMapObject);
  base::BytesFromC bytes;
  int error = 0;
  GifFileType* gif = EGifOpen(&bytes, append, &error);
  if (!gif || !map) return base::Error{"cannot create the GIF: out of memory"};
  EGifSetGifVersion(gif, true);
  Nearest nearest(palette);
  bool good = EGifPutScreenDesc(gif, width, height, bits, 0, map.get()) == GIF_OK && write_repeat(gif) &&
              write_comment(gif, comment);
  bool stopped = false;
  for (std::size_t i = 0; i < frames.size() && good && !stopped; ++i) {
    HEADLIGHT_CHECK(frames[i].width() == width && frames[i].height() == height);
    const auto hundredths = [&](std::size_t n) {
      return std::lround(static_cast<double>(n) * seconds * 100);
    };
    good = write_frame(gif, frames[i], static_cast<int>(hundredths(i + 1) - hundredths(i)), nearest);
    stopped = keep_going && !keep_going(static_cast<float>(i + 1) / static_cast<float>(frames.size()));
  }
  const bool closed = EGifCloseFile(gif, &error) == GIF_OK;
  if (stopped) return base::Error{"the GIF was cancelled"};
  if (!good || !closed) return base::Error{"cannot create the GIF"};
  return bytes.take();
}

base::Result<std::string> gif_comment(std::string_view bytes, const std::string& origin,
                                      std::string_view begin) {
  constexpr unsigned extension = 0x21, comment_label = 0xFE, image = 0x2C, end = 0x3B;
  if (!bytes.starts_with("GIF87a") && !bytes.starts_with("GIF89a"))
    return base::Error{origin + ": not a GIF file"};
  Blocks blocks(bytes);
  unsigned flags = 0, kind = 0, label = 0;
  bool good = blocks.skip(6 + 4) && blocks.byte(flags) && blocks.skip(2) && blocks.skip_colors(flags);
  std::string comment;
  while (good && comment.empty()) {
    good = blocks.byte(kind);
    if (!good || kind == end) break;
    if (kind == extension) {
      const bool read = blocks.byte(label);
      good = read && blocks.sub_blocks(label == comment_label ? &comment : nullptr);
      if (!comment.starts_with(begin)) comment.clear();
    } else if (kind == image) {
      good = blocks.skip(8) && blocks.byte(flags) && blocks.skip_colors(flags) && blocks.skip(1) &&
             blocks.sub_blocks(nullptr);
    } else {
      good = false;
    }
  }
  if (!good) return base::Error{origin + ": the GIF is damaged"};
  return comment;
}

}  // namespace headlight::io
