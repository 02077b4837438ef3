#include "screen/damage.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace headlight::screen {

namespace {

constexpr int indices_at_once = 6;  // two triangles: most shapes are made of such pairs
// Boxes are joined if that adds fewer pixels than the cost of a separate box, which processes all vertices
// again.
constexpr long pixels_per_box = 6000;
// Opaque shapes with this many pixels justify a change of the OpenGL state.
constexpr float worth_apart = 4000;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

template <class T>
std::uint64_t bits(T value) {
  std::uint64_t out = 0;
  static_assert(sizeof value <= sizeof out);
  std::memcpy(&out, &value, sizeof value);
  return out;
}

ImVec4 common(const ImVec4& a, const ImVec4& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::min(a.z, b.z), std::min(a.w, b.w)};
}

bool empty(const ImVec4& box) {
  return !(box.x < box.z && box.y < box.w);
}

bool in_full_colour(const ImDrawVert* vertices, const ImDrawIdx* indices, int count, ImVec2 white) {
  for (int i = 0; i < count; ++i) {
    const ImDrawVert& v = vertices[indices[i]];
    if ((v.col & IM_COL32_A_MASK) != IM_COL32_A_MASK || v.uv.x != white.x || v.uv.y != white.y) return false;
  }
  return true;
}

/// Returns the bounding box of some indexed vertices.
ImVec4 bounds_of(const ImDrawVert* vertices, const ImDrawIdx* indices, int count) {
  constexpr float far = std::numeric_limits<float>::max();
  ImVec4 box{far, far, -far, -far};
  for (int i = 0; i < count; ++i) {
    const ImVec2 p = vertices[indices[i]].pos;
    box = {std::min(box.x, p.x), std::min(box.y, p.y), std::max(box.z, p.x), std::max(box.w, p.y)};
  }
  return box;
}

/// Hashes the vertices' bytes. Adjacent indices usually refer to adjacent vertices, some of them twice.
std::uint64_t hash_of(const ImDrawVert* vertices, const ImDrawIdx* indices, int count, std::uint64_t hash) {
  for (int i = 0; i < count; ++i) {
    if (i >= 3 && (indices[i] == indices[i - 3] || indices[i] == indices[i - 1])) {
      hash = mixed(hash, std::uint64_t(i));
      continue;
    }
    const ImDrawVert& v = vertices[indices[i]];
    hash = mixed(mixed(hash, bits(v.pos)), bits(v.uv) ^ std::uint64_t(v.col) << 17);
  }
  return hash;
}

}  // namespace

std::span<const PixelBox> Damage::update(const ImDrawData& data, Look look) {
  const int width = static_cast<int>(data.DisplaySize.x), height = static_cast<int>(data.DisplaySize.y);
  const bool fresh = columns_ == 0 || width != width_ || height != height_;
  width_ = width, height_ = height;
  columns_ = (width + tile - 1) / tile, rows_ = (height + tile - 1) / tile;
  now_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 1);
  hash_tiles(data, look);
  boxes_.clear();
  if (fresh) {
    if (width > 0 && height > 0) boxes_.push_back({0, 0, width, height});
  } else {
    find_boxes(width, height);
  }
  now_.swap(before_);
  return boxes_;
}

void Damage::hash_tiles(const ImDrawData& data, Look look) {
  groups_.clear();
  const ImFontAtlas& fonts = *ImGui::GetIO().Fonts;  // shapes use its texture, at the white texel
  const ImVec4 screen{0, 0, static_cast<float>(width_), static_cast<float>(height_)};
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    std::uint64_t state = 0;  // set by callbacks
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback) {
        state = command.UserCallback == ImDrawCallback_ResetRenderState ? 0 : look(command);
        continue;
      }
      const ImVec4 clip = common(command.ClipRect, screen);
      const std::uint64_t begin = mixed(
          mixed(mixed(state, bits(command.TextureId)), bits(ImVec2(command.ClipRect.x, command.ClipRect.y))),
          bits(ImVec2(command.ClipRect.z, command.ClipRect.w)));
      const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
      const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
      for (unsigned at = 0; at < command.ElemCount; at += indices_at_once) {
        const int count = static_cast<int>(std::min<unsigned>(indices_at_once, command.ElemCount - at));
        groups_.push_back({bounds_of(vertices, indices + at, count)});
        const ImVec4 bounds = common(groups_.back().bounds, clip);
        if (empty(bounds)) continue;
        add(bounds, hash_of(vertices, indices + at, count, begin));
        groups_.back().opaque = state == 0 && command.TextureId == fonts.TexID &&
                                in_full_colour(vertices, indices + at, count, fonts.TexUvWhitePixel);
      }
    }
  }
}

void Damage::add(const ImVec4& bounds, std::uint64_t hash) {
  const auto along = [](float at, int tiles) {
    return std::clamp(static_cast<int>(at) / tile, 0, tiles - 1);
  };
  const int left = along(bounds.x, columns_), right = along(std::ceil(bounds.z), columns_);
  const int top = along(bounds.y, rows_), bottom = along(std::ceil(bounds.w), rows_);
  for (int row = top; row <= bottom; ++row) {
    std::uint64_t* tiles = now_.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_);
    for (int column = left; column <= right; ++column) tiles[column] = mixed(tiles[column], hash);
  }
}

