#!/bin/sh
# embed-files.sh FILE... -- prints the files as C (page-files.h).
set -eu
echo '/* Made by embed-files.sh. */'
echo '#include "decoder/serve/page-files.h"'
number=0 table=
for file; do
  case $file in
    *.html) type='text/html; charset=utf-8' ;;
    *.css) type='text/css; charset=utf-8' ;;
    *.js) type='text/javascript; charset=utf-8' ;;
    *.svg) type='image/svg+xml' ;;
    *) echo "embed-files.sh: $file: of what type is it?" >&2; exit 1 ;;
  esac
  name=${file##*/}
  test "$name" != page.html || name=
  echo "static const unsigned char bytes_$number[] = {"
  od -An -v -tu1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
  echo '};'
  table="$table  { \"$name\", \"$type\", bytes_$number, sizeof bytes_$number },
"
  number=$((number + 1))
done
echo 'const struct page_file page_files[] = {'
printf '%s' "$table"
echo '  { 0, 0, 0, 0 },'
echo '};'
