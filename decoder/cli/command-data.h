/* command-data.h -- the tables of commands and options, for programs. */
#ifndef PROFLOG_COMMAND_DATA_H
#define PROFLOG_COMMAND_DATA_H

/* Prints all commands, options, fixed values and texts to standard output: docs/man/write-page
 * makes the manual pages and docs/cli.md of it, and tests compare it with what is accepted.  Each
 * line has fields between tabs:
 *
 *   command  COMMAND  GROUP  SUMMARY
 *   usage    COMMAND  ARGUMENTS                              of a line of usage
 *   text     COMMAND  LINE                                   of the description
 *   example  COMMAND  PURPOSE  LINE
 *   word     COMMAND  VALUE                                  an argument, such as a verb of ctl
 *   option   COMMAND  --NAME  -X  KIND  ARGUMENT  SENTENCE   "" where there is none
 *   value    COMMAND  --NAME  VALUE
 *   alias    COMMAND  --NAME  --NEW-NAME                     hidden
 *   hidden   COMMAND  --NAME                                 accepted
 *   refused  COMMAND  --NAME                                 known, for its message
 *   module   run  NAME  FORM  SENTENCE                       an option of the module
 *
 * KIND is "flag", "value", "optional" (--NAME or --NAME=VALUE) or "many" (may be repeated).  FORM
 * is NAME with its argument and "[no]". */
void command_data_print (void);

#endif