void Damage::find_boxes(int width, int height) {
  // Collects runs of changed tiles, row by row; a run as wide as the one above extends it.
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const auto changed = [&](int c) {
        const auto at =
            static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(c);
        return c < columns_ && now_[at] != before_[at];
      };
      if (!changed(column)) continue;
      const int from = column;
      while (changed(column)) ++column;
      const PixelBox run{from * tile, row * tile, std::min(column * tile, width),
                         std::min((row + 1) * tile, height)};
      const auto above = std::find_if(boxes_.begin(), boxes_.end(), [&](const PixelBox& box) {
        return box.y1 == run.y0 && box.x0 == run.x0 && box.x1 == run.x1;
      });
      if (above != boxes_.end()) {
        above->y1 = run.y1;
      } else {
        boxes_.push_back(run);
      }
    }
  }
  const auto around = [](const PixelBox& a, const PixelBox& b) {
    return PixelBox{std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
  };
  // Keeps the number of boxes small: the pair whose common box adds least is joined first. If there are very
  // many, several are joined at once.
  while (boxes_.size() > 48) {
    boxes_[boxes_.size() - 2] = around(boxes_[boxes_.size() - 2], boxes_.back());
    boxes_.pop_back();
  }
  while (boxes_.size() > 1) {
    std::size_t a = 0, b = 1;
    long least = std::numeric_limits<long>::max();
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      for (std::size_t j = i + 1; j < boxes_.size(); ++j) {
        const long added = around(boxes_[i], boxes_[j]).area() - boxes_[i].area() - boxes_[j].area();
        if (added < least) least = added, a = i, b = j;
      }
    }
    // Overlapping boxes would draw transparent shapes twice. For them, the area added by joining is negative.
    if (boxes_.size() <= most_boxes && least > pixels_per_box) {
      bool overlap = false;
      for (std::size_t i = 0; i < boxes_.size() && !overlap; ++i) {
        for (std::size_t j = i + 1; j < boxes_.size() && !overlap; ++j) {
          const PixelBox &p = boxes_[i], &q = boxes_[j];
          if (p.x0 < q.x1 && q.x0 < p.x1 && p.y0 < q.y1 && q.y0 < p.y1) a = i, b = j, overlap = true;
        }
      }
      if (!overlap) break;
    }
    boxes_[a] = around(boxes_[a], boxes_[b]);
    boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(b));
  }
}

const Damage::Part& Damage::part(const ImDrawData& data, PixelBox box) {
  const ImVec4 wanted{static_cast<float>(box.x0), static_cast<float>(box.y0), static_cast<float>(box.x1),
                      static_cast<float>(box.y1)};
  part_.pieces.clear(), part_.indices.clear();
  std::size_t group = 0, ordinary = 0;  // number of pieces before the callbacks that are not restored yet
  bool called = false;                  // there are such callbacks
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      Piece piece{n, &command, common(command.ClipRect, wanted)};
      if (command.UserCallback == ImDrawCallback_ResetRenderState) {
        // Nothing is drawn between the preceding callbacks and the state that this one restores.
        while (called && part_.pieces.size() > ordinary && part_.pieces.back().command->UserCallback)
          part_.pieces.pop_back();
        if (called && part_.pieces.size() > ordinary) part_.pieces.push_back(piece);
        called = false;
        continue;
      }
      if (command.UserCallback) {
        if (!called) ordinary = part_.pieces.size();
        called = true;
        part_.pieces.push_back(piece);
        continue;
      }
      if (!empty(piece.clip)) add_pieces(list, piece, group);
      group += (command.ElemCount + indices_at_once - 1) / indices_at_once;
    }
  }
  return part_;
}

/// Adds the triangles of one command, whose first group is `group`; large opaque ones become separate pieces.
void Damage::add_pieces(const ImDrawList& list, Piece piece, std::size_t group) {
  const ImDrawCmd& command = *piece.command;
  const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
  const auto here = [&] { return static_cast<unsigned>(part_.indices.size()); };
  unsigned begin = here(), run = begin;  // start of the piece, and of the opaque run at its end
  float area = 0;                        // of that run
  const auto close = [&](unsigned to, bool opaque) {
    piece.first = begin, piece.count = to - begin, piece.opaque = opaque;
    if (piece.count > 0) part_.pieces.push_back(piece);
    begin = to;
  };
  const auto end_run = [&] {
    if (area >= worth_apart) close(run, false), close(here(), true);
    area = 0;
  };
  for (unsigned at = 0; at < command.ElemCount; at += indices_at_once, ++group) {
    const unsigned count = std::min<unsigned>(indices_at_once, command.ElemCount - at);
    // A line may be between two pixel centres and have no extent of its own.
    ImVec4 bounds = groups_[group].bounds;
    bounds.z += 1, bounds.w += 1;
    const ImVec4 seen = common(bounds, piece.clip);
    if (empty(seen)) continue;
    if (!groups_[group].opaque) {
      end_run();
    } else {
      if (area == 0) run = here();
      area += (seen.z - seen.x) * (seen.w - seen.y);
    }
    part_.indices.insert(part_.indices.end(), indices + at, indices + at + count);
  }
  end_run();
  close(here(), false);
}

}  // namespace headlight::screen
