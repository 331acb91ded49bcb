/* replay-names.c -- the images, classes, methods, ... of the log, as the runtime has them.
 *
 * An address may be announced again for another entity, for which it stands from that time on.
 * Before its first announcement an address stands for the entity of that one.
 */
#include "config.h"

#include "replay/replay-private.h"
#include <string.h>

/* The entity of an address from a time on. */
struct version {
  uint64_t time;
  struct host_entity *entity;
  struct version *earlier;
};

/* Each begins with the structure of the simulated runtime. */
struct image {
  struct host_image host;
  struct host_assembly assembly; /* of logs that state none */
  bool loading;                  /* its end is not known yet */
};

struct class
{
  struct host_class host;
  struct host_vtable vtable; /* of logs that state none */
  uint64_t image, time;      /* of which it is: resolved when all images are known */
  bool loading;              /* likewise */
};

struct assembly {
  struct host_assembly host;
  uint64_t image, time;
};

struct vtable {
  struct host_vtable host;
  uint64_t klass, time;
};

/* By address: the latest version first. */
enum {
  FAILED_IMAGE
  = HOST_VTABLE + 1, /* an entity that could not be loaded, under the name that was reported then */
  FAILED_CLASS,
  TABLES = FAILED_CLASS + 1 - HOST_IMAGE,
};
static GHashTable *tables[TABLES];
static GHashTable *classes_by_name; /* the first of each */
static struct class *unknown_class;
static struct image *program; /* the first image that is a program */

static GHashTable *
table_of (unsigned kind)
{
  GHashTable **table = &tables[kind - HOST_IMAGE];
  if (*table == NULL)
    *table = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return *table;
}

static struct version *
latest (unsigned kind, uint64_t address)
{
  return g_hash_table_lookup (table_of (kind), &address);
}

/* The entity of the address at the time; NULL if the log does not name it. */
static void *
find (unsigned kind, uint64_t address, uint64_t time)
{
  const struct version *v = latest (kind, address);
  while (v != NULL && v->time > time && v->earlier != NULL)
    v = v->earlier;
  return v != NULL ? v->entity : NULL;
}

static void *
new_entity (enum host_entity_kind kind, size_t size)
{
  struct host_entity *e = g_malloc0 (size);
  e->kind = kind;
  e->alive = true;
  e->symbol = "something of the log";
  return e;
}

/* From the time on the address stands for the entity. */
static void
announce_as (unsigned kind, uint64_t address, uint64_t time, struct host_entity *entity)
{
  struct version *v = g_new (struct version, 1), *later = NULL, *at = latest (kind, address);
  while (at != NULL && at->time > time) { /* logs are in order of time but for single buffers */
    later = at;
    at = at->earlier;
  }
  *v = (struct version){ time, entity, at };
  if (later != NULL)
    later->earlier = v;
  else
    g_hash_table_insert (table_of (kind), g_memdup2 (&address, sizeof address), v);
}

static void
announce (uint64_t address, uint64_t time, struct host_entity *entity)
{
  announce_as (entity->kind, address, time, entity);
}

/* ---- names ---- */

static char *
text_of (struct mlpd_string s)
{
  return g_strndup (s.text != NULL ? s.text : "", s.length);
}

static bool
is (const char *name, struct mlpd_string s)
{
  return strlen (name) == s.length && memcmp (name, s.text, s.length) == 0;
}

/* Without the arguments of a generic type: "A.B`1<C.D>/E" -> "A.B`1/E". */
static char *
without_arguments (const char *type)
{
  char *plain = g_malloc (strlen (type) + 1), *to = plain;
  unsigned depth = 0;
  for (const char *p = type; *p != 0; p++) {
    depth += *p == '<' && p != type; /* a name may begin with it: <Module> */
    if (depth == 0)
      *to++ = *p;
    depth -= *p == '>' && depth > 0;
  }
  *to = 0;
  return plain;
}

static struct class *make_class (const char *type_name);
static void finish_class (struct class *c);

/* Of "Namespace.Outer/Name". */
static void
name_class (struct class *c)
{
  char *plain = without_arguments (c->host.type_name);
  char *slash = strrchr (plain, '/'), *dot;
  c->host.name_space = "";
  c->host.name = plain;
  if (slash != NULL) {
    *slash = 0;
    c->host.name = slash + 1;
    c->host.outer = &make_class (plain)->host;
  } else if ((dot = strrchr (plain, '.')) != NULL && dot != plain) {
    *dot = 0;
    c->host.name_space = plain;
    c->host.name = dot + 1;
  }
}

static struct class *
new_class (char *type_name)
{
  struct class *c = new_entity (HOST_CLASS, sizeof *c);
  c->host.type_name = type_name;
  name_class (c);
  if (!g_hash_table_contains (classes_by_name, type_name))
    g_hash_table_insert (classes_by_name, type_name, c);
  return c;
}

