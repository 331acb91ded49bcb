#!/bin/sh
# The tables in docs/ are those of the event list.
exec diff -u "$srcdir/docs/mlpd-events.md" - <<EOF
$(docs/print-mlpd-events)
EOF
