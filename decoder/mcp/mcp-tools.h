/* mcp-tools.h -- the questions of an agent: commands of proflog that read, over the logs of one
 * folder.
 */
#ifndef PROFLOG_MCP_TOOLS_H
#define PROFLOG_MCP_TOOLS_H

#include "decoder/mcp/mcp-json.h"

#include <glib.h>

struct mcp_server {
  const char *program; /* proflog */
  const char *folder;  /* resolved: logs outside of it are refused */
  struct mcp_json *json;
};

/* Appends the descriptions of all tools, as the protocol lists them. */
void mcp_tools_append (GString *to);

/* Calls the tool that the message names and appends its text, of bounded length; *failed: the text
 * says why there is no answer.  False: there is no such tool. */
bool mcp_tools_call (const struct mcp_server *server, GString *to, bool *failed);

#endif
