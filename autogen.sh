#!/bin/sh
# Lists the source files and makes configure from configure.ac.
set -e
cd "$(dirname "$0")"
scripts/list-sources
exec autoreconf --install --force --warnings=all,no-obsolete "$@"
