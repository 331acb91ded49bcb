/* query-main.h -- proflog query as a function, for the program that has it within it. */
#ifndef PROFLOG_QUERY_MAIN_H
#define PROFLOG_QUERY_MAIN_H

/* Arguments as of main; argv[0] is the name of the command.  Returns the exit status. */
int query_main (int argc, char **argv);

#endif
