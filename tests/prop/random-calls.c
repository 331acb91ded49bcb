/* random-calls.c -- generates random calls and their logs. */
#include "config.h"

#include "tests/prop/random-calls.h"

#include <proflog/mlpd-encode.h>

#define THREADS_MAX 12
#define FRAMES_MAX 64

struct caller {
  guint64 id;
  guint64 frames[FRAMES_MAX];
  guint n_frames;
};

/* This many times in a thousand events, on average. */
struct rates {
  guint leaves, deep_leaves, stray_leaves, exceptions;
  guint announcements, ends, other_events;
  guint times_back, lost_buffers;
};

struct random_calls {
  GRand *rand;
  GByteArray *buffer;
  struct mlpd_encoder encoder;
  struct rates rates;
  struct caller callers[THREADS_MAX];
  guint64 clock;
  guint version, threads, methods, names, objects, depth;
};

static guint
up_to (struct random_calls *r, guint most)
{
  return (guint) g_rand_int_range (r->rand, 0, (gint) most + 1);
}

static gboolean
once_in_a_while (struct random_calls *r, guint of_thousand)
{
  return up_to (r, 999) < of_thousand;
}

static guint64
method (struct random_calls *r)
{
  return 0x1000 + 8 * (guint64) up_to (r, r->methods - 1);
}

static guint64
now (struct random_calls *r)
{
  r->clock += up_to (r, 300);
  return r->clock - (once_in_a_while (r, r->rates.times_back) ? up_to (r, 2000) : 0);
}

static void
append (struct random_calls *r, enum mlpd_kind kind, const union mlpd_payload *payload)
{
  const size_t bound = mlpd_bound_event (kind, payload);
  guint8 *bytes = g_malloc (bound);
  const uint8_t *end = mlpd_put_event (&r->encoder, bytes, kind, payload);
  g_byte_array_append (r->buffer, bytes, (guint) (end - bytes));
  g_free (bytes);
}

static void
enter (struct random_calls *r, struct caller *caller)
{
  const union mlpd_payload p = { .method_enter = { .time = now (r), .method = method (r) } };
  if (caller->n_frames == FRAMES_MAX) /* the rest is left in time or never */
    caller->n_frames /= 2;
  caller->frames[caller->n_frames++] = p.method_enter.method;
  append (r, MLPD_METHOD_ENTER, &p);
}

static void
leave (struct random_calls *r, struct caller *caller, guint64 left)
{
  union mlpd_payload p = { .method_leave = { .time = now (r), .method = left } };
  enum mlpd_kind kind = MLPD_METHOD_LEAVE;
  if (once_in_a_while (r, r->rates.exceptions)) {
    p = (union mlpd_payload){ .method_exc_leave = { .time = now (r), .method = left } };
    kind = MLPD_METHOD_EXC_LEAVE;
  }
  guint at = caller->n_frames;
  while (at > 0 && caller->frames[at - 1] != left)
    at--;
  if (at > 0) /* else it was not entered */
    caller->n_frames = at - 1;
  append (r, kind, &p);
}

static void
announce (struct random_calls *r)
{
  static const char *const names[] = { "A", "B", "C" };
  const char *name = names[up_to (r, r->names - 1)];
  const union mlpd_payload p = { .method_jit = { .time = now (r),
                                                 .method = method (r),
                                                 .code = 64 * up_to (r, 20),
                                                 .size = 60,
                                                 .name = { .text = name, .length = 1 } } };
  append (r, MLPD_METHOD_JIT, &p);
}

static void
end (struct random_calls *r, struct caller *caller)
{
  const union mlpd_payload p = { .metadata_thread = { .time = now (r),
                                                      .mtype = MLPD_MTYPE_THREAD,
                                                      .action = MLPD_LOAD_END_UNLOAD,
                                                      .thread = caller->id } };
  append (r, MLPD_METADATA_THREAD, &p);
  caller->n_frames = 0;
}

/* Allocations with backtraces: these use methods, too. */
static void
allocate (struct random_calls *r)
{
  uint64_t frames[4];
  const guint n = up_to (r, G_N_ELEMENTS (frames));
  for (guint i = 0; i < n; i++)
    frames[i] = method (r);
  const union mlpd_payload p = { .alloc = { .time = now (r),
                                            .klass = 0x4000,
                                            .vtable = 0x4000,
                                            .object = 0x8000 + 8 * (guint64) up_to (r, 50),
                                            .size = up_to (r, 100),
                                            .backtrace = { .items = frames, .count = n } } };
  append (r, MLPD_ALLOC, &p);
}

