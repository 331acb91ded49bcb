/* mono-imports.h -- the functions of the runtime, as the runtime's own library has them.
 *
 * Hosts open that library with or without RTLD_GLOBAL.  Without it the linker finds none of its
 * functions for another library, and would not load the module at all.  So the module has a pointer
 * to each, and searches them itself.  After this header their names are these pointers: no header
 * of Mono that declares one of them may follow.
 */
#ifndef PROFILER_MONO_IMPORTS_H
#define PROFILER_MONO_IMPORTS_H

#include <mono/jit/jit.h>
#include <mono/metadata/appdomain.h>
#include <mono/metadata/assembly.h>
#include <mono/metadata/attrdefs.h>
#include <mono/metadata/class.h>
#include <mono/metadata/debug-helpers.h>
#include <mono/metadata/image.h>
#include <mono/metadata/loader.h>
#include <mono/metadata/metadata.h>
#include <mono/metadata/mono-config.h>
#include <mono/metadata/mono-debug.h>
#include <mono/metadata/mono-gc.h>
#include <mono/metadata/object.h>
#include <mono/metadata/opcodes.h>
#include <mono/metadata/profiler.h>
#include <mono/metadata/threads.h>
#include <mono/utils/mono-counters.h>
#include <stdbool.h>
#include <stddef.h>

/* Exported, but in no header: the description of a thread, its hazard pointers, its number. */
extern void *mono_thread_info_current_unchecked (void);
extern int mono_thread_info_get_small_id (void);
extern void **mono_hazard_pointer_get (void);

/* Likewise: begins and ends a part of native code in which the thread is as in managed code.
 * `stack` is where the thread's stack ends for the runtime. */
extern void *mono_threads_enter_gc_unsafe_region (void **stack);
extern void mono_threads_exit_gc_unsafe_region (void *state, void **stack);

/* Likewise: the memory of the static fields of a class. */
extern void *mono_vtable_get_static_field_data (MonoVTable *vtable);

extern struct mono_imports {
#define IMPORT(name) __typeof__ (name) *name;
#define IMPORT_OPTIONAL(name) IMPORT (name) /* NULL: the runtime has none */
#include "agent/mono-imports.def"
} imports;

/* Finds the functions in the library that has the code at `caller`, or else in the first one that
 * has Mono's profiler interface; NULL: in that.  Before anything else, once; it may take the lock
 * of the loader.  False with a message in `why` that names the missing function or library. */
bool imports_bind (const void *caller, char *why, size_t size);

/* Another function or variable of that library; NULL: it has none of this name.  It takes the lock
 * of the loader. */
void *imports_find (const char *name);

