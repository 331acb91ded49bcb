#!/bin/sh
# `proflog show`, `show threads` and `show caps` print what ghc-events prints: of the recorded logs, and of
# the NAME.eventlog files in the folders of $PROFLOG_CONFORMANCE, whose NAME.eventlog.reference is the text of
# ghc-events of 2025.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc-events
LC_ALL=C.UTF-8 # labels of threads

# older: the text of ghc-events 0.17, which leaves out markers of blocks and the size of a stack that
# overflows, from that of newer versions.
older ()
{
  awk '/^[0-9]+: (cap [0-9]+: )?event block: cap / { getline; next }
       { sub (/ \(stack overflow, size [0-9]+\)$/, " (stack overflow)"); print }'
}

# newer: 0.17 takes the number of throwTo for that of something else.
newer ()
{
  sed 's/(waiting for data to be globalised)$/(blocked in throwTo)/' "$work/theirs" >"$work/newer"
  mv "$work/newer" "$work/theirs"
}

# compare LOG WHAT ARGUMENT...: what is shown with these is what the tool states.
compare ()
{
  log=$1 what=$2
  shift 2
  "$proflog" show --raw-text "$@" "$log" >"$work/shown" 2>"$work/err" || fail "$what: status $?"
  older <"$work/shown" >"$work/ours"
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
    newer
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
  newer
  compare "$work/log" "$name"
  compare "$packed" "$name, packed"
  compare_groups "$work/log" "$name"
  ghc-events show "$work/log" >"$work/theirs" 2>"$work/err" || fail "$name: ghc-events fails"
  # As it stands there, without the types; the tool adds no empty line then.
  ghc-events inc "$work/log" >"$work/events" 2>"$work/err" || fail "$name: ghc-events inc fails"
  { sed '/^Events:$/q' "$work/theirs"; cat "$work/events"; echo; } >"$work/theirs.inc"
  mv "$work/theirs.inc" "$work/theirs"
  newer
  compare "$work/log" "$name, in order of the file" --order file
done

compare_groups "$logs/small.eventlog" small

for reference in ${PROFLOG_CONFORMANCE:+"$PROFLOG_CONFORMANCE"/*/*.eventlog.reference}; do
  run 0 show --raw-text "${reference%.reference}"
  quiet err
  same out "$reference"
  "$proflog" show --raw-text - <"${reference%.reference}" >out 2>err || fail "$reference: status $? of a pipe"
  same out "$reference"
done
done_checks
