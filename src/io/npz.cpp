#include "io/npz.h"

#include <zip.h>

#include <list>
#include <memory>

#include "io/npy.h"

namespace headlight::io {

namespace {

/// 1 January 1980, the first time that ZIP can say.
constexpr zip_uint16_t no_date = (0 << 9) | (1 << 5) | 1, no_time = 0;

struct SourceFree {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, SourceFree>;

base::Error failed(zip_error_t& error) {
  base::Error out{std::string("the archive cannot be made: ") + zip_error_strerror(&error)};
  zip_error_fini(&error);
  return out;
}

/// One entry; what it points to must live until the archive is closed.
bool add(zip_t* archive, const std::string& name, std::span<const zip_buffer_fragment_t> parts) {
  zip_source_t* source = zip_source_buffer_fragment(archive, parts.data(), parts.size(), 0);
  if (!source) return false;
  const zip_int64_t at = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (at < 0) {
    zip_source_free(source);
    return false;
  }
  return zip_set_file_compression(archive, static_cast<zip_uint64_t>(at), ZIP_CM_STORE, 0) == 0 &&
         zip_file_set_dostime(archive, static_cast<zip_uint64_t>(at), no_time, no_date, 0) == 0;
}

zip_buffer_fragment_t part(const void* data, std::size_t bytes) {
  return {static_cast<zip_uint8_t*>(const_cast<void*>(data)), bytes};
}

}  // namespace

base::Result<std::string> encode_npz(std::span<const AnyTensor> tensors, const std::string& scene) {
  zip_error_t error;
  zip_error_init(&error);
  Source target(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!target) return failed(error);
  zip_source_keep(target.get());  // one for the archive, one to read it back
  zip_t* archive = zip_open_from_source(target.get(), ZIP_TRUNCATE, &error);
  if (!archive) {
    zip_source_free(target.get());
    return failed(error);
  }
  std::list<std::string> headers;
  bool good = true;
  for (const AnyTensor& any : tensors) {
    std::visit(
        [&](const auto& tensor) {
          using Element = typename std::decay_t<decltype(tensor.values)>::value_type;
          check_shape(tensor);
          headers.push_back(npy_header(sizeof(Element) == 4 ? "<f4" : "<f8", tensor.shape));
          const zip_buffer_fragment_t parts[] = {part(headers.back().data(), headers.back().size()),
                                                 part(tensor.values.data(), tensor.values.size_bytes())};
          good = good &&
                 add(archive, tensor.name + ".npy", std::span(parts).first(tensor.values.empty() ? 1 : 2));
        },
        any);
  }
  if (!scene.empty()) {
    const zip_buffer_fragment_t parts[] = {part(scene.data(), scene.size())};
    good = good && add(archive, "scene.json", parts);
  }
  if (!good || zip_close(archive) != 0) {
    base::Error out{std::string("the archive cannot be made: ") + zip_strerror(archive)};
    zip_discard(archive);
    return out;
  }
  std::string bytes;
  zip_stat_t size;
  if (zip_source_stat(target.get(), &size) != 0 || zip_source_open(target.get()) != 0)
    return base::Error{"the archive cannot be read back"};
  bytes.resize(size.size);
  const zip_int64_t got = zip_source_read(target.get(), bytes.data(), bytes.size());
  zip_source_close(target.get());
  if (got != static_cast<zip_int64_t>(bytes.size())) return base::Error{"the archive cannot be read back"};
  return bytes;
}

base::Result<std::string> read_zip_entry(const std::string& bytes, const std::string& entry,
                                         const std::string& origin) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) : nullptr;
  if (!archive) {
    base::Error out{origin + ": not a sound archive: " + zip_error_strerror(&error)};
    if (source) zip_source_free(source);
    zip_error_fini(&error);
    return out;
  }
  const std::unique_ptr<zip_t, void (*)(zip_t*)> closed(archive, zip_discard);
  zip_stat_t size;
  constexpr zip_uint64_t most = 64u << 20;
  zip_file_t* file = nullptr;
  if (zip_stat(archive, entry.c_str(), 0, &size) == 0 && size.size <= most)
    file = zip_fopen(archive, entry.c_str(), 0);
  if (!file) return base::Error{origin + ": there is no " + entry + " in it"};
  std::string text(size.size, '\0');
  const zip_int64_t got = zip_fread(file, text.data(), text.size());
  zip_fclose(file);
  if (got != static_cast<zip_int64_t>(text.size())) return base::Error{origin + ": " + entry + " is damaged"};
  return text;
}

}  // namespace headlight::io
