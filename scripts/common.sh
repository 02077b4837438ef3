# Sourced by run, test, check_cost, package and screenshots: the packages, installing them, and building.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_packages=(g++ cmake ninja-build pkg-config libimgui-dev libglfw3-dev libfreetype-dev libfontconfig-dev
  libfribidi-dev libharfbuzz-dev libutf8proc-dev libpcre2-dev libcairo2-dev libpng-dev libgif-dev libzip-dev libxcb1-dev zlib1g-dev libeigen3-dev nlohmann-json3-dev libcli11-dev python3-glad
  fonts-inter fonts-jetbrains-mono fonts-dejavu-core libgl1-mesa-dri)
test_packages=(libgtest-dev libgmock-dev libbenchmark-dev clang clang-format ccache libx11-dev xvfb xdotool librsvg2-bin poppler-utils imagemagick python3-numpy
  desktop-file-utils xclip fonts-noto-color-emoji fonts-lohit-deva fonts-tlwg-loma-otf valgrind mold)
package_packages=(dpkg-dev file)
# The program as released, with everything that tests and measures it.
release_options=(-DCMAKE_BUILD_TYPE=Release -DHEADLIGHT_TESTS=ON -DHEADLIGHT_BENCH=ON)

# quietly COMMAND…: shows the command's output only when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  # Lines such as "[12/90] Building …" do not show what went wrong.
  [ $status -eq 0 ] || grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking)' "$log" | tail -60 >&2
  rm -f "$log"
  return $status
}

# need PACKAGE…: installs missing packages, as root or through sudo, and announces it first.
need() {
  local missing=() as_root=(env DEBIAN_FRONTEND=noninteractive)
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "Headlight needs these Debian packages, which will be installed now: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "headlight: neither root nor sudo: install them and start again" >&2; exit 1; }
    sudo -v
    as_root=(sudo "${as_root[@]}")
  fi
  quietly "${as_root[@]}" apt-get update || exit 1
  quietly "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}" || exit 1
}

# build FOLDER TARGET OPTION…: configures once (again when the options change) and builds; silent when it is
# quick and nothing fails.
build() {
  local folder=$1 target=$2 status=0 note
  shift 2
  { sleep 2 && echo "Building ($folder) …"; } &
  note=$!
  if [ ! -f "$folder/build.ninja" ] || [ "$(cat "$folder/options" 2>/dev/null)" != "$*" ]; then
    # In a folder that is already configured, another compiler would make cmake forget the other options.
    rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles" "$folder/options"
    quietly cmake -S . -B "$folder" -G Ninja "$@" || status=$?
    [ $status -ne 0 ] || echo "$*" >"$folder/options"
  fi
  [ $status -ne 0 ] || quietly ninja -C "$folder" "$target" || status=$?
  kill $note 2>/dev/null && wait $note 2>/dev/null || true
  [ $status -eq 0 ] || exit $status
}

# build_program: builds the program in build/, as configured before, else without tests and measurements.
build_program() {
  if [ -f build/options ]; then
    build build headlight $(cat build/options)
  else
    build build headlight -DCMAKE_BUILD_TYPE=Release -DHEADLIGHT_TESTS=OFF -DHEADLIGHT_BENCH=OFF
  fi
}
