/* convert-losses.c -- counts by name; there are few names. */
#include "config.h"

#include "decoder/convert/convert-losses.h"

void
convert_losses_init (struct convert_losses *losses)
{
  losses->names = g_ptr_array_new ();
  losses->counts = g_array_new (FALSE, TRUE, sizeof (uint64_t));
}

void
convert_losses_clear (struct convert_losses *losses)
{
  g_ptr_array_unref (losses->names);
  g_array_unref (losses->counts);
}

guint
convert_losses_place (struct convert_losses *losses, const char *name)
{
  guint i = 0;
  while (i < losses->names->len && losses->names->pdata[i] != name)
    i++;
  if (i == losses->names->len) {
    g_ptr_array_add (losses->names, (gpointer) name);
    g_array_set_size (losses->counts, i + 1);
  }
  return i;
}

void
convert_losses_add (struct convert_losses *losses, const char *name)
{
  const guint place = convert_losses_place (losses, name); /* may move the counts */
  g_array_index (losses->counts, uint64_t, place)++;
}
