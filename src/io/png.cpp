#include "io/png.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include "io/deflate.h"

namespace headlight::io {

namespace {

constexpr const char* no_memory = "there is not enough memory";
// zlib expands a byte to at most a little more than 1032 bytes; and no picture of ours is larger.
constexpr std::size_t most_expansion = 1100, most_pixels = std::size_t(1) << 28;

/// The state of libpng's callbacks. libpng leaves by longjmp, so the functions that call setjmp must not own
/// objects.
struct Writing {
  std::string bytes;
  std::string error;
  std::vector<png_bytep> rows;
  std::vector<png_text> texts;
  unsigned per_metre = 0;
};

struct Reading {
  std::string_view bytes;
  std::string error;
  std::size_t at = 0;
  DecodedPng result;
  std::vector<png_bytep> rows;
};

template <class Job>
void on_error(png_structp png, png_const_charp message) {
  static_cast<Job*>(png_get_error_ptr(png))->error = message;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void append_bytes(png_structp png, png_bytep data, png_size_t size) {
  bool good = true;
  try {  // exceptions must not pass through a C library
    static_cast<Writing*>(png_get_io_ptr(png))->bytes.append(reinterpret_cast<const char*>(data), size);
  } catch (const std::bad_alloc&) {
    good = false;
  }
  if (!good) png_error(png, no_memory);
}

void take_bytes(png_structp png, png_bytep data, png_size_t size) {
  auto* job = static_cast<Reading*>(png_get_io_ptr(png));
  if (size > job->bytes.size() - job->at) png_error(png, "the file ends unexpectedly");
  std::memcpy(data, job->bytes.data() + job->at, size);
  job->at += size;
}

bool write_picture(png_structp png, png_infop info, const Image& image, Writing& job) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, &job, append_bytes, nullptr);
  png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), 8,
               image.channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (job.per_metre > 0) png_set_pHYs(png, info, job.per_metre, job.per_metre, PNG_RESOLUTION_METER);
  if (!job.texts.empty()) png_set_text(png, info, job.texts.data(), static_cast<int>(job.texts.size()));
  png_write_info(png, info);
  png_write_image(png, job.rows.data());
  png_write_end(png, info);
  return true;
}

/// Allocates the pixels and sets the row pointers; false if there is not enough memory.
bool make_room(Reading& job, std::size_t stride) {
  try {
    Image& image = job.result.image;
    image.pixels.resize(stride * static_cast<std::size_t>(image.height));
    job.rows.resize(static_cast<std::size_t>(image.height));
    for (std::size_t y = 0; y < job.rows.size(); ++y) job.rows[y] = image.pixels.data() + y * stride;
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool read_picture(png_structp png, png_infop info, Reading& job) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, &job, take_bytes);
  png_read_info(png, info);
  {
    const std::size_t height = png_get_image_height(png, info), width = png_get_image_width(png, info);
    if (height * png_get_rowbytes(png, info) / most_expansion > job.bytes.size() ||
        height * width > most_pixels)
      png_error(png, "it declares more pixels than its data can hold");
  }
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  Image& image = job.result.image;
  image.width = static_cast<int>(png_get_image_width(png, info));
  image.height = static_cast<int>(png_get_image_height(png, info));
  image.channels = 4;
  if (!make_room(job, png_get_rowbytes(png, info))) png_error(png, no_memory);
  png_read_image(png, job.rows.data());
  png_read_end(png, info);
  return true;
}

constexpr std::string_view signature = "\x89PNG\r\n\x1A\n";

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t out = 0;
  for (const char c : bytes.substr(0, 4)) out = out << 8 | static_cast<unsigned char>(c);
  return out;
}

/// Returns the text up to the next zero byte and skips both; nothing if there is none.
std::optional<std::string_view> word_of(std::string_view& bytes) {
  const std::size_t zero = bytes.find('\0');
  if (zero == std::string_view::npos) return std::nullopt;
  const std::string_view word = bytes.substr(0, zero);
  bytes.remove_prefix(zero + 1);
  return word;
}

