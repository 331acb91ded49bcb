/* shell-word.h -- words of commands that people copy. */
#ifndef PROFLOG_SHELL_WORD_H
#define PROFLOG_SHELL_WORD_H

/* The text as a word for a shell, in quotes only if it needs them (transfer full). */
char *shell_word (const char *text);

#endif
