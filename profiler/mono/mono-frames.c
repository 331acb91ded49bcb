/* mono-frames.c -- a walk of the managed frames of this thread, of which most are known.
 *
 * The runtime's walk takes some hundred ns for a frame, as it looks up a method and decodes how its
 * frame is left.  Both are the same for each return address, so they are found once, and stored in
 * a table.  A walk then takes some ns for a frame.  It gives the same frames, or it fails, and the
 * runtime's walk is to be used.
 *
 * Where a thread left managed code the runtime has an LMF ("last managed frame") on its stack,
 * which has the registers there; these are a list, whose head is in a variable of the thread.
 * Mono's header mini-amd64.h has its layout, the same in 5.8 to 6.12.
 */
#include "config.h"

#include "profiler/mono/mono-private.h"

#ifdef __x86_64__
#include "profiler/mono/frame-code.h"
#include "profiler/os/addresses.h"
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* From the runtime's header, which is not installed. */
struct lmf {
  uint64_t previous; /* the low bits: it is of another kind, without these registers */
  uint64_t rbp, rsp;
};
#define LMF_KIND UINT64_C (7)

enum {
  STEPS = 128,            /* of a walk that are stored */
  PROBED_STACK = 1 << 20, /* bytes in which the first LMF is searched */
  ATTEMPTS = 64,          /* to find the list of LMFs */
  COMPARED_WALKS = 256,   /* with the runtime's, before others are used alone */
};

/* ---- the table of return addresses ---- */

enum code_kind {
  CODE_METHOD,
  CODE_WRAPPER,
  CODE_DYNAMIC, /* a method that may be freed at any time: nothing is stored of it */
  CODE_NATIVE
};

struct code {
  uint64_t method;
  struct frame_code frame;
  enum code_kind kind;
};

static struct address_table codes;

/* Counts the times at which code was freed. */
static _Atomic unsigned freed;

static inline bool
find_code (uint64_t ip, struct code *code)
{
  uint64_t words[ADDRESS_TABLE_WORDS];
  if (!address_table_find (&codes, ip, words))
    return false;
  *code = (struct code){ .method = words[0],
                         .kind = (enum code_kind) words[1],
                         .frame = { (uint32_t) words[2], (int32_t) (words[2] >> 32) } };
  return true;
}

static void
store_code (uint64_t ip, const struct code *code)
{
  const uint64_t frame = code->frame.bytes | (uint64_t) (uint32_t) code->frame.rbp_at << 32;
  address_table_add (&codes, ip, (const uint64_t[]){ code->method, code->kind, frame });
}

void
frames_forget (void)
{
  atomic_fetch_add (&freed, 1);
  address_table_clear (&codes);
}

static MonoJitInfo *
find_method (uint64_t ip)
{
  char *const inside = (char *) (uintptr_t) (ip - 1);
  MonoJitInfo *const info = mono_jit_info_table_find (mono_domain_get (), inside);
  return info != NULL ? info : mono_jit_info_table_find (mono_get_root_domain (), inside);
}

/* Code of another domain is neither in a file nor found. */
static bool
is_in_file (uint64_t ip)
{
  Dl_info info;
  return dladdr ((void *) (uintptr_t) ip, &info) != 0;
}

static enum code_kind
kind_of (const struct name *name)
{
  static const char dynamic[] = "(wrapper dynamic-method)";
  return !name->wrapper                                           ? CODE_METHOD
         : strncmp (name->text, dynamic, sizeof dynamic - 1) == 0 ? CODE_DYNAMIC
                                                                  : CODE_WRAPPER;
}

/* False: the code is of a kind that is not known here, or there is no memory for its name. */
static __attribute__ ((noinline)) bool
learn_code (uint64_t ip, struct code *code)
{
  MonoJitInfo *const info = find_method (ip);
  if (info == NULL) {
    *code = (struct code){ .kind = CODE_NATIVE };
    if (!is_in_file (ip))
      return false;
    store_code (ip, code);
    return true;
  }
  MonoMethod *const method = mono_jit_info_get_method (info);
  const struct name *const name = name_method (method);
  const size_t size = (size_t) mono_jit_info_get_code_size (info);
  if (name == NULL || !frame_code_read (&code->frame, mono_jit_info_get_code_start (info), size))
    return false;
  code->kind = kind_of (name);
  code->method = address (method);
  if (code->kind != CODE_DYNAMIC)
    store_code (ip, code);
  return true;
}

