/* shots.c -- hands the beginning and the end of heap snapshots, and moves, to the analyses of
 * them. */
#include "config.h"

#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/log.h"

static void
cut_shot (const struct analysis_model *m, struct thread *t)
{
  heap_builder_end (m->heap_builder, t->shot, HEAPSHOT_CUT, m->roots, m->symbols);
  heapshots_cut (t);
}

static void
handle_start (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct analysis_model *m = e->model;
  cut_shot (m, e->thread);
  heapshots_start (m->heapshots, e->thread, e->payload->heap_start.time, m->log->damages);
  heap_builder_start (m->heap_builder, e->thread->shot, e->version, m->roots, m->symbols);
}

static void
pass_start (void *state, const struct analysis_event *e)
{
  (void) state;
  heapshots_skip (e->model->heapshots);
}

static void
handle_end (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct analysis_model *m = e->model;
  struct heapshot *shot = e->thread->shot;
  heapshots_end (e->thread, m->log->damages, m->roots->objects);
  if (shot == NULL)
    return;
  heap_builder_end (m->heap_builder, shot, shot->state, m->roots, m->symbols);
  shot->roots = roots_shot_ends (m->roots);
}

/* A snapshot that the thread records while it has stopped the world does not go on over the next
 * stop. */
static void
handle_collection (void *state, const struct analysis_event *e)
{
  (void) state;
  if (e->payload->gc_event.event != MLPD_GC_EVENT_PRE_STOP_WORLD)
    return;
  cut_shot (e->model, e->thread);
  heapshots_collect (e->model->heapshots, e->thread, e->time);
}

/* What moves after the open snapshot does not move its roots. */
static void
handle_moves (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct analysis_model *m = e->model;
  const guint past = heapshots_past (m->heapshots);
  heap_builder_moved (m->heap_builder, past, e->payload->gc_move.objects);
  if (past == 0)
    roots_moved (m->roots, e->payload->gc_move.objects);
}

static void
request (struct scan_options *options)
{
  options->replay[MLPD_GC_MOVE] |= options->graphs != NULL;
}

static void
finish (void *state, const struct analysis_model *m)
{
  (void) state;
  for (guint i = 0; i < m->threads->all->len; i++)
    cut_shot (m, g_ptr_array_index (m->threads->all, i));
}

static const struct analysis_handlers handlers[] = {
  { MLPD_HEAP_START, handle_start, pass_start },
  { MLPD_HEAP_END, handle_end, NULL },
  { MLPD_GC_EVENT, handle_collection, NULL },
  { MLPD_GC_MOVE, handle_moves, NULL },
};

const struct analysis shots_analysis
    = { .request = request, .finish = finish, ANALYSIS_HANDLERS (handlers) };
