#!/bin/sh
# proflog.py: columns are the numbers of the events, in buffers; what is not there is an error; the version is one.
. "${srcdir:-.}/tests/library/lib.sh"
need python3
PROFLOG_LIBRARY=$(find "$(cd "$top_builddir" && pwd)/.libs" -name 'libproflog.so.0')
test -n "$PROFLOG_LIBRARY" || { leave_out SHARED 'the library is static'; exit 77; }
PYTHONPATH=$source_top/python
export PROFLOG_LIBRARY PYTHONPATH
ASAN_OPTIONS=detect_leaks=0
test "${SANITIZER:-no}" = no || { leave_out SANITIZER 'Python does not begin with the library'; exit 77; }

cat >check.py <<'END'
import sys
import proflog

checks = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        sys.exit("FAIL: " + text)


def refused(text, *arguments):
    try:
        proflog.columns(*arguments)
    except proflog.LogError as error:
        check(text in str(error), "%s: the error is %s" % (arguments, error))
    else:
        sys.exit("FAIL: %s: no error" % (arguments,))


for path, kind, fields in ((sys.argv[1], "alloc", ("time", "size", "thread", "vtable")),
                           (sys.argv[2], "run-thread", ("time", "cap", "thread"))):
    kept = {field: [] for field in fields}
    for event in proflog.Log(path):
        if event.kind == kind:
            for field in fields:
                number = event.time if field == "time" else event.get(field)
                kept[field].append((getattr(event, field, None) or 0) if number is None else number)
    columns = proflog.columns(path, kind, *fields)
    check(len(kept["time"]) > 100, "hardly any events")
    for field in fields:
        check(list(columns[field]) == kept[field], "%s of %s differ" % (field, kind))
        check(memoryview(columns[field]).nbytes == 8 * len(kept["time"]), "%s is no buffer" % field)
    refused("there are no events 'nokind'", path, "nokind", "time")
    refused("events '%s' have no 'nofield'" % kind, path, kind, "nofield")
    html = proflog.Log(path)._repr_html_()
    check(html.startswith("<ul>") and html.endswith("</table>") and "duration_ns" in html, html)
refused("; did you mean alloc?", sys.argv[1], "aloc", "time")
refused("'name' of 'metadata-class' is no number", sys.argv[1], "metadata-class", "name")
check(len(proflog.columns(sys.argv[1], "alloc", "size", time_range="1h~2h")["size"]) == 0, "the selection has events")
print(checks, "checks")
END
python3 check.py "$logs/module-alloc.mlpd.gz" "$logs/ghc-blocks-N2.eventlog.gz" || exit 1
# Names in the stub are those of the module.
python3 - "$source_top/python/proflog.pyi" <<'END' || fail 'the stub has other names'
import ast, sys
import proflog
for node in ast.parse(open(sys.argv[1]).read()).body:
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        named = getattr(proflog, node.name)
        for part in getattr(node, "body", []):
            if isinstance(part, ast.FunctionDef):
                getattr(named, part.name)
END
version=$(sed -n 's/^AC_INIT(\[proflog\], \[\(.*\)\])$/\1/p' "$source_top/configure.ac")
grep -q "^version = \"$version\"$" "$source_top/pyproject.toml" || fail 'pyproject.toml has another version'
