# Sourced by run and test: the packages, installing them, and building.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_packages=(g++ cmake ninja-build pkg-config libimgui-dev libglfw3-dev libfreetype-dev libfontconfig-dev
  libfribidi-dev libutf8proc-dev libcairo2-dev libpng-dev libeigen3-dev nlohmann-json3-dev libcli11-dev python3-glad
  fonts-inter fonts-jetbrains-mono fonts-dejavu-core libgl1-mesa-dri)
test_packages=(libgtest-dev libgmock-dev libbenchmark-dev clang ccache xvfb xauth xdotool desktop-file-utils)

# need PACKAGE…: installs those that are missing, as root or through sudo, and says so first.
need() {
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "Headlight needs these Debian packages, which will be installed now: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "headlight: neither root nor sudo: install them and start again" >&2; exit 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# build FOLDER TARGET OPTION…: configures once (again when the options change) and builds; silent unless it fails.
build() {
  local folder=$1 target=$2
  shift 2
  local options="$*" log
  log=$(mktemp)
  if [ ! -f "$folder/build.ninja" ] || [ "$(cat "$folder/options" 2>/dev/null)" != "$options" ]; then
    cmake -S . -B "$folder" -G Ninja "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
    echo "$options" >"$folder/options"
  fi
  if ! ninja -C "$folder" -n "$target" 2>/dev/null | grep -q 'no work to do'; then
    echo "Building ($folder) …"
  fi
  ninja -C "$folder" "$target" >"$log" 2>&1 || { grep -vE '^\[' "$log" | tail -60 >&2; exit 1; }
  rm -f "$log"
}
