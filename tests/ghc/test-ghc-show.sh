#!/bin/sh
# `proflog show`, `show threads` and `show caps` with --like print what ghc-events prints, byte for byte: of the
# recorded logs that of 0.17, and of the NAME.eventlog files in the folders of $PROFLOG_CONFORMANCE that of
# NAME.eventlog.reference, the text of ghc-events of 2025.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc-events python3
LC_ALL=C.UTF-8 # labels of threads

# compare LOG WHAT ARGUMENT...: what is shown with these is what the tool states.
compare ()
{
  log=$1 what=$2
  shift 2
  "$proflog" show --like=ghc-events-0.17 "$@" "$log" >"$work/ours" 2>"$work/err" || fail "$what: status $?"
  cmp -s "$work/theirs" "$work/ours" || {
    diff "$work/theirs" "$work/ours" | head -n 10 >&2
    fail "$what: other events"
  }
  checks=$((checks + 1))
}

# compare_groups LOG WHAT: what is shown by thread and by capability is what the tool states.
compare_groups ()
{
  for group in threads caps; do
    ghc-events show $group "$1" >"$work/theirs" 2>"$work/err" || fail "$2: ghc-events show $group fails"
    compare "$1" "$2, $group" $group
  done
}

for packed in "$logs"/ghc-*.eventlog.gz; do
  name=$(basename "$packed" .eventlog.gz)
  case $name in
    ghc-restart*) continue ;; # several logs in one
  esac
  gunzip -c "$packed" >"$work/log" || fail "$name cannot be unpacked"
  ghc-events show "$work/log" >"$work/theirs" 2>"$work/err" || fail "$name: ghc-events fails"
  compare "$work/log" "$name"
  compare "$packed" "$name, packed"
  compare_groups "$work/log" "$name"
  ghc-events show "$work/log" >"$work/theirs" 2>"$work/err" || fail "$name: ghc-events fails"
  # As it stands there, without the types; the tool adds no empty line then.
  ghc-events inc "$work/log" >"$work/events" 2>"$work/err" || fail "$name: ghc-events inc fails"
  { sed '/^Events:$/q' "$work/theirs"; cat "$work/events"; echo; } >"$work/theirs.inc"
  mv "$work/theirs.inc" "$work/theirs"
  compare "$work/log" "$name, in order of the file" --order file
done

compare_groups "$logs/small.eventlog" small

# Each number for which a thread can stop, and some that no runtime writes, in a log of GHC 9 and in one of 7.8.2.
python3 - "$logs/ghc-blocks.eventlog.gz" "$work/stops" <<'END' || fail 'no log of stops'
import gzip
import struct
import sys
log = bytearray (gzip.open (sys.argv[1]).read ())
sizes, at, stops = {}, log.index (b"hetb") + 4, 0
while log[at:at + 4] == b"etb\0":
    tag, size, words = struct.unpack_from (">HHI", log, at + 4)
    more = struct.unpack_from (">I", log, at + 12 + words)[0]
    sizes[tag] = size
    at += 20 + words + more
at = log.index (b"datb") + 4
while True:
    tag = struct.unpack_from (">H", log, at)[0]
    if tag == 0xffff:
        break
    size, head = sizes[tag], 10
    if size == 0xffff:
        size, head = struct.unpack_from (">H", log, at + 10)[0], 12
    if tag == 2:
        struct.pack_into (">H", log, at + 14, stops % 24)
        stops += 1
    at += head + size
open (sys.argv[2], "wb").write (log)
END
ghc-events show "$work/stops" >"$work/theirs" || fail 'ghc-events cannot read all stops'
compare "$work/stops" 'all stops'
for status in $(seq 0 23); do
  echo "0 $((status * 10 + 1000)) run 1"
  echo "0 $((status * 10 + 1005)) wait 1 $status"
done | python3 "$tests/cli/make-eventlog.py" "$work/stops"
ghc-events show "$work/stops" >"$work/theirs" || fail 'ghc-events cannot read all stops of 7.8.2'
compare "$work/stops" 'all stops of 7.8.2'

for reference in ${PROFLOG_CONFORMANCE:+"$PROFLOG_CONFORMANCE"/*/*.eventlog.reference}; do
  run 0 show --like=ghc-events-0.22 "${reference%.reference}"
  quiet err
  same out "$reference"
  "$proflog" show --raw-text - <"${reference%.reference}" >out 2>err || fail "$reference: status $? of a pipe"
  same out "$reference"
done
done_checks