/* ---- where the list of LMFs is ---- */

/* The storage of the thread's variables that belong to the runtime. */
struct variables {
  const uint64_t *words;
  size_t count;
};

static int
find_variables (struct dl_phdr_info *info, size_t size, void *data)
{
  struct variables *const v = data;
  const uint64_t code = address ((const void *) (uintptr_t) mono_jit_info_table_find);
  bool is_runtime = false;
  size_t bytes = 0;
  if (size < offsetof (struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data)
    return 1;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *const h = &info->dlpi_phdr[i];
    if (h->p_type == PT_LOAD && code - (info->dlpi_addr + h->p_vaddr) < h->p_memsz)
      is_runtime = true;
    else if (h->p_type == PT_TLS)
      bytes = h->p_memsz;
  }
  if (!is_runtime)
    return 0;
  if (info->dlpi_tls_data != NULL)
    *v = (struct variables){ info->dlpi_tls_data, bytes / sizeof (uint64_t) };
  return 1;
}

/* Which of these words points to the head of the list; NONE until it was found. */
enum { NONE = -1, NOWHERE = -2 };
static _Atomic int head_word = NONE;

/* A frame of a walk. */
struct step {
  uint64_t sp, rbp; /* the registers in the frame */
  uint64_t ip;      /* is right below sp */
  uint64_t from;    /* the address of the next frame's rbp, 0: that does not matter; of native code,
                     * of the LMF that comes next */
  uint32_t methods; /* of this frame and the outer ones */
  uint8_t kind;     /* enum code_kind */
  bool uses_rbp;    /* the next frame is found by it */
  bool needs_rbp;   /* the next frame depends on it */
};

/* The last walk of a thread.  While it goes on, the new frames are innermost first. */
struct memory {
  bool is_used;
  unsigned freed; /* code since the frames were stored, if it is another number now */
  bool is_whole;  /* it has the outermost frame */
  size_t count;
  struct step steps[STEPS]; /* outermost first */
  uint64_t methods[STEPS];  /* of these, but for wrappers */
  struct step inner[STEPS];
  uint64_t inner_methods[STEPS];
};

static _Thread_local struct {
  const struct lmf *const *const *head; /* in the runtime's variable, another one after a detach */
  uint64_t stack_end;
  struct memory *memory;
  bool is_known;
} thread __attribute__ ((tls_model ("initial-exec")));

static pthread_key_t thread_end;

/* The thread may allocate once more after this. */
static void
forget_thread (void *memory)
{
  thread.is_known = false;
  thread.memory = NULL;
  free (memory);
}

static void
make_key (void)
{
  pthread_key_create (&thread_end, forget_thread);
}

static __attribute__ ((noinline)) bool
know_thread (int word)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct variables v = { NULL, 0 };
  pthread_attr_t attributes;
  void *stack;
  size_t size;
  thread.is_known = true;
  if (pthread_getattr_np (pthread_self (), &attributes) != 0)
    return false;
  if (pthread_attr_getstack (&attributes, &stack, &size) == 0)
    thread.stack_end = address (stack) + size;
  pthread_attr_destroy (&attributes);
  dl_iterate_phdr (find_variables, &v);
  pthread_once (&once, make_key);
  thread.memory = malloc (sizeof *thread.memory);
  if ((size_t) word >= v.count || thread.memory == NULL
      || pthread_setspecific (thread_end, thread.memory) != 0) {
    free (thread.memory);
    thread.memory = NULL;
    return false;
  }
  thread.memory->is_used = false;
  thread.memory->count = 0;
  thread.head = (const struct lmf *const *const *) (const void *) &v.words[word];
  return true;
}

struct top_frame {
  MonoMethod *method;
  uint64_t offset;
};

static mono_bool
note_top_frame (MonoMethod *method, int32_t native_offset, int32_t il_offset, mono_bool managed,
                void *data)
{
  (void) il_offset;
  (void) managed;
  struct top_frame *const top = data;
  *top = (struct top_frame){ method, (uint64_t) native_offset };
  return 1;
}

/* Of memory that may not be there. */
static bool
read_memory (void *into, uint64_t from, size_t size)
{
  struct iovec local = { into, size }, remote = { (void *) (uintptr_t) from, size };
  return process_vm_readv (getpid (), &local, 1, &remote, 1, 0) == (ssize_t) size;
}

