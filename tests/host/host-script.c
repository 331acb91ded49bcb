/* host-script.c -- reads a scenario. */
#include "config.h"

#include "tests/host/host-script.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 512 };

struct word {
  const char *text;
  bool quoted;
};

struct script {
  FILE *file;
  const char *path;
  int line;
  struct word words[MAX_WORDS];
  size_t count;
  const char *variables[HOST_VARIABLES];
};

static const struct op_info {
  const char *name;
  bool block;
} ops[HOST_OPS] = {
#define COMMAND(ID, name, arguments, doc) { name, false },
#define BLOCK(ID, name, arguments, doc) { name, true },
#include "tests/host/host-commands.def"
};

static void bad (const struct script *s, const char *what, const char *word)
    __attribute__ ((noreturn));

static void
bad (const struct script *s, const char *what, const char *word)
{
  host_fail ("%s:%d: %s: %s", s->path, s->line, what, word);
}

/* ---- words ---- */

static const char *
keep (const char *text, size_t length, uint64_t times)
{
  char *copy = host_text (length * times);
  for (uint64_t i = 0; i < times; i++)
    memcpy (copy + i * length, text, length);
  return copy;
}

/* A word stands between blanks, or in quotes: "text" or "text"*TIMES. */
static char *
read_word (struct script *s, char *p)
{
  if (s->count == MAX_WORDS)
    bad (s, "too many words", p);
  struct word *word = &s->words[s->count++];
  word->quoted = *p == '"';
  if (!word->quoted) {
    size_t length = strcspn (p, " \t\n");
    word->text = keep (p, length, 1);
    return p + length;
  }
  char *close = strchr (p + 1, '"');
  if (close == NULL)
    bad (s, "no closing quote", p);
  uint64_t times = 1;
  char *end = close + 1;
  if (*end == '*')
    times = strtoull (end + 1, &end, 0);
  word->text = keep (p + 1, (size_t) (close - p - 1), times);
  return end;
}

/* Reads the next line that has words; false at the end. */
static bool
read_line (struct script *s)
{
  static char text[65536];
  for (;;) {
    if (fgets (text, sizeof text, s->file) == NULL)
      return false;
    s->line++;
    s->count = 0;
    char *p = text;
    for (;;) {
      p += strspn (p, " \t\n");
      if (*p == 0 || *p == '#')
        break;
      p = read_word (s, p);
    }
    if (s->count != 0)
      return true;
  }
}

/* ---- operands ---- */

static unsigned
variable (struct script *s, const char *name, bool make)
{
  for (unsigned i = 0; i < HOST_VARIABLES; i++) {
    if (s->variables[i] == NULL && make)
      s->variables[i] = keep (name, strlen (name), 1);
    if (s->variables[i] != NULL && strcmp (s->variables[i], name) == 0)
      return i;
  }
  bad (s, make ? "too many variables" : "no such variable", name);
}

static const char *
read_factor (struct script *s, const char *p, struct host_term *term)
{
  if (*p == '$') {
    size_t length = 1;
    while (isalnum ((unsigned char) p[length]))
      length++;
    if (term->variable_count == 2)
      bad (s, "too many variables in a product", p);
    term->variables[term->variable_count++] = variable (s, keep (p + 1, length - 1, 1), false);
    return p + length;
  }
  char *end;
  if (!isdigit ((unsigned char) *p))
    bad (s, "not a number", p);
  term->factor *= strtoull (p, &end, 0);
  return end;
}

/* Reads an expression that ends at `end`. */
static struct host_expression
read_expression (struct script *s, const char *p, const char *end)
{
  struct host_expression e = { .count = 0 };
  bool minus = *p == '-';
  p += minus;
  for (;;) {
    if (e.count == sizeof e.terms / sizeof e.terms[0])
      bad (s, "too many terms", p);
    struct host_term *term = &e.terms[e.count++];
    term->minus = minus;
    term->factor = 1;
    p = read_factor (s, p, term);
    while (*p == '*')
      p = read_factor (s, p + 1, term);
    if (p == end)
      return e;
    if (*p != '+' && *p != '-')
      bad (s, "not an expression", p);
    minus = *p++ == '-';
  }
}

uint64_t
host_evaluate (const struct host_expression *expression)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < expression->count; i++) {
    const struct host_term *term = &expression->terms[i];
    uint64_t product = term->factor;
    for (size_t v = 0; v < term->variable_count; v++)
      product *= host_self->variables[term->variables[v]];
    sum += term->minus ? -product : product;
  }
  return sum;
}