/* The class of this name.  If there is none it is made up, in the image of the generic type that it
 * is of. */
static struct class *
make_class (const char *type_name)
{
  struct class *c = g_hash_table_lookup (classes_by_name, type_name);
  if (c != NULL)
    return c;
  char *plain = without_arguments (type_name);
  const struct class *generic = g_hash_table_lookup (classes_by_name, plain);
  c = new_class (g_strdup (type_name));
  if (generic != NULL) {
    c->image = generic->image;
    c->time = generic->time;
  }
  g_free (plain);
  return c;
}

/* In names of methods, some types have the names of the language. */
static const char *
type_of_alias (const char *name)
{
  static const char *const types[][2] = {
    { "object", "System.Object" },   { "string", "System.String" }, { "bool", "System.Boolean" },
    { "char", "System.Char" },       { "sbyte", "System.SByte" },   { "byte", "System.Byte" },
    { "int16", "System.Int16" },     { "uint16", "System.UInt16" }, { "int", "System.Int32" },
    { "uint", "System.UInt32" },     { "long", "System.Int64" },    { "ulong", "System.UInt64" },
    { "single", "System.Single" },   { "double", "System.Double" }, { "intptr", "System.IntPtr" },
    { "uintptr", "System.UIntPtr" }, { "void", "System.Void" }
  };
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (name, types[i][0]) == 0)
      return types[i][1];
  return name;
}

/* "(wrapper KIND) Namespace.Type:Method (signature)" */
static void
name_method (struct host_method *m)
{
  const char *p = m->full_name;
  const char *close = *p == '(' ? strchr (p, ')') : NULL;
  if (close != NULL)
    p = close + 1 + (close[1] == ' ');
  const char *end = strstr (p, " (");
  char *name = end != NULL ? g_strndup (p, (gsize) (end - p)) : g_strdup (p);
  char *colon = strrchr (name, ':');
  if (colon != NULL)
    *colon = 0;
  struct class *c = colon != NULL ? make_class (type_of_alias (name))
                                  : (struct class *) replay_unknown_class ();
  finish_class (c);
  m->klass = &c->host;
  m->name = colon != NULL ? colon + 1 : name;
}

static struct host_method *
new_method (char *full_name)
{
  struct host_method *m = new_entity (HOST_METHOD, sizeof *m);
  m->full_name = full_name;
  atomic_store_explicit (&m->instrumentation, -1, memory_order_relaxed);
  return m;
}

static struct image *
new_image (char *file_name)
{
  struct image *i = new_entity (HOST_IMAGE, sizeof *i);
  i->host.file_name = file_name;
  i->host.entity.symbol = "unknown"; /* the name of one that has no file */
  i->assembly = (struct host_assembly){ .entity = { HOST_ASSEMBLY, true, "an assembly", NULL },
                                        .image = &i->host };
  if (program == NULL && file_name != NULL && g_str_has_suffix (file_name, ".exe"))
    program = i;
  return i;
}

/* ---- the announcements ---- */

static bool
is_load (uint64_t action)
{
  return action == MLPD_LOAD_END_LOAD || action == MLPD_LOAD_START_LOAD;
}

bool
replay_is_failure (uint64_t action)
{
  return action == MLPD_LOAD_END_LOAD_ERROR || action == MLPD_LOAD_ERROR;
}

/* Whether the announcement is of the image or class that was announced under the same name before.
 * Others are something else in its place: images are unloaded, with their classes.  But older
 * versions state that loading begins, and that it ends. */
static bool
is_repeated (uint64_t action, bool again, bool was_loading)
{
  return is_load (action) && (again || (was_loading && action == MLPD_LOAD_END_LOAD));
}

static void
handle_image (const struct mlpd_metadata_image *e, uint64_t time, bool again)
{
  const struct version *v = latest (HOST_IMAGE, e->image);
  const struct image *old = v != NULL ? (struct image *) v->entity : NULL;
  struct image *i;
  if (!(is_load (e->action) || replay_is_failure (e->action))
      || (old != NULL && is_repeated (e->action, again, old->loading)
          && is (old->host.file_name, e->name)))
    return;
  i = new_image (text_of (e->name));
  i->host.guid = e->mvid.length != 0 ? text_of (e->mvid) : NULL;
  i->loading = e->action == MLPD_LOAD_START_LOAD;
  announce_as (is_load (e->action) ? HOST_IMAGE : FAILED_IMAGE, e->image, time, &i->host.entity);
}