/* Whether the word points to a pointer to an LMF of that frame, on this stack. */
static bool
is_head (uint64_t word, const struct top_frame *top, uint64_t stack)
{
  struct lmf lmf;
  uint64_t at, ip;
  if (!read_memory (&at, word, sizeof at) || at <= stack || at - stack > PROBED_STACK
      || !read_memory (&lmf, at, sizeof lmf) || (lmf.previous & LMF_KIND) != 0 || lmf.rsp <= stack
      || lmf.rsp > at || !read_memory (&ip, lmf.rsp - sizeof ip, sizeof ip))
    return false;
  MonoJitInfo *const info = find_method (ip);
  return info != NULL && mono_jit_info_get_method (info) == top->method
         && ip - 1 - address (mono_jit_info_get_code_start (info)) == top->offset;
}

/* The only word that is one, if there is any. */
static int
find_head (void)
{
  struct variables v = { NULL, 0 };
  struct top_frame top = { NULL, 0 };
  int found = NONE;
  mono_stack_walk_no_il (note_top_frame, &top);
  if (top.method == NULL)
    return NONE;
  dl_iterate_phdr (find_variables, &v);
  for (size_t i = 0; i < v.count; i++)
    if (is_head (v.words[i], &top, address (__builtin_frame_address (0)))) {
      if (found != NONE)
        return NOWHERE;
      found = (int) i;
    }
  return found;
}

/* ---- the walk ---- */

static inline uint64_t
word_at (uint64_t at)
{
  return *(const uint64_t *) (uintptr_t) at;
}

/* The next LMF that is not of a frame below `sp`; NULL at the end of the list. */
static inline const struct lmf *
next_lmf (const struct lmf *lmf, uint64_t sp)
{
  while ((lmf->previous & LMF_KIND) == 0 && lmf->previous != 0 && lmf->rsp <= sp)
    lmf = (const struct lmf *) (uintptr_t) lmf->previous;
  return lmf->previous != 0 ? lmf : NULL;
}

/* Whether a walk goes on as the last one from its frame `at`: all that was read there is compared,
 * until there are enough methods.  If not, `at` is the frame that differs. */
static bool
goes_on (const struct memory *m, size_t *at, const struct lmf *lmf, size_t wanted)
{
  const uint32_t methods = m->steps[*at].methods;
  for (;; --*at) {
    const struct step *const s = &m->steps[*at];
    if (word_at (s->sp - sizeof s->ip) != s->ip || s->kind == CODE_DYNAMIC)
      return false;
    if (s->kind == CODE_NATIVE) {
      lmf = next_lmf (lmf, s->sp);
      if (address (lmf) != s->from || (lmf != NULL && (lmf->previous & LMF_KIND) != 0)
          || (*at > 0 && (lmf->rsp != s[-1].sp || (s[-1].needs_rbp && lmf->rbp != s[-1].rbp))))
        return false;
    } else if (s->from != 0 && word_at (s->from) != s[-1].rbp) {
      return false;
    }
    if (methods - s->methods >= wanted)
      return true;
    if (*at == 0)
      return m->is_whole;
  }
}

/* Makes room for more frames: outer ones go. */
static void
drop_outer (struct memory *m, size_t count)
{
  const uint32_t methods = m->steps[count - 1].methods;
  const uint32_t all = m->steps[m->count - 1].methods;
  m->count -= count;
  memmove (m->steps, m->steps + count, m->count * sizeof *m->steps);
  memmove (m->methods, m->methods + methods, (all - methods) * sizeof *m->methods);
  for (size_t i = 0; i < m->count; i++)
    m->steps[i].methods -= methods;
  m->is_whole = false;
  m->steps[0].from = 0;
}

/* The walk had these new frames, and then went on as before. */
static void
remember (struct memory *m, size_t kept, size_t inner, size_t methods)
{
  m->count = kept;
  if (kept + inner > STEPS)
    drop_outer (m, kept + inner - STEPS);
  uint32_t count = m->count > 0 ? m->steps[m->count - 1].methods : 0;
  for (size_t i = 0; i < methods; i++)
    m->methods[count + i] = m->inner_methods[methods - 1 - i];
  while (inner > 0) {
    struct step *const s = &m->steps[m->count];
    const bool is_outermost = m->count++ == 0;
    *s = m->inner[--inner];
    count += s->kind == CODE_METHOD;
    s->methods = count;
    if (s->kind == CODE_NATIVE)
      continue;
    const bool next_needs_rbp = is_outermost || s[-1].needs_rbp;
    s->needs_rbp |= s->from == 0 && next_needs_rbp;
    if (is_outermost || !next_needs_rbp)
      s->from = 0;
  }
}

