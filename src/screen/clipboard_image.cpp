#include "screen/clipboard_image.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

namespace headlight::screen {

namespace {

using Clock = std::chrono::steady_clock;

struct Free {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
using Reply = std::unique_ptr<T, Free>;

xcb_atom_t atom(xcb_connection_t* connection, std::string_view name) {
  const auto requested = xcb_intern_atom(connection, 0, static_cast<std::uint16_t>(name.size()), name.data());
  const Reply<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(connection, requested, nullptr));
  return reply ? reply->atom : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
}

/// A picture on its way to a program that takes it piece by piece (ICCCM 2.7.2, INCR): whenever the property
/// is deleted, the next piece is written to it; an empty one marks the end.
struct Transfer {
  xcb_window_t to = XCB_WINDOW_NONE;
  xcb_atom_t property = XCB_ATOM_NONE;
  std::size_t sent = 0;
  Clock::time_point last;
};
constexpr std::chrono::seconds patience{30};  // time limit for a program that takes no more pieces
constexpr std::size_t piece = std::size_t(1) << 20;

}  // namespace

/// Owns the selection, and answers requests until another program takes it or stop() is written to.
struct ClipboardImage::Owner {
  xcb_connection_t* connection = nullptr;
  xcb_window_t window = XCB_WINDOW_NONE;
  xcb_atom_t clipboard = 0, targets = 0, timestamp = 0, image = 0, incr = 0;
  xcb_timestamp_t since = XCB_CURRENT_TIME;
  std::string png;
  std::size_t most = 0;  // bytes written to a property at once
  bool lost = false;     // another program has taken the clipboard
  std::vector<Transfer> transfers;
  std::array<int, 2> stop{-1, -1};
  std::thread thread;

  ~Owner() {
    if (thread.joinable()) {
      const char byte = 0;
      while (::write(stop[1], &byte, 1) < 0 && errno == EINTR) {
      }
      thread.join();
    }
    for (const int end : stop) {
      if (end >= 0) ::close(end);
    }
    xcb_disconnect(connection);
  }

  /// Creates an invisible window, and gets a server time: ICCCM requires the true time of ownership.
  bool open() {
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    if (!screen || ::pipe2(stop.data(), O_CLOEXEC) != 0) return false;
    window = xcb_generate_id(connection);
    const std::uint32_t wanted = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &wanted);
    clipboard = atom(connection, "CLIPBOARD"), targets = atom(connection, "TARGETS");
    timestamp = atom(connection, "TIMESTAMP"), image = atom(connection, "image/png");
    incr = atom(connection, "INCR");
    most = static_cast<std::size_t>(xcb_get_maximum_request_length(connection)) * 4 - 1024;
    xcb_change_property(connection, XCB_PROP_MODE_APPEND, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, 0,
                        "");
    xcb_flush(connection);
    while (const Reply<xcb_generic_event_t> event{xcb_wait_for_event(connection)}) {
      if ((event->response_type & 0x7F) != XCB_PROPERTY_NOTIFY) continue;
      since = reinterpret_cast<const xcb_property_notify_event_t*>(event.get())->time;
      break;
    }
    xcb_set_selection_owner(connection, window, clipboard, since);
    const Reply<xcb_get_selection_owner_reply_t> owner(
        xcb_get_selection_owner_reply(connection, xcb_get_selection_owner(connection, clipboard), nullptr));
    return owner && owner->owner == window;
  }

  void serve() {
    for (;;) {
      while (const Reply<xcb_generic_event_t> event{xcb_poll_for_event(connection)}) {
        const int type = event->response_type & 0x7F;
        if (type == XCB_SELECTION_CLEAR) lost = true;
        if (type == XCB_SELECTION_REQUEST)
          answer(*reinterpret_cast<const xcb_selection_request_event_t*>(event.get()));
        if (type == XCB_PROPERTY_NOTIFY)
          send_on(*reinterpret_cast<const xcb_property_notify_event_t*>(event.get()));
      }
      if (xcb_connection_has_error(connection)) return;
      std::erase_if(transfers, [](const Transfer& t) { return Clock::now() - t.last > patience; });
      // A program that has begun to take the picture gets the rest even if another program owns the clipboard
      // now. The next copy() and the end of the program abort the transfer.
      if (lost && transfers.empty()) return;
      std::array<pollfd, 2> ready{{{xcb_get_file_descriptor(connection), POLLIN, 0}, {stop[0], POLLIN, 0}}};
      const int wait = transfers.empty() ? -1 : 1000;  // ms
      if (::poll(ready.data(), ready.size(), wait) < 0 && errno != EINTR) return;
      if (ready[1].revents != 0) return;
    }
  }

