/* export-parquet.c -- all tables of logs as files of Parquet: `proflog query` writes them. */
#include "config.h"

#include "decoder/exports/export.h"

const struct export_format export_parquet
    = { "parquet", "all tables, in folders of Hive (-o DIR): DuckDB, Spark", .is_tables = true };