/* Leaves the frame.  False if the registers cannot be those of a frame. */
static inline bool
leave_frame (struct step *s, const struct frame_code *frame, uint64_t *sp, uint64_t *rbp,
             uint64_t end)
{
  if (frame->bytes == 0) {
    if (*rbp < *sp || *rbp % 8 != 0 || *rbp + 16 > end)
      return false;
    s->uses_rbp = s->needs_rbp = true;
    s->from = *rbp;
    *sp = *rbp + 16;
  } else {
    if (frame->rbp_at >= 0)
      s->from = *sp + (uint64_t) frame->rbp_at;
    *sp += frame->bytes + 8;
    if (*sp > end)
      return false;
  }
  if (s->from != 0)
    *rbp = word_at (s->from);
  return true;
}

/* False if some frame is not known; nothing is remembered then. */
static bool
walk_stack (struct memory *m, const struct lmf *lmf, size_t limit, uint64_t end)
{
  size_t at = m->count, inner = 0, methods = 0;
  uint64_t sp = 0, rbp = 0;
  struct code code = { .kind = CODE_NATIVE };
  m->count = 0;
  lmf = next_lmf (lmf, 0);
  for (;;) {
    if (code.kind == CODE_NATIVE) {
      if (inner > 0)
        m->inner[inner - 1].from = address (lmf);
      if (lmf == NULL || (lmf->previous & LMF_KIND) != 0)
        break;
      sp = lmf->rsp;
      rbp = lmf->rbp;
    }
    while (at > 0 && m->steps[at - 1].sp < sp)
      at--;
    const struct step *const before = at > 0 ? &m->steps[at - 1] : NULL;
    if (before != NULL && before->sp == sp && (!before->needs_rbp || before->rbp == rbp)) {
      size_t differs = at - 1;
      if (goes_on (m, &differs, lmf, methods < limit ? limit - methods : 0)) {
        remember (m, at, inner, methods);
        return true;
      }
      at = differs;
    }
    if (inner == STEPS)
      break;
    struct step *const s = &m->inner[inner];
    *s = (struct step){ .sp = sp, .rbp = rbp, .ip = word_at (sp - sizeof s->ip) };
    if (!find_code (s->ip, &code) && !learn_code (s->ip, &code))
      return false;
    inner++;
    s->kind = code.kind;
    if (code.kind == CODE_NATIVE) {
      lmf = next_lmf (lmf, sp);
      continue;
    }
    if (code.kind == CODE_METHOD)
      m->inner_methods[methods++] = code.method;
    if (!leave_frame (s, &code.frame, &sp, &rbp, end))
      return false;
  }
  m->is_whole = lmf == NULL;
  if (!m->is_whole && inner < STEPS)
    return false;
  remember (m, 0, inner, methods);
  return true;
}

/* The frame has another address of code, and nothing else may differ. */
static bool
replace_code (struct memory *m, struct step *s, uint64_t ip, uint64_t sp, uint64_t rbp,
              uint64_t end)
{
  struct code code;
  struct step new = *s;
  if (s == m->steps || !find_code (ip, &code) || code.kind != s->kind)
    return false;
  new.uses_rbp = new.needs_rbp = false;
  new.from = 0;
  new.ip = ip;
  if (!leave_frame (&new, &code.frame, &sp, &rbp, end) || sp != s[-1].sp)
    return false;
  new.needs_rbp |= new.from == 0 && s[-1].needs_rbp;
  if (!s[-1].needs_rbp)
    new.from = 0;
  if (new.needs_rbp != s->needs_rbp)
    return false;
  if (code.kind == CODE_METHOD)
    m->methods[s->methods - 1] = code.method;
  *s = new;
  return true;
}

