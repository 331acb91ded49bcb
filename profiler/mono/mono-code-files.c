/* mono-code-files.c -- names of compiled code for other profilers, while the program runs:
 * /tmp/perf-PID.map, which perf, bpftrace and others read, and a jitdump, which also has the code.
 *
 * The log has the methods that its events refer to.  These files have all that is compiled: other
 * profilers find a method where they happen to see its code.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include "profiler/os/jit-dump.h"
#include "agent/warn.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  NAME_SIZE = 4096,
  HIDDEN_LINE = 0xfeefee, /* a line that compilers give to code without one */
  STEP = 16,              /* bytes to which the runtime's compiler aligns methods */
};

/* Held for a moment only, never while the runtime is called. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct code_file map = CODE_FILE_NONE;
static struct jit_dump dump = JIT_DUMP_NONE;
static struct address_set written; /* where the code starts */

static _Atomic bool is_active;      /* there may be a file */
static _Atomic bool is_new_child;   /* the files are those of the parent */
static bool has_old_code;           /* that was compiled before the module came */
static char folder[PATH_MAX] = "."; /* of the jitdump */

/* ---- the files ---- */

/* The log's, if it is a file; else the current one. */
static void
set_folder (const char *log)
{
  char path[PATH_MAX];
  const char *const end = strrchr (log, '/');
  const size_t length = end == NULL ? 0 : end == log ? 1 : (size_t) (end - log);
  if (length < sizeof path)
    snprintf (path, sizeof path, "%.*s", length == 0 ? 1 : (int) length, length == 0 ? "." : log);
  if (length >= sizeof path || realpath (path, folder) == NULL)
    strcpy (folder, ".");
}

static bool
create_map (struct code_file *file, char *why, size_t size)
{
  char path[64];
  snprintf (path, sizeof path, "/tmp/perf-%ld.map", (long) getpid ());
  return code_file_create (file, path, why, size);
}

/* Once for each file, as it is closed then. */
static void
report (const char *option, const char *path, int error)
{
  if (error != 0)
    proflog_warn ("%s: %s: %s; it has no more names", option, path, strerror (error));
}

/* In the child of a fork, with the lock, once.  perf knows the code that the child has from its
 * parent; other tools read only the file of a process's number. */
static void
begin_in_child (void)
{
  char why[PATH_MAX + 64];
  struct code_file of_parent = map;
  if (!atomic_exchange (&is_new_child, false))
    return;
  if (map.fd >= 0 && !create_map (&map, why, sizeof why))
    proflog_warn ("perf-map: %s; the child %ld has no map", why, (long) getpid ());
  if (map.fd >= 0)
    report ("perf-map", map.path, code_file_copy (&map, &of_parent));
  code_file_close (&of_parent);
  if (dump.file.fd < 0)
    return;
  code_file_close (&dump.file);
  if (!jit_dump_create (&dump, folder, why, sizeof why))
    proflog_warn ("jitdump: %s; the child %ld has no dump", why, (long) getpid ());
}

/* perf reads a line for each: other bytes than those of text would break it. */
static void
copy_name (char *to, const char *from)
{
  size_t n = 0;
  for (; from[n] != 0 && n + 1 < NAME_SIZE; n++)
    to[n] = (unsigned char) from[n] < ' ' || from[n] == 0x7f ? '?' : from[n];
  to[n] = 0;
}

static void
append_to_map (uint64_t start, uint64_t size, const char *name)
{
  char text[64];
  const int n = snprintf (text, sizeof text, "%llx %llx ", (unsigned long long) start,
                          (unsigned long long) size);
  const struct iovec parts[]
      = { { text, (size_t) n }, { (void *) name, strlen (name) }, { (void *) "\n", 1 } };
  report ("perf-map", map.path, code_file_append (&map, parts, sizeof parts / sizeof parts[0]));
}

