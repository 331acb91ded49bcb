/* mcp-json.h -- members of a message, which SQLite's functions for JSON find. */
#ifndef PROFLOG_MCP_JSON_H
#define PROFLOG_MCP_JSON_H

#include <stdbool.h>

/* NULL: SQLite has no memory. */
struct mcp_json *mcp_json_new (void);
void mcp_json_free (struct mcp_json *json);

/* Takes a message (borrowed until the next) for the functions below.  False: it is no JSON. */
bool mcp_json_take (struct mcp_json *json, const char *text);

/* The member at the path ("$.params.name") as a text, a number in digits; NULL: there is none, or
 * it is null (transfer full). */
char *mcp_json_text (struct mcp_json *json, const char *path);

/* The same as JSON. */
char *mcp_json_raw (struct mcp_json *json, const char *path);

#endif