/* A walk whose frames are where those of the last one were. */
static bool
walk_again (struct memory *m, const struct lmf *lmf, size_t limit, uint64_t end)
{
  struct step *s = m->steps + m->count;
  lmf = next_lmf (lmf, 0);
  if (m->count == 0 || lmf == NULL || (lmf->previous & LMF_KIND) != 0)
    return false;
  const uint32_t methods = s[-1].methods;
  uint64_t sp = lmf->rsp, rbp = lmf->rbp;
  for (;;) {
    if (--s < m->steps)
      return m->is_whole;
    if (s->sp != sp || (s->uses_rbp && s->rbp != rbp) || s->kind == CODE_DYNAMIC)
      return false;
    s->rbp = rbp;
    const uint64_t ip = word_at (sp - sizeof ip);
    if (ip != s->ip && (s->kind == CODE_NATIVE || !replace_code (m, s, ip, sp, rbp, end)))
      return false;
    if (methods - s->methods >= limit)
      return true;
    if (s->kind == CODE_NATIVE) {
      lmf = next_lmf (lmf, sp);
      if (address (lmf) != s->from)
        return false;
      if (lmf == NULL)
        return true;
      if ((lmf->previous & LMF_KIND) != 0)
        return false;
      sp = lmf->rsp;
      rbp = lmf->rbp;
    } else {
      sp = s > m->steps ? s[-1].sp : 0;
      if (s->from != 0)
        rbp = word_at (s->from);
    }
  }
}

static bool
walk_thread (struct mlpd_list *list, size_t limit)
{
  const int word = atomic_load_explicit (&head_word, memory_order_relaxed);
  if (word < 0 || (!thread.is_known && !know_thread (word)) || thread.memory == NULL)
    return false;
  struct memory *const m = thread.memory;
  const struct lmf *const *const head = *thread.head;
  if (m->is_used || head == NULL)
    return false;
  m->is_used = true;
  const unsigned now = atomic_load_explicit (&freed, memory_order_acquire);
  if (m->freed != now)
    m->count = 0;
  m->freed = now;
  const bool good = walk_again (m, *head, limit, thread.stack_end)
                    || walk_stack (m, *head, limit, thread.stack_end);
  m->is_used = false;
  if (!good)
    return false;
  const size_t methods = m->count > 0 ? m->steps[m->count - 1].methods : 0;
  const size_t count = methods < limit ? methods : limit;
  *list = (struct mlpd_list){ &m->methods[methods - count], count };
  return true;
}

/* Walks that gave the same frames as the runtime's. */
static _Atomic unsigned compared;

bool
frames_walk (struct mlpd_list *list, size_t limit)
{
  return atomic_load_explicit (&compared, memory_order_relaxed) >= COMPARED_WALKS
         && walk_thread (list, limit);
}

/* The runtime's walk has the instance of a generic method whose code several share. */
static bool
is_same_method (uint64_t a, uint64_t b)
{
  MonoMethod *const one = (MonoMethod *) (uintptr_t) a, *const other = (MonoMethod *) (uintptr_t) b;
  return a == b
         || (mono_method_get_token (one) == mono_method_get_token (other)
             && mono_class_get_image (mono_method_get_class (one))
                    == mono_class_get_image (mono_method_get_class (other)));
}

static bool
are_same_frames (struct mlpd_list a, struct mlpd_list b)
{
  if (a.count != b.count)
    return false;
  for (size_t i = 0; i < a.count; i++)
    if (!is_same_method (a.items[i], b.items[i]))
      return false;
  return true;
}

void
frames_learn (struct mlpd_list *walked, size_t limit)
{
  static _Atomic unsigned attempts;
  struct mlpd_list own;
  if (atomic_load (&head_word) == NONE)
    atomic_store (&head_word, atomic_fetch_add (&attempts, 1) < ATTEMPTS ? find_head () : NOWHERE);
  if (atomic_load (&compared) >= COMPARED_WALKS || !walk_thread (&own, limit))
    return;
  if (are_same_frames (own, *walked)) {
    atomic_fetch_add (&compared, 1);
    *walked = own;
  } else {
    atomic_store (&head_word, NOWHERE);
  }
}

#else

bool
frames_walk (struct mlpd_list *list, size_t limit)
{
  (void) list;
  (void) limit;
  return false;
}

void
frames_learn (struct mlpd_list *walked, size_t limit)
{
  (void) walked;
  (void) limit;
}

void
frames_forget (void)
{
}

#endif
