/* dump-names.c -- names of values and of addresses, as the log has announced them so far. */
#include "config.h"

#include "decoder/views/mlpd/dump-names.h"

static const char *
name_among (const struct symbols *symbols, enum mlpd_unit unit, uint64_t value)
{
  switch (unit) {
  case MLPD_UNIT_CLASS:
    return symbols_current_name (symbols, SYMBOL_CLASS, value);
  case MLPD_UNIT_IMAGE:
    return symbols_current_name (symbols, SYMBOL_IMAGE, value);
  case MLPD_UNIT_METHOD:
    return symbols_current_name (symbols, SYMBOL_METHOD, value);
  case MLPD_UNIT_VTABLE:
    return symbols_current_vtable_class (symbols, value);
  default:
    return mlpd_value_name (unit, value);
  }
}

bool
dump_has_names (enum mlpd_unit unit)
{
  return unit == MLPD_UNIT_CLASS || unit == MLPD_UNIT_IMAGE || unit == MLPD_UNIT_METHOD
         || unit == MLPD_UNIT_VTABLE || mlpd_unit_has_names (unit);
}

const char *
dump_name (const struct dump_names *n, enum mlpd_unit unit, uint64_t value)
{
  const char *name = name_among (&n->symbols, unit, value);
  return name != NULL || n->later == NULL ? name : name_among (n->later, unit, value);
}

void
dump_announce_name (struct symbols *symbols, enum mlpd_kind kind, const union mlpd_payload *p)
{
  if (kind == MLPD_METADATA_CLASS)
    symbols_announce (symbols, SYMBOL_CLASS, p->metadata_class.klass, p->metadata_class.name);
  else if (kind == MLPD_METADATA_IMAGE)
    symbols_announce (symbols, SYMBOL_IMAGE, p->metadata_image.image, p->metadata_image.name);
  else if (kind == MLPD_METADATA_VTABLE)
    symbols_announce_vtable (symbols, p->metadata_vtable.vtable,
                             symbols_use (symbols, SYMBOL_CLASS, p->metadata_vtable.klass));
  else if (kind == MLPD_METHOD_JIT)
    symbols_announce (symbols, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name);
}

void
dump_store_name (struct dump_names *n, const struct mlpd_item *item)
{
  if (item->type == MLPD_ITEM_EVENT)
    dump_announce_name (&n->symbols, item->kind, item->payload);
}
