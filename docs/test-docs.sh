#!/bin/sh
# What the build makes of tables (docs/local.mk) is what it would make now; each page is in the archive, and no manual
# page has a mistake in its markup.
status=0
for page in "$srcdir"/docs/*.md "$srcdir"/docs/schemas/*.json "$srcdir"/docs/pictures/* "$srcdir"/docs/tutorial/*.md \
  "$srcdir"/docs/tutorial/programs/*; do
  page=${page#"$srcdir/docs/"}
  cat "$srcdir/docs/local.mk" "$srcdir/docs/tutorial/local.mk" | grep -q "docs/$page" || { echo "local.mk lacks $page"; status=1; }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$srcdir/docs/write-all" "$work" || status=1
for page in $(cd "$work" && find . -type f); do
  diff -u "$srcdir/$page" "$work/$page" || { echo "$page is old: make update-docs"; status=1; }
done
for page in "$srcdir"/docs/man/*.[1-8]; do
  test -f "$work/docs/man/${page##*/}" || { echo "${page##*/} is of nothing"; status=1; }
done
if command -v man >/dev/null; then
  for page in "$srcdir"/docs/*.[1-8] "$srcdir"/docs/man/*.[1-8]; do
    MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null | grep . && status=1
  done
fi
exit $status
