#include "io/png.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>

namespace headlight::io {

namespace {

/// What libpng's callbacks reach. libpng leaves by longjmp, so the functions that call setjmp keep no objects
/// of their own.
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
  static_cast<Writing*>(png_get_io_ptr(png))->bytes.append(reinterpret_cast<const char*>(data), size);
}

void take_bytes(png_structp png, png_bytep data, png_size_t size) {
  auto* job = static_cast<Reading*>(png_get_io_ptr(png));
  if (size > job->bytes.size() - job->at) png_error(png, "the file ends in the middle");
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

bool read_picture(png_structp png, png_infop info, Reading& job) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, &job, take_bytes);
  png_read_info(png, info);
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
  const std::size_t stride = png_get_rowbytes(png, info);
  image.pixels.resize(stride * static_cast<std::size_t>(image.height));
  job.rows.resize(static_cast<std::size_t>(image.height));
  for (std::size_t y = 0; y < job.rows.size(); ++y) job.rows[y] = image.pixels.data() + y * stride;
  png_read_image(png, job.rows.data());
  png_read_end(png, info);
  return true;
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
  // libpng's interface is older than const; it does not write into rows or texts.
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
  if (!done) return base::Error{origin + ": not a sound PNG picture: " + job.error};
  return std::move(job.result);
}

}  // namespace headlight::io
