/* mprof-loaded.c -- images, assemblies, threads, domains and contexts. */
#include "config.h"

#include "decoder/mlpd/analyses/loaded.h"
#include "decoder/views/mprof/mprof.h"

/* The number of those that were loaded, and with `verbose` their names. */
static void
put_files (const struct mprof_report *r, const char *things, const struct lifetimes *files)
{
  g_string_append_printf (r->out, "\tLoaded %s: %u\n", things, lifetimes_loaded (files));
  for (guint i = 0; r->view->verbose && i < files->all->len; i++) {
    const struct lifetime *file = g_ptr_array_index (files->all, i);
    if (file->loaded)
      g_string_append_printf (r->out, "\t\t%s\n", file->name != NULL ? file->name : "");
  }
}

static void
put_metadata (const struct mprof_report *r)
{
  const struct loaded *loaded = SUMMARY_STATE (r->s, loaded);
  g_string_append (r->out, "\nMetadata summary\n");
  put_files (r, "images", &loaded->images);
  put_files (r, "assemblies", &loaded->assemblies);
}

const struct mprof_section mprof_section_metadata
    = { .name = "metadata", .is_usual = true, .put = put_metadata };

static void
put_thread (const struct mprof_report *r)
{
  const GPtrArray *all = r->s->threads.all;
  g_string_append (r->out, "\nThread summary\n");
  for (guint i = all->len; i-- > 0;) {
    const struct thread *thread = g_ptr_array_index (all, i);
    if (thread->id == 0 || (thread->events == 0 && !thread->announced))
      continue;
    g_string_append (r->out, "\tThread: ");
    mprof_append_address (r->out, thread->id);
    g_string_append_printf (r->out, ", name: \"%s\"\n", thread->name != NULL ? thread->name : "");
  }
}

const struct mprof_section mprof_section_thread
    = { .name = "thread", .is_usual = true, .put = put_thread };

static void
put_domain (const struct mprof_report *r)
{
  const GPtrArray *all = SUMMARY_STATE (r->s, loaded)->domains.all;
  g_string_append (r->out, "\nDomain summary\n");
  for (guint i = all->len; i-- > 0;) {
    const struct lifetime *domain = g_ptr_array_index (all, i);
    g_string_append (r->out, "\tDomain: ");
    mprof_append_address (r->out, domain->id);
    g_string_append_printf (r->out, ", friendly name: \"%s\"\n",
                            domain->name != NULL ? domain->name : "");
  }
}

const struct mprof_section mprof_section_domain
    = { .name = "domain", .is_usual = true, .put = put_domain };

static void
put_context (const struct mprof_report *r)
{
  const GPtrArray *all = SUMMARY_STATE (r->s, loaded)->contexts.all;
  g_string_append (r->out, "\nContext summary\n");
  for (guint i = all->len; i-- > 0;) {
    const struct lifetime *context = g_ptr_array_index (all, i);
    g_string_append (r->out, "\tContext: ");
    mprof_append_address (r->out, context->id);
    g_string_append (r->out, ", domain: ");
    mprof_append_address (r->out, context->owner);
    g_string_append_c (r->out, '\n');
  }
}

const struct mprof_section mprof_section_context
    = { .name = "context", .is_usual = true, .put = put_context };
