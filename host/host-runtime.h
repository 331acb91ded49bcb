/* host-runtime.h -- the functions of Mono that the fake host exports, by their public signatures.
 *
 * Own declarations: no header of Mono is used here.  All of Mono's types are opaque pointers.
 */
#ifndef HOST_RUNTIME_H
#define HOST_RUNTIME_H

#include "host/host.h"

struct host_handle *mono_profiler_create (void *profiler);
int mono_profiler_enable_allocations (void);
int mono_profiler_enable_clauses (void);
void mono_profiler_set_cleanup_callback (struct host_handle *handle, void *function);
void mono_profiler_set_call_instrumentation_filter_callback (struct host_handle *handle,
                                                             void *function);
#define CALLBACK(name, ...)                                                                        \
  void mono_profiler_set_##name##_callback (struct host_handle *handle, void *function);
#include "host/callbacks.def"

char *mono_method_full_name (void *method, int signature);
uint32_t mono_method_get_flags (void *method, uint32_t *kind);
void *mono_method_get_header (void *method);
const unsigned char *mono_method_header_get_code (void *header, uint32_t *size,
                                                  uint32_t *max_stack);
void mono_metadata_free_mh (void *header);
const char *mono_method_get_name (void *method);
void *mono_method_get_class (void *method);
uint32_t mono_method_get_token (void *method);
int mono_image_is_dynamic (void *image);

void *mono_class_get_type (void *klass);
char *mono_type_get_name (void *type);
const char *mono_class_get_name (void *klass);
const char *mono_class_get_namespace (void *klass);
void *mono_class_get_nesting_type (void *klass);
void *mono_class_get_image (void *klass);
int mono_class_get_rank (void *klass);
int32_t mono_class_instance_size (void *klass);
int32_t mono_array_element_size (void *klass);

const char *mono_image_get_filename (void *image);
const char *mono_image_get_name (void *image);
const char *mono_image_get_guid (void *image);
void *mono_assembly_get_main (void);
void *mono_assembly_get_image (void *assembly);
void *mono_assembly_get_name (void *assembly);
char *mono_stringify_assembly_name (void *assembly_name);

void *mono_get_root_domain (void);
void *mono_domain_get (void);
void *mono_get_string_class (void);
int32_t mono_domain_get_id (void *domain);
int32_t mono_context_get_id (void *context);
int32_t mono_context_get_domain_id (void *context);

void mono_free (void *memory);

void *mono_object_get_class (void *object);
unsigned mono_object_get_size (void *object);
void *mono_object_get_vtable (void *object);
void *mono_vtable_class (void *vtable);
void *mono_vtable_domain (void *vtable);

void mono_stack_walk_no_il (host_walk_stack function, void *data);

int mono_gc_walk_heap (int flags, host_walk_heap function, void *data);
void mono_gc_collect (int generation);
void mono_gc_finalize_notify (void);
int mono_gc_max_generation (void);
int mono_gc_get_generation (void *object);
const char *mono_config_get_cpu (void);
int mono_profiler_enable_sampling (struct host_handle *handle);
int mono_profiler_set_sample_mode (struct host_handle *handle, int mode, uint32_t frequency);
void mono_stack_walk_async_safe (void *function, void *context, void *data);
void *mono_jit_info_table_find (void *domain, void *code);
int mono_debug_enabled (void);
void *mono_debug_lookup_source_location (void *method, uint32_t address, void *domain);
void mono_debug_free_source_location (void *location);
int mono_threads_attach_tools_thread (void);
void mono_counters_foreach (void *function, void *data);
int mono_counters_sample (void *counter, void *buffer, int size);
const char *mono_counter_get_name (void *counter);
int mono_counter_get_section (void *counter);
int mono_counter_get_type (void *counter);
int mono_counter_get_unit (void *counter);
int mono_counter_get_variance (void *counter);
const char *mono_config_get_os (void);
char *mono_get_runtime_build_info (void);
int64_t mono_gc_get_heap_size (void);
int64_t mono_gc_get_used_size (void);

void *mono_jit_info_get_code_start (void *jit_info);
int mono_jit_info_get_code_size (void *jit_info);
void *mono_jit_info_get_method (void *jit_info);

/* The number of strings that the module got and did not free. */
long host_strings_in_use (void);

#endif