/* `is_again`: code that has an entry gets none. */
static void
append (const struct jit_dump_code *code, bool is_again)
{
  char name[NAME_SIZE];
  const uint64_t start = address (code->start);
  copy_name (name, code->name);
  struct jit_dump_code named = *code;
  named.name = name;
  pthread_mutex_lock (&lock);
  begin_in_child ();
  if (!is_again || !address_set_has (&written, start)) {
    address_set_add (&written, start);
    append_to_map (start, code->size, name);
    report ("jitdump", dump.file.path, jit_dump_append (&dump, &named));
  }
  pthread_mutex_unlock (&lock);
}

/* ---- source lines ---- */

/* From the runtime's header debug-mono-symfile.h, which is not installed; the same in Mono 4 to
 * 6.12. */
struct line_entry {
  uint32_t il_offset, native_offset;
};

static bool
read_line (struct jit_dump_line *line, MonoMethod *method, MonoDomain *domain, uint32_t offset)
{
  MonoDebugSourceLocation *const location
      = mono_debug_lookup_source_location (method, offset, domain);
  line->file = NULL;
  if (location == NULL)
    return false;
  line->line = location->row;
  if (location->source_file != NULL && location->row != 0 && location->row != HIDDEN_LINE)
    line->file = strdup (location->source_file);
  mono_debug_free_source_location (location);
  return line->file != NULL;
}

/* The lines of a method, by address (to be freed, with their files); NULL: none are known. */
static struct jit_dump_line *
find_lines (MonoMethod *method, MonoDomain *domain, uint64_t start, uint32_t *count)
{
  *count = 0;
  if (mono_debug_find_method == NULL || mono_debug_free_method_jit_info == NULL
      || !mono_debug_enabled ())
    return NULL;
  MonoDebugMethodJitInfo *const jit = mono_debug_find_method (method, domain);
  if (jit == NULL)
    return NULL;
  const struct line_entry *const entries = (const void *) jit->line_numbers;
  struct jit_dump_line *const lines = calloc (jit->num_line_numbers + UINT64_C (1), sizeof *lines);
  for (uint32_t i = 0; lines != NULL && i < jit->num_line_numbers; i++) {
    const uint32_t offset = entries[i].native_offset;
    struct jit_dump_line *const line = &lines[*count];
    line->address = start + offset;
    if (offset < jit->code_size && (*count == 0 || line->address > line[-1].address)
        && read_line (line, method, domain, offset))
      ++*count;
  }
  mono_debug_free_method_jit_info (jit);
  return lines;
}

/* ---- code ---- */

static void
add_method (MonoMethod *method, MonoDomain *domain, MonoJitInfo *info, bool is_again)
{
  const uint64_t size = (uint64_t) mono_jit_info_get_code_size (info);
  struct jit_dump_code code = { .start = mono_jit_info_get_code_start (info), .size = size };
  char *const name = size != 0 ? mono_method_full_name (method, 1) : NULL;
  if (name == NULL)
    return;
  struct jit_dump_line *const lines
      = dump.file.fd >= 0 ? find_lines (method, domain, address (code.start), &code.line_count)
                          : NULL;
  code.name = name;
  code.lines = lines;
  append (&code, is_again);
  for (uint32_t i = 0; i < code.line_count; i++)
    free (lines[i].file);
  free (lines);
  mono_free (name);
}

static void
jit_done (MonoProfiler *p, MonoMethod *method, MonoJitInfo *info)
{
  (void) p;
  if (info != NULL)
    add_method (method, mono_domain_get (), info, false);
}

