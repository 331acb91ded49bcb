/* doctor.c -- collects checks. */
#include "config.h"

#include "decoder/run/doctor.h"

static void
free_check (gpointer data)
{
  struct doctor_check *check = data;
  g_free (check->finding);
  g_free (check->mend);
  g_free (check);
}

GPtrArray *
doctor_new (void)
{
  return g_ptr_array_new_with_free_func (free_check);
}

void
doctor_add (GPtrArray *checks, const char *name, enum doctor_state state, char *finding, char *mend)
{
  struct doctor_check *check = g_new (struct doctor_check, 1);
  *check = (struct doctor_check){ name, state, finding, mend };
  g_ptr_array_add (checks, check);
}

guint
doctor_count (const GPtrArray *checks, enum doctor_state state)
{
  guint count = 0;
  for (guint i = 0; i < checks->len; i++)
    count += ((const struct doctor_check *) checks->pdata[i])->state == state;
  return count;
}