/* null, self, a number, "text", SYMBOL or SYMBOL[N]. */
static struct host_operand
read_operand (struct script *s, const struct word *word)
{
  const char *text = word->text;
  struct host_operand operand = { .form = FORM_NUMBER };
  if (word->quoted) {
    operand.form = FORM_TEXT;
    operand.text = text;
  } else if (strcmp (text, "self") == 0) {
    operand.form = FORM_SELF;
  } else if (isdigit ((unsigned char) *text) || *text == '$') {
    operand.number = read_expression (s, text, text + strlen (text));
  } else if (strcmp (text, "null") != 0 && strcmp (text, "native") != 0) {
    size_t length = strcspn (text, "[");
    operand.form = FORM_ENTITY;
    operand.entity = host_find (keep (text, length, 1));
    if (operand.entity == NULL)
      bad (s, "not defined", text);
    if (text[length] == '[') {
      const char *close = text + strlen (text) - 1;
      if (*close != ']' || operand.entity->kind != HOST_POOL)
        bad (s, "not one of some objects", text);
      operand.number = read_expression (s, text + length + 1, close);
    }
  }
  return operand;
}

static enum host_entity_kind
entity_kind_of (enum host_arg kind)
{
  switch (kind) {
  case ARG_IMAGE:
    return HOST_IMAGE;
  case ARG_ASSEMBLY:
    return HOST_ASSEMBLY;
  case ARG_CLASS:
    return HOST_CLASS;
  case ARG_METHOD:
  case ARG_JIT_INFO:
    return HOST_METHOD;
  case ARG_OBJECT:
    return HOST_POOL;
  case ARG_ARRAY:
    return HOST_ARRAY;
  case ARG_WORD:
    return HOST_THREAD;
  default:
    return 0;
  }
}

uint64_t
host_value (const struct host_operand *operand, enum host_arg kind)
{
  switch (operand->form) {
  case FORM_NUMBER:
    return host_evaluate (&operand->number);
  case FORM_SELF:
    return host_self->id;
  case FORM_TEXT:
    return (uint64_t) (uintptr_t) operand->text;
  case FORM_ENTITY:
    break;
  }
  struct host_entity *e = operand->entity;
  switch (e->kind) {
  case HOST_POOL:
    return ((struct host_pool *) e)->address
           + host_evaluate (&operand->number) * ((struct host_pool *) e)->stride;
  case HOST_ARRAY:
    return (uint64_t) (uintptr_t) ((struct host_array *) e)->values;
  case HOST_THREAD:
    return ((struct host_thread *) e)->id;
  case HOST_METHOD:
    if (kind == ARG_JIT_INFO)
      return (uint64_t) (uintptr_t) host_jit_info ((struct host_method *) e);
    return (uint64_t) (uintptr_t) e;
  default:
    return (uint64_t) (uintptr_t) e;
  }
}

/* ---- commands ---- */

static size_t
size_of_kind (enum host_entity_kind kind)
{
  switch (kind) {
  case HOST_IMAGE:
    return sizeof (struct host_image);
  case HOST_ASSEMBLY:
    return sizeof (struct host_assembly);
  case HOST_CLASS:
    return sizeof (struct host_class);
  case HOST_METHOD:
    return sizeof (struct host_method);
  case HOST_POOL:
    return sizeof (struct host_pool);
  case HOST_ARRAY:
    return sizeof (struct host_array);
  case HOST_THREAD:
    return sizeof (struct host_thread);
  case HOST_DOMAIN:
    return sizeof (struct host_domain);
  case HOST_CONTEXT:
    return sizeof (struct host_context);
  case HOST_VTABLE:
    return sizeof (struct host_vtable);
  }
  return 0;
}

static struct host_entity *
defined (struct script *s, const char *symbol, enum host_entity_kind kind)
{
  struct host_entity *e = host_find (symbol);
  if (e == NULL)
    e = host_new_entity (kind, size_of_kind (kind), symbol);
  else if (e->kind != kind || kind == HOST_THREAD)
    bad (s, "already defined", symbol);
  return e;
}

/* All words from the `first` on are operands; there must be `least` to `most` of them. */
static void
read_operands (struct script *s, struct host_command *c, size_t first, size_t least, size_t most)
{
  if (s->count < first + least || s->count > first + most)
    bad (s, "wrong number of words", s->words[0].text);
  c->count = s->count - first;
  c->operands = host_alloc ((c->count + 1) * sizeof c->operands[0]);
  for (size_t i = 0; i < c->count; i++)
    c->operands[i] = read_operand (s, &s->words[first + i]);
}

/* Names may be written without quotes. */
static void
quote (struct script *s, size_t from, size_t to)
{
  for (size_t i = from; i < to && i < s->count; i++)
    s->words[i].quoted = true;
}

static void
read_definition (struct script *s, struct host_command *c, enum host_entity_kind kind, size_t least,
                 size_t most)
{
  if (s->count < 2)
    bad (s, "what is defined?", s->words[0].text);
  read_operands (s, c, 2, least, most);
  c->entity = defined (s, s->words[1].text, kind);
}

static void
read_variable (struct script *s, struct host_command *c, size_t at)
{
  if (s->count <= at)
    bad (s, "no variable", s->words[0].text);
  c->variable = variable (s, s->words[at].text, true);
}