/* As the log names it. */
static const char *
name_of_helper (MonoProfilerCodeBufferType type)
{
  static const struct {
    const char *unit;
    unsigned number;
    const char *text;
  } values[] = {
#define VALUE(unit, number, NAME, text) { #unit, (unsigned) (number), "[" text "]" },
#include <proflog/mlpd-values.def>
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (values[i].number == (unsigned) type && strcmp (values[i].unit, "HELPER_TYPE") == 0)
      return values[i].text;
  return "[helper]";
}

/* Trampolines and the like; methods are added when they are done. */
static void
code_made (MonoProfiler *p, const mono_byte *buffer, uint64_t size, MonoProfilerCodeBufferType type,
           const void *data)
{
  (void) p;
  const bool is_named = type == MONO_PROFILER_CODE_BUFFER_SPECIFIC_TRAMPOLINE && data != NULL;
  if (type != MONO_PROFILER_CODE_BUFFER_METHOD && size != 0)
    append (&(struct jit_dump_code){ .start = buffer,
                                     .size = size,
                                     .name = is_named ? data : name_of_helper (type) },
            false);
}

/* ---- code that was compiled before the module came, or ahead of time ---- */

/* The method that has this code, which it may have no more; NULL: none is known. */
static MonoJitInfo *
find_method (uint64_t code, MonoMethod **method)
{
  MonoJitInfo *const info
      = mono_jit_info_table_find (mono_get_root_domain (), (char *) (uintptr_t) code);
  *method = info != NULL ? mono_jit_info_get_method (info) : NULL;
  return *method != NULL ? info : NULL;
}

/* Looks up each address at which a method may begin. */
static void
add_range (uint64_t start, uint64_t end)
{
  for (uint64_t at = start; at < end;) {
    MonoMethod *method;
    MonoJitInfo *const info = find_method (at, &method);
    at += STEP;
    if (info == NULL)
      continue;
    add_method (method, mono_get_root_domain (), info, true);
    const uint64_t end_of_method = address (mono_jit_info_get_code_start (info))
                                   + (uint64_t) mono_jit_info_get_code_size (info);
    if (end_of_method > at)
      at = (end_of_method + STEP - 1) / STEP * STEP;
  }
}

bool
code_files_want_old_code (void)
{
  return atomic_load (&is_active) && has_old_code;
}

void
code_files_add_old_code (void)
{
  if (!code_files_want_old_code ())
    return;
  late_stacks_find_code ();
  late_stacks_visit_code (add_range);
}

void
code_files_note_place (const void *code)
{
  static struct address_set seen; /* the ticker's */
  MonoMethod *method;
  if (!atomic_load_explicit (&is_active, memory_order_relaxed) || code == NULL
      || address_set_has (&seen, address (code)))
    return;
  address_set_add (&seen, address (code));
  MonoJitInfo *const info = find_method (address (code), &method);
  if (info != NULL)
    add_method (method, mono_get_root_domain (), info, true);
}

/* ---- start and forks ---- */

static void
before_fork (void)
{
  pthread_mutex_lock (&lock);
}

static void
after_fork (void)
{
  pthread_mutex_unlock (&lock);
}

void
code_files_after_fork (bool is_recorded)
{
  if (!atomic_load (&is_active))
    return;
  atomic_store (&is_new_child, is_recorded);
  atomic_store (&is_active, is_recorded);
  if (!is_recorded) {
    code_file_close (&map);
    code_file_close (&dump.file);
  }
}

void
code_files_begin_in_child (const char *log)
{
  if (!atomic_load (&is_active))
    return;
  pthread_mutex_lock (&lock);
  set_folder (log);
  begin_in_child ();
  pthread_mutex_unlock (&lock);
}

bool
code_files_start (const struct options *o, const char *log, bool is_late, char *why, size_t size)
{
  char problem[PATH_MAX + 64];
  if (!o->perf_map && !o->jitdump)
    return true;
  set_folder (log);
  const bool has_map = o->perf_map && create_map (&map, problem, sizeof problem);
  if (o->perf_map && !has_map)
    snprintf (why, size, "perf-map: %s", problem);
  const bool has_dump = o->jitdump && jit_dump_create (&dump, folder, problem, sizeof problem);
  if (o->jitdump && !has_dump)
    snprintf (why, size, "jitdump: %s", problem);
  if (has_map || has_dump) {
    has_old_code = is_late;
    pthread_atfork (before_fork, after_fork, after_fork);
    atomic_store (&is_active, true);
    MonoProfilerHandle handle = mono_profiler_create (&profiler);
    mono_profiler_set_jit_done_callback (handle, jit_done);
    mono_profiler_set_jit_code_buffer_callback (handle, code_made);
  }
  return has_map == o->perf_map && has_dump == o->jitdump;
}