  void put(const xcb_selection_request_event_t& requested, xcb_atom_t property, xcb_atom_t type,
           std::uint8_t bits, std::size_t count, const void* data) {
    xcb_change_property(connection, XCB_PROP_MODE_REPLACE, requested.requestor, property, type, bits,
                        static_cast<std::uint32_t>(count), data);
  }

  /// Announces the minimum size, and waits for the property to be deleted.
  void begin(const xcb_selection_request_event_t& requested, xcb_atom_t property) {
    const std::uint32_t wanted = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_change_window_attributes(connection, requested.requestor, XCB_CW_EVENT_MASK, &wanted);
    const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(png.size(), 0x7FFFFFFF));
    put(requested, property, incr, 32, 1, &size);
    std::erase_if(transfers,
                  [&](const Transfer& t) { return t.to == requested.requestor && t.property == property; });
    transfers.push_back({requested.requestor, property, 0, Clock::now()});
  }

  void send_on(const xcb_property_notify_event_t& event) {
    if (event.state != XCB_PROPERTY_DELETE) return;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      Transfer& t = transfers[i];
      if (t.to != event.window || t.property != event.atom) continue;
      const std::size_t size = std::min({piece, most, png.size() - t.sent});
      xcb_change_property(connection, XCB_PROP_MODE_REPLACE, t.to, t.property, image, 8,
                          static_cast<std::uint32_t>(size), png.data() + t.sent);
      xcb_flush(connection);
      t.sent += size, t.last = Clock::now();
      if (size == 0) transfers.erase(transfers.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }

  void answer(const xcb_selection_request_event_t& requested) {
    xcb_selection_notify_event_t reply{};
    reply.response_type = XCB_SELECTION_NOTIFY;
    reply.time = requested.time, reply.requestor = requested.requestor;
    reply.selection = requested.selection, reply.target = requested.target;
    reply.property = requested.property != XCB_ATOM_NONE ? requested.property : requested.target;
    if (lost) {
      reply.property = XCB_ATOM_NONE;
    } else if (requested.target == targets) {
      const std::array<xcb_atom_t, 3> all{targets, timestamp, image};
      put(requested, reply.property, XCB_ATOM_ATOM, 32, all.size(), all.data());
    } else if (requested.target == timestamp) {
      put(requested, reply.property, XCB_ATOM_INTEGER, 32, 1, &since);
    } else if (requested.target == image && png.size() <= most) {
      put(requested, reply.property, image, 8, png.size(), png.data());
    } else if (requested.target == image) {
      begin(requested, reply.property);
    } else {
      reply.property = XCB_ATOM_NONE;
    }
    // An event is 32 bytes on the wire.
    std::array<char, 32> event{};
    static_assert(sizeof reply <= event.size());
    std::copy_n(reinterpret_cast<const char*>(&reply), sizeof reply, event.data());
    xcb_send_event(connection, 0, requested.requestor, XCB_EVENT_MASK_NO_EVENT, event.data());
    xcb_flush(connection);
  }
};

ClipboardImage::ClipboardImage() = default;
ClipboardImage::~ClipboardImage() = default;

base::Status ClipboardImage::copy(std::string png) {
  owner_.reset();
  auto owner = std::make_unique<Owner>();
  owner->connection = xcb_connect(nullptr, nullptr);
  if (xcb_connection_has_error(owner->connection))
    return base::Error{"pictures can be copied only with X11, which is not available: export a file"};
  owner->png = std::move(png);
  if (!owner->open()) return base::Error{"cannot use the clipboard: another program holds it"};
  owner->thread = std::thread([o = owner.get()] { o->serve(); });
  owner_ = std::move(owner);
  return {};
}

}  // namespace headlight::screen
