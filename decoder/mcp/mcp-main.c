/* mcp-main.c -- proflog mcp: answers an agent on standard input and output, by the Model Context
 * Protocol: JSON-RPC 2.0, a message a line.  Source: the protocol's specification of 2025-06-18.
 *
 * A program of its own, as other commands need not load SQLite, which reads the messages; a part of
 * the static program. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/command/out-of-memory.h"
#include "decoder/mcp/mcp-main.h"
#include "decoder/mcp/mcp-tools.h"
#include "decoder/output/emitter-values.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROTOCOL "2025-06-18"

enum {
  MESSAGE_MAX = 1 << 20, /* bytes */
  NOT_JSON = -32700,
  NO_REQUEST = -32600,
  NO_METHOD = -32601,
  NO_PARAMETER = -32602,
};

static void
send_line (GString *line)
{
  g_string_append_c (line, '\n');
  fwrite (line->str, 1, line->len, stdout);
  fflush (stdout);
  g_string_free (line, TRUE);
}

/* The beginning of an answer; `id` as JSON. */
static GString *
answer_new (const char *id)
{
  GString *answer = g_string_new ("{\"jsonrpc\":\"2.0\",\"id\":");
  g_string_append (answer, id != NULL ? id : "null");
  return answer;
}

static void
send_error (const char *id, int code, const char *text)
{
  GString *answer = answer_new (id);
  g_string_append_printf (answer, ",\"error\":{\"code\":%d,\"message\":", code);
  emitter_append_json_string (answer, text, strlen (text));
  g_string_append (answer, "}}");
  send_line (answer);
}

static void
send_result (const char *id, const char *json)
{
  GString *answer = answer_new (id);
  g_string_append_printf (answer, ",\"result\":%s}", json);
  send_line (answer);
}

static void
send_tools (const char *id)
{
  g_autoptr (GString) list = g_string_new ("{\"tools\":");
  mcp_tools_append (list);
  g_string_append_c (list, '}');
  send_result (id, list->str);
}

static void
send_call (const struct mcp_server *server, const char *id)
{
  g_autoptr (GString) text = g_string_new (NULL);
  bool failed;
  if (!mcp_tools_call (server, text, &failed)) {
    send_error (id, NO_PARAMETER, "there is no such tool; tools/list names them");
    return;
  }
  g_autoptr (GString) result = g_string_new ("{\"content\":[{\"type\":\"text\",\"text\":");
  emitter_append_json_string (result, text->str, text->len);
  g_string_append_printf (result, "}],\"isError\":%s}", failed ? "true" : "false");
  send_result (id, result->str);
}

static void
answer (const struct mcp_server *server, const char *line)
{
  if (!mcp_json_take (server->json, line)) {
    send_error (NULL, NOT_JSON, "the line is no JSON");
    return;
  }
  g_autofree char *id = mcp_json_raw (server->json, "$.id");
  g_autofree char *method = mcp_json_text (server->json, "$.method");
  if (id == NULL && method != NULL) /* a notification */
    return;
  if (method == NULL)
    send_error (id, NO_REQUEST, "the message has no method");
  else if (strcmp (method, "initialize") == 0)
    send_result (id, "{\"protocolVersion\":\"" PROTOCOL "\",\"capabilities\":{\"tools\":{}},"
                     "\"serverInfo\":{\"name\":\"proflog\",\"version\":\"" PACKAGE_VERSION "\"}}");
  else if (strcmp (method, "ping") == 0)
    send_result (id, "{}");
  else if (strcmp (method, "tools/list") == 0)
    send_tools (id);
  else if (strcmp (method, "tools/call") == 0)
    send_call (server, id);
  else
    send_error (id, NO_METHOD, "there is no such method");
}

/* A line without its end; false at the end of the input.  Of a longer line the rest is skipped. */
static bool
read_line (GString *line, bool *is_long)
{
  int c;
  g_string_truncate (line, 0);
  *is_long = false;
  while ((c = getchar ()) != EOF && c != '\n') {
    *is_long |= line->len == MESSAGE_MAX;
    if (!*is_long)
      g_string_append_c (line, (char) c);
  }
  return c != EOF || line->len != 0;
}

/* Until the input ends. */
static void
serve (const struct mcp_server *server)
{
  g_autoptr (GString) line = g_string_new (NULL);
  for (bool is_long; read_line (line, &is_long);) {
    if (is_long)
      send_error (NULL, NO_REQUEST, "the message has more than 1048576 bytes");
    else if (line->len != 0)
      answer (server, line->str);
  }
}

int
mcp_main (int argc, char **argv)
{
  out_of_memory_start (NULL);
  if (argc != 3)
    return CLI_USAGE;
  char *folder = realpath (argv[2], NULL);
  struct mcp_json *json = mcp_json_new ();
  const char *const refusal = folder == NULL || !g_file_test (folder, G_FILE_TEST_IS_DIR)
                                  ? "no directory"
                              : json == NULL ? "SQLite cannot be started"
                                             : NULL;
  if (refusal != NULL)
    cli_message ("proflog mcp: %s: %s", argv[2], refusal);
  else
    serve (&(const struct mcp_server){ .program = argv[1], .folder = folder, .json = json });
  if (json != NULL)
    mcp_json_free (json);
  free (folder);
  return cli_end (refusal == NULL ? CLI_OK : CLI_INPUT);
}

#ifndef PROFLOG_STATIC
int
main (int argc, char **argv)
{
  return mcp_main (argc, argv);
}
#endif
