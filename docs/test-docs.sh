#!/bin/sh
# The tables in docs/, and the Haskell functions that post events, are those of the event lists; the manual page
# lists the sections that there are; the schemas are those of the commands; each page is in the archive.
status=0
for page in "$srcdir"/docs/*.md "$srcdir"/docs/schemas/*.json; do
  page=${page#"$srcdir/docs/"}
  grep -q "docs/$page" "$srcdir/docs/local.mk" || { echo "docs/local.mk lacks $page"; status=1; }
done
for format in mlpd ghc; do
  diff -u "$srcdir/docs/$format-events.md" - <<EOF || status=1
$(docs/print-$format-events)
EOF
done
diff -u "$srcdir/haskell/Proflog/EventlogEvents.hsc" - <<EOF || status=1
$(haskell/print-eventlog-events)
EOF
diff -u "$srcdir/docs/proflog.1" - <<EOF || status=1
$("$srcdir/docs/write-sections" ./proflog "$srcdir/docs/proflog.1")
EOF
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
docs/print-schemas "$srcdir" "$made" || status=1
diff -u "$srcdir/docs/json.md" "$made/json.md" >&2 || status=1
for schema in "$made"/schemas/*.json; do
  diff -u "$srcdir/docs/schemas/${schema##*/}" "$schema" || status=1
done
exit $status
