#!/bin/sh
# The tables in docs/, and the Haskell functions that post events, are those of the event lists; the manual pages and
# docs/cli.md are those of the tables of commands; the schemas are those of the commands; each page is in the archive, and
# no manual page has a mistake in its markup.
status=0
for page in "$srcdir"/docs/*.md "$srcdir"/docs/schemas/*.json "$srcdir"/docs/pictures/* "$srcdir"/docs/tutorial/*.md \
  "$srcdir"/docs/tutorial/programs/*; do
  page=${page#"$srcdir/docs/"}
  cat "$srcdir/docs/local.mk" "$srcdir/docs/tutorial/local.mk" | grep -q "docs/$page" || { echo "local.mk lacks $page"; status=1; }
done
for format in mlpd ghc; do
  diff -u "$srcdir/docs/$format-events.md" - <<EOF || status=1
$(docs/print-$format-events)
EOF
done
diff -u "$srcdir/haskell/Proflog/EventlogEvents.hsc" - <<EOF || status=1
$(haskell/print-eventlog-events)
EOF
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/docs" "$work/docs/man"
"$srcdir/docs/man/write-pages" ./proflog "$work/docs/man" || status=1
mv "$work/docs/man/cli.md" "$work/docs"
for page in "$work"/docs/cli.md "$work"/docs/man/*; do
  diff -u "$srcdir/${page#"$work"/}" "$page" || { echo "${page##*/} is old: make update-docs"; status=1; }
done
for page in "$srcdir"/docs/man/*.[1-8]; do
  test -f "$work/docs/man/${page##*/}" || { echo "${page##*/} is of nothing"; status=1; }
done
if command -v man >/dev/null; then
  for page in "$srcdir"/docs/*.[1-8] "$srcdir"/docs/man/*.[1-8]; do
    MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null | grep . && status=1
  done
fi
made=$work/made
mkdir "$made"
docs/print-schemas "$srcdir" "$made" || status=1
diff -u "$srcdir/docs/json.md" "$made/json.md" >&2 || status=1
for schema in "$made"/schemas/*.json; do
  diff -u "$srcdir/docs/schemas/${schema##*/}" "$schema" || status=1
done
exit $status
