#!/bin/sh
# A build with sanitizers really runs the module with them; without, without.
. "${srcdir:-.}/tests/host/host-lib.sh"

# instrumented PREFIX: the loaded module calls this sanitizer's functions.
instrumented () {
  nm -D --undefined-only "$loaded" | grep -q " $1" \
    || fail "$loaded does not use $1: it was built without this sanitizer"
}

begin "the module that is loaded"
record alloc "$scenarios/events.scn"
loaded=$(sed -n 's/^module //p' "$truth")
[ "$loaded" = "$(realpath "$module")" ] || fail "$loaded was loaded instead of $module"
[ "$(grep -cxF "mapped $loaded" "$truth")" = 1 ] || fail "$loaded is not mapped"
check same=alloc

case ${SANITIZER:-no} in
  no)
    ! nm -D --undefined-only "$loaded" | grep ' __[atu]b\?san_' || fail "it is sanitized"
    exit 0
    ;;
esac
for name in $(echo "$SANITIZER" | tr , ' '); do
  case $name in
    address) instrumented __asan_ ;;
    thread) instrumented __tsan_ ;;
    undefined) instrumented __ubsan_ ;;
    *) fail "what is $name?" ;;
  esac
done
