/* convert-to-ghc-threads.c -- threads of a Mono log on capabilities of an eventlog. */
#include "config.h"

#include "decoder/convert/convert-to-ghc-private.h"

#include "decoder/convert/convert-cap-names.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-origin.h"

#include <string.h>

struct convert_thread *
convert_ghc_thread (struct convert_to_ghc *c, uint64_t id)
{
  struct convert_thread *t = g_hash_table_lookup (c->threads, &id);
  if (t == NULL) {
    t = g_new0 (struct convert_thread, 1);
    t->id = id;
    t->is_cap = id == CONVERT_CAP_ID + GHC_NO_CAP; /* has no name */
    g_hash_table_insert (c->threads, &t->id, t);
  }
  return t;
}

void
convert_ghc_put (struct convert_to_ghc *c, const struct convert_thread *t, enum ghc_kind kind,
                 uint64_t time, union ghc_payload payload)
{
  convert_caps_put (&c->caps, t->cap, kind, time, &payload);
}

static void
label_thread (struct convert_to_ghc *c, const struct convert_thread *t, uint32_t number,
              const char *name, uint64_t time)
{
  convert_ghc_put (c, t, GHC_THREAD_LABEL, time,
                   (union ghc_payload){
                       .thread_label = { .thread = number,
                                         .label = { name, strnlen (name, CONVERT_TEXT_MAX) } } });
}

static void
run (struct convert_to_ghc *c, struct convert_thread *t, uint64_t time)
{
  convert_ghc_put (c, t, GHC_RUN_THREAD, time,
                   (union ghc_payload){ .run_thread = { .thread = t->number } });
  t->is_stopped = false;
}

static bool
take_cap (struct convert_to_ghc *c, struct convert_thread *t, uint64_t time)
{
  t->cap = convert_caps_take (&c->caps, time);
  if (t->cap == NULL)
    convert_losses_add (&c->losses, "events of threads for which there is no capability");
  return t->cap != NULL;
}

static bool
begin_thread (struct convert_to_ghc *c, struct convert_thread *t, uint64_t time)
{
  const char *name = g_hash_table_lookup (c->thread_names, &t->id);
  if (!take_cap (c, t, time))
    return false;
  t->number = ++c->n_threads;
  convert_ghc_put (c, t, GHC_CREATE_THREAD, time,
                   (union ghc_payload){ .create_thread = { .thread = t->number } });
  if (name != NULL)
    label_thread (c, t, t->number, name, time);
  run (c, t, time);
  return true;
}

bool
convert_ghc_has_thread (struct convert_to_ghc *c, struct convert_thread *t, uint64_t time)
{
  if (t->is_cap)
    return t->cap != NULL || take_cap (c, t, time);
  if (t->is_over)
    return false;
  if (t->number == 0)
    return begin_thread (c, t, time);
  if (t->is_stopped)
    run (c, t, time);
  return true;
}

void
convert_ghc_stop (struct convert_to_ghc *c, struct convert_thread *t, unsigned status,
                  uint64_t time)
{
  if (t->is_cap || !convert_ghc_has_thread (c, t, time))
    return;
  convert_ghc_put (
      c, t, GHC_STOP_THREAD, time,
      (union ghc_payload){ .stop_thread = { .thread = t->number, .status = (uint16_t) status } });
  t->is_stopped = true;
}

void
convert_ghc_wake_up (struct convert_to_ghc *c, struct convert_thread *t, uint64_t time)
{
  if (!t->is_stopped)
    return;
  convert_ghc_put (
      c, t, GHC_THREAD_WAKEUP, time,
      (union ghc_payload){ .thread_wakeup = { .thread = t->number, .other_cap = t->cap->number } });
  convert_ghc_has_thread (c, t, time);
}

static void
end_thread (struct convert_to_ghc *c, struct convert_thread *t, uint64_t time)
{
  if (t->is_cap || !convert_ghc_has_thread (c, t, time))
    return;
  convert_caps_put_allocated (&c->caps, t->cap, time);
  convert_ghc_stop (c, t, GHC_STOP_STATUS_FINISHED, time);
  t->cap->is_free = true;
  t->number = 0;
  t->is_stopped = false;
  t->is_over = true;
}

static void
name_thread (struct convert_to_ghc *c, struct convert_thread *t,
             const struct mlpd_metadata_thread *e, bool is_again, uint64_t time)
{
  char *name = g_strndup (e->name.text, e->name.length);
  g_hash_table_replace (c->thread_names, g_memdup2 (&e->thread, sizeof e->thread), name);
  if (is_again || !convert_ghc_has_thread (c, t, time))
    return;
  const struct convert_thread *named = g_hash_table_lookup (c->threads, &e->thread);
  if (named != NULL && named->number != 0)
    label_thread (c, t, named->number, name, time);
}

bool
convert_ghc_is_name_only (const struct mlpd_item *item)
{
  return mlpd_is_reannounced (item->buffer) || mlpd_is_context (item->buffer);
}

/* A thread of Haskell, which has no buffers: it comes, has a name and goes on a capability.  It has
 * to run to finish. */
static void
handle_haskell_thread (struct convert_to_ghc *c, struct convert_thread *cap,
                       const struct mlpd_metadata_thread *e, uint64_t time)
{
  const uint32_t number = (uint32_t) e->thread;
  if (e->thread > UINT32_MAX || !convert_ghc_has_thread (c, cap, time)) {
    convert_losses_add (&c->losses, mlpd_describe (MLPD_METADATA_THREAD)->name);
    return;
  }
  c->n_threads = MAX (c->n_threads, number);
  if (e->action == MLPD_LOAD_NAME) {
    label_thread (c, cap, number, e->name.text, time);
  } else if (e->action == MLPD_LOAD_END_LOAD) {
    convert_ghc_put (c, cap, GHC_CREATE_THREAD, time,
                     (union ghc_payload){ .create_thread = { .thread = number } });
  } else if (e->action == MLPD_LOAD_END_UNLOAD) {
    convert_ghc_put (c, cap, GHC_RUN_THREAD, time,
                     (union ghc_payload){ .run_thread = { .thread = number } });
    convert_ghc_put (c, cap, GHC_STOP_THREAD, time,
                     (union ghc_payload){
                         .stop_thread = { .thread = number, .status = GHC_STOP_STATUS_FINISHED } });
  }
}

void
convert_ghc_handle_thread (struct convert_to_ghc *c, struct convert_thread *t,
                           const struct mlpd_item *item, uint64_t time)
{
  const struct mlpd_metadata_thread *e = &item->payload->metadata_thread;
  const bool is_own = e->thread == t->id, is_again = convert_ghc_is_name_only (item);
  if (e->action == MLPD_LOAD_NAME && convert_is_cap (e->thread, e->name.text)) {
    convert_ghc_thread (c, e->thread)->is_cap = true;
  } else if (t->is_cap && !is_again) {
    handle_haskell_thread (c, t, e, time);
  } else if (e->action == MLPD_LOAD_NAME) {
    name_thread (c, t, e, is_again, time);
  } else if (e->action == MLPD_LOAD_END_LOAD && is_own && !is_again) {
    t->is_over = false;
    convert_ghc_has_thread (c, t, time);
  } else if (e->action == MLPD_LOAD_END_UNLOAD) {
    g_hash_table_remove (c->thread_names, &e->thread);
    if (is_own && !is_again)
      end_thread (c, t, time);
  }
}
