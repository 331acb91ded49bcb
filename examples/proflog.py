"""proflog.py -- the events of a Mono log (.mlpd), through libproflog and ctypes: nothing is compiled.

    import proflog
    sizes = proflog.columns("app.mlpd", "alloc", "time", "size")["size"]

PROFLOG_LIBRARY names the library, if it is not where the system searches it.
docs/mlpd-events.md lists the kinds of events and their fields.
"""

import ctypes
import gzip
import os

EVENT, NEED_MORE, END, ERROR = range(4)
_CHUNK = 1 << 16


def _load():
    library = ctypes.CDLL(os.environ.get("PROFLOG_LIBRARY", "libproflog.so.0"))
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in (
        ("mlpd_reader_new", pointer, []),
        ("mlpd_reader_free", None, [pointer]),
        ("mlpd_reader_push", None, [pointer, text, ctypes.c_size_t]),
        ("mlpd_reader_finish", None, [pointer]),
        ("mlpd_reader_next", ctypes.c_int, [pointer, ctypes.POINTER(pointer)]),
        ("mlpd_item_kind", text, [pointer]),
        ("mlpd_item_number", ctypes.c_bool, [pointer, text, ctypes.POINTER(ctypes.c_uint64)]),
        ("mlpd_item_text", text, [pointer, text]),
        ("mlpd_item_damage", text, [pointer]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


class Event:
    """An event, valid until the next one is read: its kind, and its fields by name."""

    def __init__(self, item, kind):
        self._item, self.kind = item, kind

    def get(self, field):
        """The number or the text of a field; None if the event has none of this name."""
        number = ctypes.c_uint64()
        if _library.mlpd_item_number(self._item, field.encode(), ctypes.byref(number)):
            return number.value
        text = _library.mlpd_item_text(self._item, field.encode())
        return None if text is None else text.decode("utf-8", "replace")


def _bytes(path):
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def events(path, damage=None):
    """Each event of a log, in the order of the file.  damage: a list that damage is appended to."""
    reader, item = _library.mlpd_reader_new(), ctypes.c_void_p()
    chunks = _bytes(path)
    try:
        while True:
            result = _library.mlpd_reader_next(reader, ctypes.byref(item))
            if result == EVENT:
                kind = _library.mlpd_item_kind(item)
                if kind is not None:
                    yield Event(item, kind.decode())
                elif damage is not None and (text := _library.mlpd_item_damage(item)) is not None:
                    damage.append(text.decode("utf-8", "replace"))
            elif result == NEED_MORE:
                chunk = next(chunks, None)  # stays alive until the reader needs more
                if chunk is None:
                    _library.mlpd_reader_finish(reader)
                else:
                    _library.mlpd_reader_push(reader, chunk, len(chunk))
            elif result == END:
                return
            else:
                raise ValueError(f"{path}: not a log of Mono that can be read")
    finally:
        _library.mlpd_reader_free(reader)


def columns(path, kind, *fields):
    """The fields of all events of a kind: a list each."""
    table = {field: [] for field in fields}
    for event in events(path):
        if event.kind == kind:
            for field in fields:
                table[field].append(event.get(field))
    return table
