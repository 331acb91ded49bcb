#!/bin/sh
# What the module uses of the runtime is there: in the fake host, in the real program and libraries of Mono; and
# the host's list of callbacks is that of Mono's header.
. "${srcdir:-.}/tests/host/host-lib.sh"

begin "no function of Mono is bound by the linker: the library may be opened with RTLD_LOCAL"
! nm -D --undefined-only "$module" | grep ' mono_' || fail "some are"

sed -n 's/^IMPORT (\(.*\))$/\1/p' "${srcdir:-.}/agent/mono-imports.def" | sort >"$work/imports"
[ "$(wc -l <"$work/imports")" -ge 20 ] || fail "the module uses hardly anything of Mono"
grep -qx mono_profiler_create "$work/imports" || fail "the module does not use the profiler API"

# exported_by FILE: every import is defined there.
exported_by () {
  begin "exported by $1"
  nm -D --defined-only "$1" | awk '{ print $3 }' | sort >"$work/exports"
  missing=$(comm -23 "$work/imports" "$work/exports")
  [ -z "$missing" ] || fail "missing: $missing"
}
exported_by "$host"
# Those that the host has none of, too.
sed -n 's/^IMPORT_OPTIONAL (\(.*\))$/\1/p' "${srcdir:-.}/agent/mono-imports.def" >>"$work/imports"
sort -o "$work/imports" "$work/imports"
[ -z "${MONO:-}" ] || exported_by "$(realpath "$MONO")"
for library in /usr/lib/libmonosgen-2.0.so.1 /usr/lib/libmonoboehm-2.0.so.1; do
  [ ! -f $library ] || exported_by $library
done

sed -n 's/^IMPORT (\(.*\))$/\1/p' "${srcdir:-.}/agent/boehm-imports.def" | sort >"$work/imports"
[ ! -f /usr/lib/libmonoboehm-2.0.so.1 ] || exported_by /usr/lib/libmonoboehm-2.0.so.1

begin "the module exports its init function, what programs may call, and what attach calls"
exports=$(nm -D --defined-only "$module" | awk '$2 == "T" { print $3 }' \
  | grep -v '^__\(a\|t\|ub\|l\)san_\|^_init$\|^_fini$' | tr '\n' ' ')
[ "$exports" = "mono_profiler_init_proflog proflog_attach_start proflog_control proflog_span_begin proflog_span_begin_in proflog_span_calls proflog_span_end proflog_span_enter proflog_span_leave proflog_span_name " ] || fail "exports: $exports"

begin "the module does not link a runtime"
! readelf -d "$module" | grep 'NEEDED.*\(mono\|glib\)' || fail "it does"

begin "the callbacks of Mono's header"
header=
for flag in ${MONO_CFLAGS:-}; do
  case $flag in
    -I*) [ ! -f "${flag#-I}/mono/metadata/profiler-events.h" ] \
      || header=${flag#-I}/mono/metadata/profiler-events.h ;;
  esac
done
[ -n "$header" ] || { leave_out libmono-2.0-dev "is not installed, which has Mono's header"; exit 77; }
# "name KIND KIND ..." of each callback, on both sides.
sed -n 's/^CALLBACK (\(.*\))$/\1/p' "${srcdir:-.}/host/callbacks.def" \
  | tr -d , | sed 's/ ARG_END//' >"$work/ours"
awk '
  BEGIN {
    split ("MonoImage* IMAGE MonoAssembly* ASSEMBLY MonoClass* CLASS MonoMethod* METHOD " \
           "MonoJitInfo* JIT_INFO MonoObject* OBJECT constchar* TEXT uintptr_t WORD " \
           "uint64_t U64 uint32_t U32 mono_bool U32 MonoProfilerCodeBufferType U32 " \
           "MonoExceptionEnum U32 MonoProfilerGCEvent U32 MonoGCHandleType U32 " \
           "MonoGCRootSource U32 MonoObject*const* ARRAY constmono_byte*const* ARRAY " \
           "MonoAppContext* POINTER MonoDomain* POINTER MonoVTable* POINTER " \
           "constmono_byte* POINTER constvoid* POINTER MonoProfilerCallContext* POINTER", words, " ")
    for (i = 1; i in words; i += 2)
      kind[words[i]] = words[i + 1]
  }
  /^MONO_PROFILER_EVENT_[0-9]\(/ {
    sub (/^[^(]*\(/, "")
    sub (/\)$/, "")
    n = split ($0, part, /, */)
    line = part[1]
    for (i = 3; i < n; i += 2) {
      gsub (/ /, "", part[i])
      line = line " ARG_" (part[i] in kind ? kind[part[i]] : "?" part[i])
    }
    print line
  }' "$header" >"$work/theirs"
[ "$(wc -l <"$work/theirs")" -ge 50 ] || fail "the header was not understood"
diff "$work/theirs" "$work/ours" || fail "callbacks.def differs"
