/* browser.h -- pages that were written. */
#ifndef PROFLOG_BROWSER_H
#define PROFLOG_BROWSER_H

#include <stdbool.h>

/* A page is whole: opens it in a browser, which goes on by itself, or states its name unless
 * `quiet`. */
void browser_show (const char *command, const char *path, bool opens, bool quiet);

#endif