#define mono_add_internal_call imports.mono_add_internal_call
#define mono_array_element_size imports.mono_array_element_size
#define mono_assembly_get_image imports.mono_assembly_get_image
#define mono_assembly_get_main imports.mono_assembly_get_main
#define mono_assembly_get_name imports.mono_assembly_get_name
#define mono_class_get_image imports.mono_class_get_image
#define mono_class_get_name imports.mono_class_get_name
#define mono_class_get_namespace imports.mono_class_get_namespace
#define mono_class_get_nesting_type imports.mono_class_get_nesting_type
#define mono_class_get_rank imports.mono_class_get_rank
#define mono_class_get_type imports.mono_class_get_type
#define mono_class_instance_size imports.mono_class_instance_size
#define mono_config_get_cpu imports.mono_config_get_cpu
#define mono_config_get_os imports.mono_config_get_os
#define mono_context_get_domain_id imports.mono_context_get_domain_id
#define mono_context_get_id imports.mono_context_get_id
#define mono_counter_get_name imports.mono_counter_get_name
#define mono_counter_get_section imports.mono_counter_get_section
#define mono_counter_get_type imports.mono_counter_get_type
#define mono_counter_get_unit imports.mono_counter_get_unit
#define mono_counter_get_variance imports.mono_counter_get_variance
#define mono_counters_foreach imports.mono_counters_foreach
#define mono_counters_sample imports.mono_counters_sample
#define mono_dangerous_add_raw_internal_call imports.mono_dangerous_add_raw_internal_call
#define mono_debug_enabled imports.mono_debug_enabled
#define mono_debug_find_method imports.mono_debug_find_method
#define mono_debug_free_method_jit_info imports.mono_debug_free_method_jit_info
#define mono_debug_free_source_location imports.mono_debug_free_source_location
#define mono_debug_lookup_source_location imports.mono_debug_lookup_source_location
#define mono_domain_get imports.mono_domain_get
#define mono_domain_get_id imports.mono_domain_get_id
#define mono_free imports.mono_free
#define mono_gc_collect imports.mono_gc_collect
#define mono_gc_finalize_notify imports.mono_gc_finalize_notify
#define mono_gc_get_generation imports.mono_gc_get_generation
#define mono_gc_get_heap_size imports.mono_gc_get_heap_size
#define mono_gc_get_used_size imports.mono_gc_get_used_size
#define mono_gc_max_generation imports.mono_gc_max_generation
#define mono_gc_walk_heap imports.mono_gc_walk_heap
#define mono_get_root_domain imports.mono_get_root_domain
#define mono_get_runtime_build_info imports.mono_get_runtime_build_info
#define mono_get_string_class imports.mono_get_string_class
#define mono_image_get_filename imports.mono_image_get_filename
#define mono_image_get_name imports.mono_image_get_name
#define mono_image_loaded imports.mono_image_loaded
#define mono_image_is_dynamic imports.mono_image_is_dynamic
#define mono_jit_info_get_code_size imports.mono_jit_info_get_code_size
#define mono_jit_info_get_code_start imports.mono_jit_info_get_code_start
#define mono_jit_info_get_method imports.mono_jit_info_get_method
#define mono_jit_info_table_find imports.mono_jit_info_table_find
#define mono_metadata_free_mh imports.mono_metadata_free_mh
#define mono_method_full_name imports.mono_method_full_name
#define mono_method_get_class imports.mono_method_get_class
#define mono_method_get_flags imports.mono_method_get_flags
#define mono_method_get_header imports.mono_method_get_header
#define mono_method_get_name imports.mono_method_get_name
#define mono_method_get_token imports.mono_method_get_token
#define mono_method_header_get_code imports.mono_method_header_get_code
#define mono_monitor_exit imports.mono_monitor_exit
#define mono_monitor_try_enter imports.mono_monitor_try_enter
#define mono_object_get_class imports.mono_object_get_class
#define mono_object_get_size imports.mono_object_get_size
#define mono_object_get_vtable imports.mono_object_get_vtable
#define mono_profiler_create imports.mono_profiler_create
#define mono_profiler_enable_allocations imports.mono_profiler_enable_allocations
#define mono_profiler_enable_clauses imports.mono_profiler_enable_clauses
#define mono_profiler_enable_sampling imports.mono_profiler_enable_sampling
#define mono_profiler_set_assembly_loaded_callback                                                 \
  imports.mono_profiler_set_assembly_loaded_callback
#define mono_profiler_set_call_instrumentation_filter_callback                                     \
  imports.mono_profiler_set_call_instrumentation_filter_callback
#define mono_profiler_set_class_failed_callback imports.mono_profiler_set_class_failed_callback
#define mono_profiler_set_class_loaded_callback imports.mono_profiler_set_class_loaded_callback
#define mono_profiler_set_context_loaded_callback imports.mono_profiler_set_context_loaded_callback
#define mono_profiler_set_context_unloaded_callback                                                \
  imports.mono_profiler_set_context_unloaded_callback
#define mono_profiler_set_domain_loaded_callback imports.mono_profiler_set_domain_loaded_callback
#define mono_profiler_set_domain_name_callback imports.mono_profiler_set_domain_name_callback
#define mono_profiler_set_domain_unloaded_callback                                                 \
  imports.mono_profiler_set_domain_unloaded_callback
#define mono_profiler_set_domain_unloading_callback                                                \
  imports.mono_profiler_set_domain_unloading_callback
#define mono_profiler_set_exception_clause_callback                                                \
  imports.mono_profiler_set_exception_clause_callback
#define mono_profiler_set_exception_throw_callback                                                 \
  imports.mono_profiler_set_exception_throw_callback
#define mono_profiler_set_gc_allocation_callback imports.mono_profiler_set_gc_allocation_callback
#define mono_profiler_set_gc_event_callback imports.mono_profiler_set_gc_event_callback
#define mono_profiler_set_gc_finalized_callback imports.mono_profiler_set_gc_finalized_callback
#define mono_profiler_set_gc_finalized_object_callback                                             \
  imports.mono_profiler_set_gc_finalized_object_callback
#define mono_profiler_set_gc_finalizing_callback imports.mono_profiler_set_gc_finalizing_callback
#define mono_profiler_set_gc_finalizing_object_callback                                            \
  imports.mono_profiler_set_gc_finalizing_object_callback
#define mono_profiler_set_gc_handle_created_callback                                               \
  imports.mono_profiler_set_gc_handle_created_callback
#define mono_profiler_set_gc_handle_deleted_callback                                               \
  imports.mono_profiler_set_gc_handle_deleted_callback