/* A class may be announced again as a mark of a type, too (docs/mlpd-format.md). */
static void
handle_class (const struct mlpd_metadata_class *e, uint64_t time, bool again)
{
  const struct version *v = latest (HOST_CLASS, e->klass);
  const struct class *old = v != NULL ? (struct class *) v->entity : NULL;
  struct class *c;
  if (!(is_load (e->action) || replay_is_failure (e->action))
      || (old != NULL && is_repeated (e->action, again, old->loading)
          && is (old->host.type_name, e->name)))
    return;
  c = new_class (text_of (e->name));
  c->image = e->image;
  c->time = time;
  c->loading = e->action == MLPD_LOAD_START_LOAD;
  announce_as (is_load (e->action) ? HOST_CLASS : FAILED_CLASS, e->klass, time, &c->host.entity);
}

/* A method that is announced again is the same if it has code now, or other code: it was compiled.
 * Else it is another one in its place. */
static void
handle_method (const struct mlpd_method_jit *e, uint64_t time, bool again)
{
  const struct version *v = latest (HOST_METHOD, e->method);
  struct host_method *m = v != NULL ? (struct host_method *) v->entity : NULL;
  if (m == NULL || !is (m->full_name, e->name)
      || (!again && (e->code == 0 || e->code == m->code))) {
    m = new_method (text_of (e->name));
    announce (e->method, time, &m->entity);
  }
  m->code = e->code;
  m->code_size = e->size;
}

static void
handle_assembly (const struct mlpd_metadata_assembly *e, uint64_t time)
{
  const struct version *v = latest (HOST_ASSEMBLY, e->assembly);
  if (!is_load (e->action)
      || (v != NULL && is (((struct host_assembly *) v->entity)->name, e->name)))
    return;
  struct assembly *a = new_entity (HOST_ASSEMBLY, sizeof *a);
  a->host.name = text_of (e->name);
  a->image = e->image;
  a->time = time;
  announce (e->assembly, time, &a->host.entity);
}

static void
handle_vtable (const struct mlpd_metadata_vtable *e, uint64_t time)
{
  if (!is_load (e->action))
    return;
  struct vtable *t = new_entity (HOST_VTABLE, sizeof *t);
  t->host.domain = replay_domain (e->domain);
  t->klass = e->klass;
  t->time = time;
  announce (e->vtable, time, &t->host.entity);
}

/* A class event, until the next event states whether it was the mark of a type. */
static struct {
  bool there, again;
  uint64_t time;
  struct mlpd_metadata_class event;
} waiting;

static void
end_wait (bool again)
{
  if (waiting.there) {
    handle_class (&waiting.event, waiting.time, again || waiting.again);
    g_free ((char *) waiting.event.name.text);
  }
  waiting.there = false;
}

static void
wait_with_class (const struct mlpd_metadata_class *e, uint64_t time, bool again)
{
  const struct mlpd_string name = { text_of (e->name), e->name.length };
  waiting.there = true;
  waiting.again = again;
  waiting.time = time;
  waiting.event = *e;
  waiting.event.name = name;
}

void
replay_names_item (const struct mlpd_item *item, uint64_t time, bool again)
{
  const enum mlpd_kind kind = item->kind;
  if (classes_by_name == NULL)
    classes_by_name = g_hash_table_new (g_str_hash, g_str_equal);
  end_wait (time == waiting.time && (kind == MLPD_EXCEPTION_THROW || kind == MLPD_MONITOR));
  switch (item->kind) {
  case MLPD_METADATA_IMAGE:
    handle_image (&item->payload->metadata_image, time, again);
    break;
  case MLPD_METADATA_CLASS:
    wait_with_class (&item->payload->metadata_class, time, again);
    break;
  case MLPD_METHOD_JIT:
    handle_method (&item->payload->method_jit, time, again);
    break;
  case MLPD_METADATA_ASSEMBLY:
    handle_assembly (&item->payload->metadata_assembly, time);
    break;
  case MLPD_METADATA_VTABLE:
    handle_vtable (&item->payload->metadata_vtable, time);
    break;
  case MLPD_METADATA_DOMAIN:
    replay_domain (item->payload->metadata_domain.domain);
    break;
  default:
    break;
  }
}

/* ---- when all are known ---- */

static void
finish_class (struct class *c)
{
  struct class *outer = (struct class *) c->host.outer;
  if (c->host.image == NULL)
    c->host.image = replay_image (c->image, c->time);
  if (outer != NULL && outer->image == 0) /* made up: it is where those are that it has */
    outer->host.image = c->host.image;
  if (outer != NULL)
    finish_class (outer);
  if (c->vtable.klass == NULL)
    c->vtable = (struct host_vtable){ .entity = { HOST_VTABLE, true, "a vtable", NULL },
                                      .domain = replay_domain (0),
                                      .klass = &c->host };
}

