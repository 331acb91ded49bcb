/* mcp-json.c -- one statement for each question. */
#include "config.h"

#include "decoder/mcp/mcp-json.h"
#include <glib.h>
#include <sqlite3.h>

struct mcp_json {
  sqlite3 *db;
  sqlite3_stmt *valid, *extract, *raw;
  const char *text;
};

static sqlite3_stmt *
prepare (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);
  return statement;
}

struct mcp_json *
mcp_json_new (void)
{
  struct mcp_json *json = g_new0 (struct mcp_json, 1);
  if (sqlite3_open (":memory:", &json->db) == SQLITE_OK) {
    json->valid = prepare (json->db, "SELECT json_valid (?1)");
    json->extract = prepare (json->db, "SELECT json_extract (?1, ?2)");
    json->raw = prepare (json->db, "SELECT ?1 -> ?2");
  }
  if (json->raw != NULL)
    return json;
  mcp_json_free (json);
  return NULL;
}

void
mcp_json_free (struct mcp_json *json)
{
  sqlite3_finalize (json->valid);
  sqlite3_finalize (json->extract);
  sqlite3_finalize (json->raw);
  sqlite3_close (json->db);
  g_free (json);
}

static char *
ask (struct mcp_json *json, sqlite3_stmt *statement, const char *path)
{
  char *answer = NULL;
  sqlite3_bind_text (statement, 1, json->text, -1, SQLITE_STATIC);
  if (path != NULL)
    sqlite3_bind_text (statement, 2, path, -1, SQLITE_STATIC);
  if (sqlite3_step (statement) == SQLITE_ROW && sqlite3_column_type (statement, 0) != SQLITE_NULL)
    answer = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_reset (statement);
  return answer;
}

bool
mcp_json_take (struct mcp_json *json, const char *text)
{
  json->text = text;
  g_autofree char *valid = ask (json, json->valid, NULL);
  return g_strcmp0 (valid, "1") == 0;
}

char *
mcp_json_text (struct mcp_json *json, const char *path)
{
  return ask (json, json->extract, path);
}

char *
mcp_json_raw (struct mcp_json *json, const char *path)
{
  return ask (json, json->raw, path);
}
