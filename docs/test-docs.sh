#!/bin/sh
# The tables in docs/, and the Haskell functions that post events, are those of the event lists; the manual page
# lists the sections that there are; each page is in the archive.
status=0
for page in "$srcdir"/docs/*.md; do
  grep -q "docs/${page##*/}" "$srcdir/docs/local.mk" || { echo "docs/local.mk lacks ${page##*/}"; status=1; }
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
exit $status
