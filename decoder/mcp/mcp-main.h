/* mcp-main.h -- proflog mcp as a function, for the program that has it within it. */
#ifndef PROFLOG_MCP_MAIN_H
#define PROFLOG_MCP_MAIN_H

/* argv: the name of the command, the program proflog, the folder of the logs.  Returns the exit
 * status. */
int mcp_main (int argc, char **argv);

#endif