static void
read_thread (struct script *s, struct host_command *c)
{
  read_operands (s, c, 1, 1, 1);
  c->entity = c->operands[0].entity;
  if (c->entity == NULL || c->entity->kind != HOST_THREAD)
    bad (s, "not a thread", s->words[1].text);
}

static void
read_fire (struct script *s, struct host_command *c)
{
  if (s->count < 2)
    bad (s, "which callback?", "fire");
  while (c->callback < HOST_CALLBACKS
         && strcmp (host_signatures[c->callback].name, s->words[1].text) != 0)
    c->callback++;
  if (c->callback == HOST_CALLBACKS)
    bad (s, "no such callback", s->words[1].text);
  const enum host_arg *kinds = host_signatures[c->callback].args;
  size_t n = 0;
  while (kinds[n] != ARG_END)
    n++;
  read_operands (s, c, 2, n, n);
  for (size_t i = 0; i < n; i++) {
    const struct host_operand *o = &c->operands[i];
    if ((o->form == FORM_TEXT && kinds[i] != ARG_TEXT)
        || (o->form == FORM_ENTITY && o->entity->kind != entity_kind_of (kinds[i])))
      bad (s, "wrong kind of argument", s->words[2 + i].text);
  }
}

static void
read_command (struct script *s, struct host_command *c)
{
  switch (c->op) {
  case OP_IMAGE:
    quote (s, 2, 3);
    if (s->count == 3 && strcmp (s->words[2].text, "null") == 0)
      s->words[2].quoted = false;
    read_definition (s, c, HOST_IMAGE, 1, 1);
    break;
  case OP_ASSEMBLY:
    read_definition (s, c, HOST_ASSEMBLY, 1, 1);
    break;
  case OP_CLASS:
    quote (s, 3, 5);
    read_definition (s, c, HOST_CLASS, 3, 4);
    break;
  case OP_METHOD:
  case OP_AOT_METHOD:
    quote (s, 3, 5);
    read_definition (s, c, HOST_METHOD, 2, c->op == OP_METHOD ? 5 : 3);
    break;
  case OP_OBJECTS:
    read_definition (s, c, HOST_POOL, 3, 5);
    break;
  case OP_ARRAY:
    read_variable (s, c, 2);
    read_operands (s, c, 3, 2, MAX_WORDS);
    c->entity = defined (s, s->words[1].text, HOST_ARRAY);
    break;
  case OP_THREAD:
    read_definition (s, c, HOST_THREAD, 0, 0);
    break;
  case OP_ON:
  case OP_START:
  case OP_WAIT:
  case OP_FINISH:
    read_thread (s, c);
    break;
  case OP_REPEAT:
  case OP_PARALLEL:
    read_variable (s, c, 1);
    read_operands (s, c, 2, 1, 1);
    break;
  case OP_FIRE:
    read_fire (s, c);
    break;
  case OP_AWAIT:
  case OP_OPEN_AT_EXIT:
  case OP_PRINT:
  case OP_DIRECTORY:
  case OP_INIT:
    quote (s, 1, 2);
    read_operands (s, c, 1, 1, 1);
    break;
  case OP_REFERENCES:
  case OP_HEAP:
  case OP_STACK:
    read_operands (s, c, 1, 0, MAX_WORDS);
    break;
  case OP_COLLECT:
    read_operands (s, c, 1, 1, 2);
    break;
  case OP_FORGET:
  case OP_SLEEP:
  case OP_CLOCK:
  case OP_WALK:
  case OP_EXIT:
  case OP_EXIT_NOW:
  case OP_KILL:
    read_operands (s, c, 1, 1, 1);
    break;
  default:
    read_operands (s, c, 1, 0, 0);
  }
}

/* Reads commands up to the end of their block, puts them into a list that ends at `link`;
 * returns the list's new end. */
static struct host_command **
read_block (struct script *s, struct host_command **link, bool nested)
{
  while (read_line (s)) {
    if (strcmp (s->words[0].text, "end") == 0) {
      if (!nested)
        bad (s, "there is no block", "end");
      return link;
    }
    struct host_command *c = host_alloc (sizeof *c);
    c->line = s->line;
    while (c->op < HOST_OPS && strcmp (ops[c->op].name, s->words[0].text) != 0)
      c->op++;
    if (c->op == HOST_OPS)
      bad (s, "no such command", s->words[0].text);
    read_command (s, c);
    if (ops[c->op].block)
      read_block (s, &c->body, true);
    *link = c;
    link = &c->next;
  }
  if (nested)
    bad (s, "a block has no", "end");
  return link;
}

struct host_command **
host_read_script (const char *path, struct host_command **end)
{
  struct script s = { .path = path, .file = fopen (path, "re") };
  if (s.file == NULL)
    host_fail ("%s: %s", path, strerror (errno));
  end = read_block (&s, end, false);
  fclose (s.file);
  return end;
}
