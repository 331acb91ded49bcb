/* host-script.h -- a scenario, read into commands; host-commands.def lists them. */
#ifndef TESTS_HOST_SCRIPT_H
#define TESTS_HOST_SCRIPT_H

#include "tests/host/test-host.h"

/* A sum of products of numbers and variables: 0x1000+$i*24+8 */
struct host_expression {
  struct host_term {
    bool minus;
    uint64_t factor;
    unsigned variables[2];
    size_t variable_count;
  } terms[4];
  size_t count;
};

struct host_operand {
  enum host_form {
    FORM_NUMBER, /* number */
    FORM_ENTITY, /* entity; of a pool the object `number`, or all if there is no number */
    FORM_SELF,   /* the id of the thread */
    FORM_TEXT,   /* text */
  } form;
  struct host_expression number;
  struct host_entity *entity;
  const char *text;
};

enum host_op {
#define COMMAND(ID, name, arguments, doc) OP_##ID,
#include "tests/host/host-commands.def"
  HOST_OPS
};

struct host_command {
  enum host_op op;
  int line;
  enum host_callback callback; /* fire */
  struct host_entity *entity;  /* the entity of a definition, the thread of a block */
  unsigned variable;           /* of repeat, parallel, array */
  struct host_operand *operands;
  size_t count;
  struct host_command *body;
  struct host_command *next;
};

/* Values of the variables of this thread are put in. */
uint64_t host_evaluate (const struct host_expression *expression);

/* The argument of a callback for an operand. */
uint64_t host_value (const struct host_operand *operand, enum host_arg kind);

#endif