static void
some_event (struct random_calls *r, struct caller *caller)
{
  const struct rates *rates = &r->rates;
  if (once_in_a_while (r, rates->announcements))
    announce (r);
  else if (once_in_a_while (r, rates->ends) && r->version >= 11)
    end (r, caller);
  else if (once_in_a_while (r, rates->other_events))
    allocate (r);
  else if (once_in_a_while (r, rates->stray_leaves))
    leave (r, caller, method (r));
  else if (once_in_a_while (r, rates->deep_leaves) && caller->n_frames > 0)
    leave (r, caller, caller->frames[up_to (r, caller->n_frames - 1)]);
  else if (caller->n_frames > 0
           && (caller->n_frames >= r->depth || once_in_a_while (r, rates->leaves)))
    leave (r, caller, caller->frames[caller->n_frames - 1]);
  else
    enter (r, caller);
}

/* A lost buffer leaves the thread where its events brought it. */
static void
append_buffer (struct random_calls *r, GByteArray *log, guint events)
{
  struct caller *caller = &r->callers[up_to (r, r->threads - 1)];
  g_byte_array_set_size (r->buffer, 0);
  mlpd_encoder_start (&r->encoder, r->version, now (r));
  for (guint i = up_to (r, events); i > 0; i--)
    some_event (r, caller);
  if (once_in_a_while (r, r->rates.lost_buffers))
    return;
  const struct mlpd_buffer_header header
      = mlpd_encoder_header (&r->encoder, caller->id, r->buffer->len);
  guint8 to[MLPD_BUFFER_HEADER_SIZE];
  mlpd_put_buffer_header (to, &header);
  g_byte_array_append (log, to, sizeof to);
  if (r->buffer->len != 0)
    g_byte_array_append (log, r->buffer->data, r->buffer->len);
}

/* Never, seldom or often. */
static guint
rate (struct random_calls *r, guint often)
{
  static const guint parts[] = { 0, 0, 20, 5, 1 };
  const guint part = parts[up_to (r, G_N_ELEMENTS (parts) - 1)];
  return part == 0 ? 0 : often / part;
}

void
random_calls (GRand *rand, GByteArray *log, gboolean in_order)
{
  struct random_calls r = { .rand = rand, .buffer = g_byte_array_new (), .clock = 1 << 20 };
  r.version = up_to (&r, 2) == 0 ? 1 + up_to (&r, MLPD_VERSION_LAST - 1)
                                 : (up_to (&r, 1) ? 1 : MLPD_VERSION_LAST);
  r.threads = up_to (&r, 1) ? 1 + up_to (&r, 1) : 1 + up_to (&r, THREADS_MAX - 1);
  r.methods = up_to (&r, 1) ? 1 + up_to (&r, 3) : 1 + up_to (&r, 60);
  r.names = in_order ? 1 : 1 + up_to (&r, 2);
  r.depth = 1 + up_to (&r, FRAMES_MAX);
  r.rates = (struct rates){ .leaves = 350 + up_to (&r, 250),
                            .deep_leaves = rate (&r, 60),
                            .stray_leaves = rate (&r, 60),
                            .exceptions = rate (&r, 300),
                            .announcements = rate (&r, 60),
                            .ends = rate (&r, 20),
                            .other_events = rate (&r, 100),
                            .times_back = in_order ? 0 : rate (&r, 200),
                            .lost_buffers = rate (&r, 200) };
  for (guint i = 0; i < r.threads; i++)
    r.callers[i].id = 1 + i;
  const struct mlpd_file_header header = { .id = MLPD_FILE_ID,
                                           .data_version = (uint8_t) r.version,
                                           .pointer_size = up_to (&r, 3) == 0 ? 4 : 8,
                                           .arguments = { .text = "" },
                                           .architecture = { .text = "" },
                                           .operating_system = { .text = "" } };
  guint8 *to = g_malloc (mlpd_bound_file_header (&header));
  g_byte_array_append (log, to, (guint) (mlpd_put_file_header (to, &header) - to));
  g_free (to);
  const guint buffers = 1 + up_to (&r, 40), events = up_to (&r, 3) == 0 ? 1500 : 80;
  for (guint i = 0; i < buffers; i++)
    append_buffer (&r, log, events);
  g_byte_array_unref (r.buffer);
}
