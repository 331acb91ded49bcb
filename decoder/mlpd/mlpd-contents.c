/* mlpd-contents.c -- reads the contents of strings and collections, value by value. */
#include "config.h"

#include "decoder/mlpd/mlpd-contents.h"

bool
mlpd_are_contents (const struct mlpd_counter_values *values)
{
  return values->count != 0 && values->items[0].index >= MLPD_CONTENTS_INDEX
         && values->items[0].index <= MLPD_CONTENTS_COLLECTIONS_INDEX;
}

/* The kind of statement that the value completes. */
static enum mlpd_contents_kind
read_value (const struct mlpd_counter_value *v, struct mlpd_contents *c)
{
  switch (v->index) {
  case MLPD_CONTENTS_INDEX:
    c->object += v->number * MLPD_CONTENTS_STEP; /* modulo 2^64, as it may be negative */
    c->count = c->element = 0;
    return MLPD_CONTENTS_NONE;
  case MLPD_CONTENTS_TEXT_ID_INDEX:
    c->id = v->number;
    return MLPD_CONTENTS_STRING;
  case MLPD_CONTENTS_LENGTH_INDEX:
    c->number = v->number;
    return MLPD_CONTENTS_NONE;
  case MLPD_CONTENTS_TEXT_INDEX:
    c->text = v->text;
    return v->text.text != NULL ? MLPD_CONTENTS_TEXT : MLPD_CONTENTS_NONE;
  case MLPD_CONTENTS_COUNT_INDEX:
    c->count = v->number;
    return MLPD_CONTENTS_NONE;
  case MLPD_CONTENTS_ELEMENT_INDEX:
    c->element = v->number;
    return MLPD_CONTENTS_NONE;
  }
  c->number = v->number;
  switch (v->index) {
  case MLPD_CONTENTS_CAPACITY_INDEX:
    return MLPD_CONTENTS_COLLECTION;
  case MLPD_CONTENTS_STATE_INDEX:
    return MLPD_CONTENTS_STATE;
  case MLPD_CONTENTS_STRINGS_INDEX:
    return MLPD_CONTENTS_STRINGS;
  case MLPD_CONTENTS_TEXTS_INDEX:
    return MLPD_CONTENTS_TEXTS;
  case MLPD_CONTENTS_UNREAD_INDEX:
    return MLPD_CONTENTS_UNREAD;
  case MLPD_CONTENTS_COLLECTIONS_INDEX:
    return MLPD_CONTENTS_COLLECTIONS;
  }
  return MLPD_CONTENTS_NONE;
}

bool
mlpd_contents_next (const struct mlpd_counter_values *values, struct mlpd_contents *c)
{
  c->kind = MLPD_CONTENTS_NONE;
  while (c->kind == MLPD_CONTENTS_NONE && c->at < values->count)
    c->kind = read_value (&values->items[c->at++], c);
  return c->kind != MLPD_CONTENTS_NONE;
}
