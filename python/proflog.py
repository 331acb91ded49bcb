"""proflog.py -- logs of Mono (.mlpd) and GHC (.eventlog), through libproflog and ctypes: nothing is compiled.

    import proflog
    sizes = proflog.columns("app.mlpd", "alloc", "time", "size")["size"]    # numpy.frombuffer (sizes, "u8")
    report = proflog.Log("app.eventlog", time_range="1s~2s").report("gc")

PROFLOG_LIBRARY names the library, if it is not where the system searches it.
docs/mlpd-events.md and docs/ghc-events.md list the kinds of events and their fields.
"""

import array
import ctypes
import html
import json
import os

HEAP_ROOTS, HEAP_UNREACHED = 0xfffffffe, 0xffffffff
_EVENT, _ERROR = 0, 3
_pointer, _text, _size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_number = ctypes.POINTER(ctypes.c_uint64)


class _Error(ctypes.Structure):
    """The beginning of a GError."""
    _fields_ = [("domain", ctypes.c_uint32), ("code", ctypes.c_int), ("message", _text)]


class _Heap(ctypes.Structure):
    """struct proflog_heap"""
    _fields_ = [("objects", ctypes.c_uint32)] + [
        (name, ctypes.POINTER(kind)) for name, kind in (
            ("addresses", ctypes.c_uint64), ("bytes", ctypes.c_uint64), ("retained", ctypes.c_uint64),
            ("dominators", ctypes.c_uint32), ("classes", ctypes.c_uint32), ("first", ctypes.c_uint32),
            ("targets", ctypes.c_uint32))]


_errors = ctypes.POINTER(ctypes.POINTER(_Error))


def _find():
    """The library of the package for pip, which has those beside it that it needs, or the system's."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "proflog_libraries")
    if "PROFLOG_LIBRARY" in os.environ or not os.path.isdir(folder):
        return ctypes.CDLL(os.environ.get("PROFLOG_LIBRARY", "libproflog.so.0"))
    with open(os.path.join(folder, "order"), encoding="ascii") as order:
        return [ctypes.CDLL(os.path.join(folder, name), ctypes.RTLD_GLOBAL) for name in order.read().split()][-1]


def _load():
    library = _find()
    for name, result, arguments in (
        ("log_open", _pointer, [_text, _errors]),
        ("log_close", None, [_pointer]),
        ("log_select", ctypes.c_bool, [_pointer, _text, _text, _errors]),
        ("log_next", ctypes.c_int, [_pointer]),
        ("log_error", ctypes.POINTER(_Error), [_pointer]),
        ("log_kind", _text, [_pointer]),
        ("log_damage", _text, [_pointer]),
        ("log_time", ctypes.c_bool, [_pointer, _number]),
        ("log_thread", ctypes.c_bool, [_pointer, _number]),
        ("log_cap", ctypes.c_bool, [_pointer, ctypes.POINTER(ctypes.c_uint)]),
        ("log_number", ctypes.c_bool, [_pointer, _text, _number]),
        ("log_text", _text, [_pointer, _text]),
        ("log_name", _text, [_pointer, _text]),
        ("log_list", _number, [_pointer, _text, ctypes.POINTER(_size)]),
        ("log_columns", ctypes.c_bool, [_pointer, _text, _size, ctypes.POINTER(_text), _pointer, _size,
                                        ctypes.POINTER(_size), _errors]),
        ("log_method", _text, [_pointer, ctypes.c_uint64]),
        ("log_report", _pointer, [_pointer, _text, _errors]),
        ("report_json", _text, [_pointer]),
        ("report_free", None, [_pointer]),
        ("log_heap", ctypes.POINTER(_Heap), [_pointer, ctypes.c_uint, _errors]),
        ("heap_class", _text, [ctypes.POINTER(_Heap), ctypes.c_uint32]),
        ("heap_free", None, [ctypes.POINTER(_Heap)]),
    ):
        function = getattr(library, "proflog_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


class LogError(ValueError):
    """A log that cannot be read, or a selection or section that there is not."""


def _decode(text):
    return None if text is None else text.decode("utf-8", "replace")


def _checked(function, *arguments):
    """The result of the function, whose error is raised."""
    error = ctypes.POINTER(_Error)()
    result = function(*arguments, ctypes.byref(error))
    if not result:
        raise LogError(_decode(error.contents.message) if error else "no result")
    return result


class Event:
    """The event that a log is at, valid until the next one."""

    def __init__(self, log):
        self._log = log
        self.kind = _decode(_library.proflog_log_kind(log))
        self.damage = _decode(_library.proflog_log_damage(log)) if self.kind is None else None

    def _get(self, function, number):
        return number.value if function(self._log, ctypes.byref(number)) else None

    @property
    def time(self):
        """In ns, on the log's own clock."""
        return self._get(_library.proflog_log_time, ctypes.c_uint64())

    @property
    def thread(self):
        return self._get(_library.proflog_log_thread, ctypes.c_uint64())

    @property
    def cap(self):
        return self._get(_library.proflog_log_cap, ctypes.c_uint())

    def get(self, field):
        """The number, text or list of a field; None if the event has none of this name."""
        name, number, count = field.encode(), ctypes.c_uint64(), _size()
        if _library.proflog_log_number(self._log, name, ctypes.byref(number)):
            return number.value
        items = _library.proflog_log_list(self._log, name, ctypes.byref(count))
        if items:
            return items[:count.value]
        return _decode(_library.proflog_log_text(self._log, name))

    def name(self, field):
        """The name of a field's number: of a class, a method, a value; None: unknown."""
        return _decode(_library.proflog_log_name(self._log, field.encode()))

    def method(self, number):
        """The name of a method in a list; None: unknown."""
        return _decode(_library.proflog_log_method(self._log, number))


