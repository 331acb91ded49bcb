#!/bin/sh
# release-names.sh BUILD -- prints the names that users and programs rely on, a line each: commands, options, their values,
# options of the module; tables of SQL and their columns.
set -eu
build=$1
"$build/proflog" --complete | awk -F '\t' -v OFS='\t' '
  $1 == "command" { print $1, $2 }
  $1 ~ /^(option|alias|hidden|module)$/ { print $1 == "module" ? $1 : "option", $2, $3 }
  $1 == "value" { print $1, $2, $3, $4 }' | sort -u
# Of the modules of SQLite those that have no table of the log are left out.
"$build/proflog" query -q -f csv "$(dirname "$0")/small.mlpd" "
  WITH t AS MATERIALIZED (SELECT name FROM pragma_module_list WHERE name NOT GLOB 'pragma_*'
    AND name NOT GLOB 'fts*' AND name NOT GLOB 'rtree*' AND name NOT GLOB 'json_*' AND name NOT GLOB 'sqlite_*'
    AND name NOT IN ('dbstat', 'bytecode', 'tables_used', 'geopoly', 'generate_series'))
  SELECT t.name || '.' || p.name AS n FROM t, pragma_table_info (t.name) p ORDER BY 1" | sed -e 1d -e 's/^/column	/'
