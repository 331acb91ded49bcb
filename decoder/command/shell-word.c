/* shell-word.c -- quotes words. */
#include "config.h"

#include "decoder/command/shell-word.h"
#include <glib.h>
#include <string.h>

char *
shell_word (const char *text)
{
  static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/._-+,:=@%";
  return *text != 0 && text[strspn (text, plain)] == 0 ? g_strdup (text) : g_shell_quote (text);
}
