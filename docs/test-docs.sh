#!/bin/sh
# The tables in docs/ are those of the event lists.
status=0
for format in mlpd ghc; do
  diff -u "$srcdir/docs/$format-events.md" - <<EOF || status=1
$(docs/print-$format-events)
EOF
done
exit $status
