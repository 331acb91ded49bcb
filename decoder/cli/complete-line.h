/* complete-line.h -- the words that may stand at a place of a command line. */
#ifndef PROFLOG_COMPLETE_LINE_H
#define PROFLOG_COMPLETE_LINE_H

/* Prints completions of the last of these words, which follow `proflog`, to standard output: a line
 * each, with a description after a tab where there is one.  A word that ends in '=' or ',' goes on.
 * Lines that begin with ':' stand for words that shells find by themselves:
 *
 *   :logs      files that have the names of logs, and folders
 *   :files     all files
 *   :folders
 *   :commands  programs of PATH
 *
 * They may have the text before the name in the word, after a tab. */
void complete_line_print (int count, char **words);

#endif