/// Returns the text of a tEXt, zTXt or iTXt chunk, after its keyword.
base::Result<std::string> unpacked_text(std::string_view type, std::string_view data, std::size_t max_bytes) {
  bool packed = type == "zTXt";
  if (packed) {
    data.remove_prefix(std::min<std::size_t>(1, data.size()));  // skips the method: there is only one
  } else if (type == "iTXt") {
    if (data.size() < 2) return base::Error{"it is damaged"};
    packed = data[0] != 0;
    data.remove_prefix(2);
    if (!word_of(data) || !word_of(data))
      return base::Error{"it is damaged"};  // language, translated keyword
  }
  if (packed) return inflated(data, max_bytes);
  if (data.size() > max_bytes)
    return base::Error{"it is larger than " + std::to_string(max_bytes) + " bytes"};
  return std::string(data);
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

base::Result<std::string> encode_png(const Image& image, const Metadata& metadata, unsigned per_metre) {
  if (image.width <= 0 || image.height <= 0) {
    return base::Error{"a picture of " + std::to_string(image.width) + " × " + std::to_string(image.height) +
                       " pixels cannot be written as PNG"};
  }
  HEADLIGHT_CHECK(image.channels == 3 || image.channels == 4);
  const std::size_t stride = std::size_t(image.width) * std::size_t(image.channels);
  HEADLIGHT_CHECK_OP(image.pixels.size(), ==, stride * std::size_t(image.height));

  Writing job;
  job.per_metre = per_metre;
  // libpng's interface is older than const; it does not write to rows or texts.
  for (int y = 0; y < image.height; ++y) {
    job.rows.push_back(const_cast<png_bytep>(image.pixels.data() + std::size_t(y) * stride));
  }
  for (const auto& [keyword, text] : metadata) {
    png_text entry{};
    entry.compression = is_ascii(text) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
    entry.key = const_cast<char*>(keyword.c_str());
    entry.text = const_cast<char*>(text.c_str());
    if (entry.compression == PNG_TEXT_COMPRESSION_NONE) {
      entry.text_length = text.size();
    } else {
      entry.itxt_length = text.size();
    }
    job.texts.push_back(entry);
  }
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, on_error<Writing>, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  const bool done = info && write_picture(png, info, image, job);
  png_destroy_write_struct(&png, &info);
  if (!done) return base::Error{"the picture cannot be written as PNG: " + job.error};
  return std::move(job.bytes);
}

base::Result<DecodedPng> decode_png(std::string_view bytes, const std::string& origin) {
  Reading job;
  job.bytes = bytes;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, on_error<Reading>, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  const bool done = info && read_picture(png, info, job);
  if (done) {
    png_textp texts = nullptr;
    const int count = static_cast<int>(png_get_text(png, info, &texts, nullptr));
    for (int i = 0; i < count; ++i) job.result.metadata.emplace_back(texts[i].key, texts[i].text);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  if (!done) return base::Error{origin + ": invalid PNG file: " + job.error};
  return std::move(job.result);
}

base::Result<std::string> text_in_png(std::string_view bytes, const std::string& origin,
                                      std::string_view keyword, std::size_t max_bytes) {
  constexpr std::size_t frame = 12;  // length, type and checksum of a chunk
  const auto damaged = [&](const std::string& why) {
    return base::Error{origin + ": invalid PNG file: " + why};
  };
  if (!bytes.starts_with(signature)) return damaged("it has no PNG header");
  for (std::string_view rest = bytes.substr(signature.size());;) {
    const std::size_t length = rest.size() < frame ? 0 : big_endian(rest);
    if (rest.size() < frame || length > rest.size() - frame) return damaged("the file ends unexpectedly");
    const std::string_view type = rest.substr(4, 4);
    std::string_view data = rest.substr(8, length);
    rest.remove_prefix(length + frame);
    if (type == "IEND") return std::string();
    if (type != "tEXt" && type != "zTXt" && type != "iTXt") continue;
    if (word_of(data) != keyword) continue;
    auto text = unpacked_text(type, data, max_bytes);
    if (!text) return damaged("its text \"" + std::string(keyword) + "\": " + text.error());
    return text;
  }
}

}  // namespace headlight::io