class Log:
    """A log, or a selection of it: thread, time_range, filter, exclude, min_bytes, cap, as on the command line."""

    def __init__(self, path, **selection):
        self._log = _checked(_library.proflog_log_open, os.fsencode(path))
        for option, value in selection.items():
            _checked(_library.proflog_log_select, self._log, option.replace("_", "-").encode(), str(value).encode())

    def __del__(self):
        if getattr(self, "_log", None):
            _library.proflog_log_close(self._log)

    def __iter__(self):
        """Each event, in the order of the file; damage is an event without a kind."""
        while (result := _library.proflog_log_next(self._log)) == _EVENT:
            yield Event(self._log)
        if result == _ERROR:
            raise LogError(_decode(_library.proflog_log_error(self._log).contents.message))

    def report(self, sections=None):
        """The report as a dictionary, as of `proflog report --format json`."""
        report = _checked(_library.proflog_log_report, self._log, sections.encode() if sections else None)
        try:
            return json.loads(_library.proflog_report_json(report).decode())
        finally:
            _library.proflog_report_free(report)

    def _repr_html_(self):
        """Its page without scripts, for notebooks: the findings and the usual sections as tables."""
        sections = self.report()
        rows = [("<tr><td>%s</td><td>%s</td></tr>" % (html.escape(str(key)), html.escape(str(value))))
                for key, value in sections.get("log", {}).items() if not isinstance(value, (list, dict))]
        findings = "".join("<li>%s</li>" % html.escape(f["text"]) for f in sections.get("findings") or [])
        return "<ul>%s</ul><table>%s</table>" % (findings, "".join(rows))

    def heap(self, snapshot=0):
        """The objects of a heap snapshot: a dictionary each, in order of addresses.  References and dominator are
        their places, or the latter HEAP_ROOTS or HEAP_UNREACHED."""
        heap = _checked(_library.proflog_log_heap, self._log, snapshot)
        try:
            o = heap.contents
            return [{"address": o.addresses[i], "bytes": o.bytes[i], "retained": o.retained[i],
                     "dominator": o.dominators[i],
                     "class": _decode(_library.proflog_heap_class(heap, o.classes[i])),
                     "references": o.targets[o.first[i]:o.first[i + 1]]} for i in range(o.objects)]
        finally:
            _library.proflog_heap_free(heap)


def columns(path, kind, *fields, **selection):
    """Numbers of all events of a kind: an array.array("Q") for each field, which numpy.frombuffer and
    pyarrow.py_buffer take without a copy.  A field may be "time" (ns), "thread" or "cap"; what an event has not is
    0.  LogError: there is no such kind or field, or the field is a text or a list, which events of a Log have."""
    log, rows = Log(path, **selection), 1 << 16
    names = (_text * len(fields))(*(field.encode() for field in fields))
    table, read = {field: array.array("Q") for field in fields}, _size(rows)
    parts = [(ctypes.c_uint64 * rows)() for _ in fields]
    to = (_pointer * len(fields))(*(ctypes.addressof(part) for part in parts))
    while read.value == rows:
        _checked(_library.proflog_log_columns, log._log, kind.encode(), len(fields), names, to, rows, ctypes.byref(read))
        for column, part in zip(table.values(), parts):
            column.frombytes(memoryview(part).cast("B")[:read.value * column.itemsize])
    return table