static void
finish (struct host_entity *e)
{
  struct assembly *a;
  struct vtable *t;
  switch (e->kind) {
  case HOST_METHOD:
    name_method ((struct host_method *) e);
    break;
  case HOST_ASSEMBLY:
    a = (struct assembly *) e;
    a->host.image = replay_image (a->image, a->time);
    break;
  case HOST_VTABLE:
    t = (struct vtable *) e;
    t->host.klass = replay_class (t->klass, t->time);
    break;
  default:
    break;
  }
}

static void
finish_table (enum host_entity_kind kind)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, table_of (kind));
  while (g_hash_table_iter_next (&iter, NULL, &value))
    for (struct version *v = value; v != NULL; v = v->earlier)
      finish (v->entity);
}

void
replay_names_finish (void)
{
  if (classes_by_name == NULL)
    classes_by_name = g_hash_table_new (g_str_hash, g_str_equal);
  end_wait (false);
  finish_table (HOST_METHOD);
  finish_table (HOST_ASSEMBLY);
  finish_table (HOST_VTABLE);
}

/* ---- looking up ---- */

struct host_image *
replay_image (uint64_t address, uint64_t time)
{
  struct image *i = find (HOST_IMAGE, address, time);
  if (i == NULL) {
    i = new_image (NULL);
    announce (address, time, &i->host.entity);
  }
  return &i->host;
}

struct host_assembly *
replay_assembly (uint64_t address, uint64_t time)
{
  struct assembly *a = find (HOST_ASSEMBLY, address, time);
  if (a == NULL) {
    a = new_entity (HOST_ASSEMBLY, sizeof *a);
    a->host.image = replay_image (0, time);
    announce (address, time, &a->host.entity);
  }
  return &a->host;
}

struct host_class *
replay_class (uint64_t address, uint64_t time)
{
  struct class *c = find (HOST_CLASS, address, time);
  if (c == NULL) {
    char *name = g_strdup_printf ("<unknown 0x%" G_GINT64_MODIFIER "x>", address);
    c = new_class (name);
    announce (address, time, &c->host.entity);
  }
  finish_class (c);
  return &c->host;
}

struct host_image *
replay_failed_image (uint64_t address, uint64_t time)
{
  struct image *i = find (FAILED_IMAGE, address, time);
  return i != NULL ? &i->host : replay_image (address, time);
}

struct host_class *
replay_failed_class (uint64_t address, uint64_t time)
{
  struct class *c = find (FAILED_CLASS, address, time);
  if (c == NULL)
    return replay_class (address, time);
  finish_class (c);
  return &c->host;
}

struct host_vtable *
replay_vtable (uint64_t address, uint64_t time)
{
  struct vtable *t = find (HOST_VTABLE, address, time);
  if (t == NULL) {
    t = new_entity (HOST_VTABLE, sizeof *t);
    t->host.domain = replay_domain (0);
    t->host.klass = replay_unknown_class ();
    announce (address, time, &t->host.entity);
  }
  return &t->host;
}

struct host_method *
replay_method (uint64_t address, uint64_t time)
{
  struct host_method *m = find (HOST_METHOD, address, time);
  if (m == NULL) {
    m = new_method (g_strdup_printf ("<unknown>:0x%" G_GINT64_MODIFIER "x ()", address));
    name_method (m);
    announce (address, time, &m->entity);
  }
  return m;
}

struct host_domain *
replay_domain (uint64_t id)
{
  struct host_domain *d = find (HOST_DOMAIN, id, 0);
  if (d == NULL) {
    d = new_entity (HOST_DOMAIN, sizeof *d);
    d->id = (int32_t) id;
    announce (id, 0, &d->entity);
  }
  return d;
}

/* Each domain numbers its own. */
struct host_context *
replay_context (uint64_t id, uint64_t domain)
{
  const uint64_t both = domain << 32 | (id & UINT32_MAX);
  struct host_context *c = find (HOST_CONTEXT, both, 0);
  if (c == NULL) {
    c = new_entity (HOST_CONTEXT, sizeof *c);
    c->id = (int32_t) id;
    c->domain = replay_domain (domain);
    announce (both, 0, &c->entity);
  }
  return c;
}

struct host_vtable *
replay_vtable_of (struct host_class *klass)
{
  struct class *c = (struct class *) klass;
  finish_class (c);
  return &c->vtable;
}

struct host_class *
replay_unknown_class (void)
{
  if (unknown_class == NULL)
    unknown_class = new_class (g_strdup ("<unknown>"));
  finish_class (unknown_class);
  return &unknown_class->host;
}

/* ---- requests of the module to the runtime ---- */

struct host_assembly *
replay_main_assembly (void)
{
  return program != NULL ? &program->assembly : NULL;
}

struct host_domain *
replay_root_domain (void)
{
  return replay_domain (0);
}
