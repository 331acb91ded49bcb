# fresh-root.sh -- read by scripts that test in a fresh root of the machine's own release of Debian: makes it in
# $root, with a folder $work around it for logs.  Expects $top, the top of the source tree, with setup.sh read, and
# $work, which is removed at the end.  It needs root and the machine's package mirror.

need_packages mmdebstrap

root=$work/root
# Never through a mount that is left.
remove_root() {
  ! mountpoint -q "$root/proc" || umount "$root/proc"
  rm -rf --one-file-system "$root"
}
remove_work() {
  [ ! -e "$root" ] || remove_root
  rm -rf --one-file-system "$work"
}
remove_work
trap remove_work EXIT
mkdir -p "$work"

# make_root -- makes it anew.
make_root() {
  local VERSION_CODENAME file sources=
  [ ! -e "$root" ] || remove_root
  . /etc/os-release
  # The machine's sources of packages of this release, with its own settings of apt (proxies, limits).
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    if [ -s "$file" ] && grep -qE "^[^#]*\b$VERSION_CODENAME\b" "$file" &&
      grep -qE '^[^#]*\bmain\b' "$file"; then
      sources="$sources $file"
    fi
  done
  apt-config dump --format '%f "%v";%n' 'Acquire::http' 'Acquire::https' >"$work/apt.conf"
  say "making a root of $VERSION_CODENAME in $root"
  # shellcheck disable=SC2086
  quietly "$work/mmdebstrap.log" mmdebstrap --variant=apt --aptopt="$work/apt.conf" "$VERSION_CODENAME" \
    "$root" $sources
  mount -t proc proc "$root/proc"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  quietly "$work/apt.log" inside apt-get update
}

# inside COMMAND... -- runs it in the root, in the home folder, as a user's shell would, with nothing of this one's
# environment but the proxies.
inside() {
  chroot "$root" /usr/bin/env -i -C /root HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${http_proxy+http_proxy="$http_proxy"} \
    ${https_proxy+https_proxy="$https_proxy"} ${no_proxy+no_proxy="$no_proxy"} "$@"
}
# installs ARGUMENT... -- apt install, as README has it.
installs() { quietly "$work/apt.log" inside apt install -y -q "$@"; }

# of_readme REGULAR-EXPRESSION -- the one line of README that it matches.
of_readme() {
  local lines
  lines=$(grep -E -- "$1" "$top/README.md") && [ "$(wc -l <<<"$lines")" = 1 ] || die "README has not one line '$1'"
  sed 's/^ *//' <<<"$lines"
}
