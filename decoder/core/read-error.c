/* read-error.c -- the domain of the errors of readers. */
#include "config.h"

#include <proflog/read.h>

G_DEFINE_QUARK (proflog - read - error - quark, proflog_read_error)
