# setup.sh -- read by the other scripts: installs packages and builds, and reports each step.
# Expects $top, the top of the source tree.

# What building and most tests need, beyond a Debian 12 base system; and what the other tests need (judge).
build_packages='build-essential autoconf automake libtool pkg-config
  libglib2.0-dev libffi-dev libcmocka-dev zlib1g-dev libzstd-dev libmicrohttpd-dev libsqlite3-dev libedit-dev libcurl4-openssl-dev libmono-2.0-dev'
mono_packages='mono-runtime mono-mcs mono-utils libmono-profiler'
judge_packages='mono-runtime-boehm libmonoboehm-2.0-1 clang-format clang-tidy cppcheck codespell shellcheck python3 sqlite3 clickhouse-server zstd tmux curl prometheus chromium linux-perf valgrind heaptrack graphviz jq zsh fish abigail-tools protobuf-compiler'
ghc_packages='ghc ghc-prof libghc-ghc-events-dev'
# What `make deb`, `make test-packages` and `make rpm` need beside these.
package_packages='debhelper dh-python lintian mmdebstrap python3 rpm'

say() { printf '==> %s\n' "$*" >&2; }

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# as_root COMMAND... -- by sudo, unless we are root.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "this is to be run as root: $*" >&2
    return 1
  fi
}

# install_packages PACKAGE... -- installs those that are missing.  Fails, with a message, if it cannot.
install_packages() {
  local package missing=
  for package; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
    'install ok installed') ;;
    *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  say "installing with apt-get:$missing"
  # The package list may be old or not there at all.
  # shellcheck disable=SC2086
  as_root apt-get update -qq >&2 &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      -o Dpkg::Use-Pty=0 $missing >/dev/null && return 0
  echo "these packages could not be installed:$missing" >&2
  return 1
}

# need_packages PACKAGE... -- the same, and ends the script if it cannot.  Where there are no Debian
# packages, configure and the tests find out what is missing.
need_packages() {
  if command -v apt-get >/dev/null; then
    install_packages "$@" || exit 1
  else
    say "there is no apt-get; under names of their own, these packages are needed: $*"
  fi
}

# quietly LOG COMMAND... -- runs a command with its output in LOG; shows the end of it on failure.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 </dev/null && return 0
  printf '%s\n' "failed: $*" "the end of $log:" >&2
  tail -n 40 "$log" >&2
  return 1
}

# configure_in SOURCE DIRECTORY OPTION... -- makes configure if it is not there, runs it in DIRECTORY.
configure_in() {
  local source=$1 dir=$2
  shift 2
  mkdir -p "$dir"
  if [ ! -x "$source/configure" ] || [ "$source/configure.ac" -nt "$source/configure" ]; then
    quietly "$dir/autogen.log" "$source/autogen.sh" || return 1
  fi
  (cd "$dir" && quietly "$dir/configure.log" "$source/configure" "$@")
}

jobs=$(nproc 2>/dev/null || echo 1)