#define mono_profiler_set_gc_moves_callback imports.mono_profiler_set_gc_moves_callback
#define mono_profiler_set_gc_resize_callback imports.mono_profiler_set_gc_resize_callback
#define mono_profiler_set_gc_root_register_callback                                                \
  imports.mono_profiler_set_gc_root_register_callback
#define mono_profiler_set_gc_root_unregister_callback                                              \
  imports.mono_profiler_set_gc_root_unregister_callback
#define mono_profiler_set_gc_roots_callback imports.mono_profiler_set_gc_roots_callback
#define mono_profiler_set_image_failed_callback imports.mono_profiler_set_image_failed_callback
#define mono_profiler_set_image_loaded_callback imports.mono_profiler_set_image_loaded_callback
#define mono_profiler_set_image_unloading_callback                                                 \
  imports.mono_profiler_set_image_unloading_callback
#define mono_profiler_set_jit_code_buffer_callback                                                 \
  imports.mono_profiler_set_jit_code_buffer_callback
#define mono_profiler_set_jit_done_callback imports.mono_profiler_set_jit_done_callback
#define mono_profiler_set_method_enter_callback imports.mono_profiler_set_method_enter_callback
#define mono_profiler_set_method_exception_leave_callback                                          \
  imports.mono_profiler_set_method_exception_leave_callback
#define mono_profiler_set_method_free_callback imports.mono_profiler_set_method_free_callback
#define mono_profiler_set_method_leave_callback imports.mono_profiler_set_method_leave_callback
#define mono_profiler_set_method_tail_call_callback                                                \
  imports.mono_profiler_set_method_tail_call_callback
#define mono_profiler_set_monitor_acquired_callback                                                \
  imports.mono_profiler_set_monitor_acquired_callback
#define mono_profiler_set_monitor_contention_callback                                              \
  imports.mono_profiler_set_monitor_contention_callback
#define mono_profiler_set_monitor_failed_callback imports.mono_profiler_set_monitor_failed_callback
#define mono_profiler_set_runtime_initialized_callback                                             \
  imports.mono_profiler_set_runtime_initialized_callback
#define mono_profiler_set_runtime_shutdown_begin_callback                                          \
  imports.mono_profiler_set_runtime_shutdown_begin_callback
#define mono_profiler_set_runtime_shutdown_end_callback                                            \
  imports.mono_profiler_set_runtime_shutdown_end_callback
#define mono_profiler_set_sample_hit_callback imports.mono_profiler_set_sample_hit_callback
#define mono_profiler_set_thread_name_callback imports.mono_profiler_set_thread_name_callback
#define mono_profiler_set_thread_started_callback imports.mono_profiler_set_thread_started_callback
#define mono_profiler_set_thread_stopped_callback imports.mono_profiler_set_thread_stopped_callback
#define mono_profiler_set_vtable_loaded_callback imports.mono_profiler_set_vtable_loaded_callback
#define mono_runtime_is_shutting_down imports.mono_runtime_is_shutting_down
#define mono_stack_walk_async_safe imports.mono_stack_walk_async_safe
#define mono_stack_walk_no_il imports.mono_stack_walk_no_il
#define mono_string_empty imports.mono_string_empty
#define mono_stringify_assembly_name imports.mono_stringify_assembly_name
#define mono_threads_attach_tools_thread imports.mono_threads_attach_tools_thread
#define mono_type_get_name imports.mono_type_get_name
#define mono_vtable_class imports.mono_vtable_class
#define mono_vtable_domain imports.mono_vtable_domain
#define mono_class_from_mono_type imports.mono_class_from_mono_type
#define mono_class_from_name imports.mono_class_from_name
#define mono_class_get_element_class imports.mono_class_get_element_class
#define mono_class_get_fields imports.mono_class_get_fields
#define mono_class_get_parent imports.mono_class_get_parent
#define mono_class_is_valuetype imports.mono_class_is_valuetype
#define mono_field_get_flags imports.mono_field_get_flags
#define mono_field_get_name imports.mono_field_get_name
#define mono_field_get_offset imports.mono_field_get_offset
#define mono_field_get_type imports.mono_field_get_type
#define mono_type_is_reference imports.mono_type_is_reference
#define mono_type_is_struct imports.mono_type_is_struct
#define mono_vtable_get_static_field_data imports.mono_vtable_get_static_field_data
#define mono_threads_enter_gc_unsafe_region imports.mono_threads_enter_gc_unsafe_region
#define mono_threads_exit_gc_unsafe_region imports.mono_threads_exit_gc_unsafe_region
#define mono_hazard_pointer_get imports.mono_hazard_pointer_get
#define mono_thread_info_current_unchecked imports.mono_thread_info_current_unchecked
#define mono_thread_info_get_small_id imports.mono_thread_info_get_small_id

#endif
