"""read_by_description.py DESCRIPTION LOG -- the events of a log, by docs/formats/*.json alone: each as a line of its
kind and the sorted numbers and texts of its fields."""
import gzip
import json
import re
import struct
import sys

ROUND = 1 << 64


class Bytes:
    def __init__(self, data, order):
        self.data, self.at, self.order = data, 0, order

    def take(self, n):
        if self.at + n > len(self.data):
            sys.exit(f"FAIL: {n} bytes at {self.at} of {len(self.data)}")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, n):
        return int.from_bytes(self.take(n), self.order)

    def leb128(self, signed=False):
        number = shift = 0
        while True:
            byte = self.number(1)
            number |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                break
        return number - (1 << shift) if signed and byte & 0x40 else number % ROUND

    def text(self):
        end = self.data.index(0, self.at)
        return self.take(end + 1 - self.at)[:-1].decode("utf-8", "replace")


def tokens(spelling):
    return re.findall(r"bits 0x[0-9a-f]+|[BUSTPOMZD](?= |$|,|\)|\])|n ×|value|[\[\]()+]|\d+|[a-zA-Z-]+", spelling)


class Mono:
    def __init__(self, description, data):
        self.d, self.b = description, Bytes(data, description["byte_order"])
        self.of_type = {}
        for event in description["events"]:
            self.of_type.setdefault(event["type"], []).append(event)
        self.counter_types = {v["value"]: v["name"] for v in description["values"] if v["unit"] == "counter-type"}
        self.helpers = {v["value"]: v["name"] for v in description["values"] if v["unit"] == "helper-type"}
        self.user = next(v["value"] for v in description["values"]
                         if v["unit"] == "counter-section" and "User" in v["name"])

    def header(self, fields, version):
        values = {}
        for field in fields:
            if not field["since"] <= values.get("major", version) <= field["until"]:
                continue
            wire = field["bytes"]
            if wire == "STR32":
                values[field["name"]] = self.b.take(self.b.number(4))
            else:
                values[field["name"]] = self.b.number(int(wire[1:]) // 8)
        return values

    def sign(self, sign, byte):
        b, h = self.b, self.buffer
        if sign == "B":
            return b.number(1)
        if sign in "US":
            return b.leb128(sign == "S")
        if sign == "Z":
            return b.text()
        if sign == "D":
            self.offset += b.leb128()
            return self.offset
        if sign == "T":
            h["time"] = (h["time"] + b.leb128()) % ROUND
            return h["time"]
        if sign == "M":
            h["method"] = (h["method"] + b.leb128(True)) & self.mask
            return h["method"]
        base = h["ptr_base" if sign == "P" else "obj_base"] + b.leb128(True)
        return (base * 8 if sign == "O" else base) & self.mask

    def value(self, kind):
        name = self.counter_types[kind]
        if name in ("uint", "ulong"):
            return self.b.leb128()
        if name == "double":
            return struct.unpack("<d", self.b.take(8))[0]
        if name == "string":
            return self.b.text() if self.b.number(1) else ""
        return self.b.leb128(True)

    def group(self, words, byte, values):
        """Reads what the words of a list's group say."""
        named, i = {}, 0
        while i < len(words):
            if words[i] == "[":
                end = words.index("]", i)
                if named["section"] == self.user:
                    values.append(self.b.text())
                i = end + 1
                continue
            number = self.value(named["type"]) if words[i] == "value" else self.sign(words[i], byte)
            i += 1
            name = []
            while i < len(words) and re.fullmatch(r"[a-z][a-z]*|IL", words[i]) and words[i] != "value":
                name.append(words[i])
                i += 1
            named[" ".join(name)] = number
            if named.get("index") == 0 and words[:2] == ["U", "index"] and "value" in words:
                return False
            values.append(number)
        return True

    def spelled(self, spelling, byte):
        values = []
        if spelling.startswith("bits"):
            mask = int(spelling[5:], 16)
            return [(byte & mask) if mask == 0xf0 else (byte & mask) >> 4]
        words = tokens(spelling)
        if words[1:] == ["+", "1"]:
            number = self.sign(words[0], byte)
            return [number - 1 if number else None]
        if "n ×" not in words:
            return [self.sign(words[0], byte)]
        at = words.index("n ×")
        count = None
        head, i = words[:at], 0
        while i < len(head):
            number = self.sign(head[i], byte)
            if head[i + 1] == "n":
                count = number
            elif head[i + 1] != "0":
                values.append(number)
            i += 2
        group, self.offset = words[at + 1:], 0
        if group[0] == "(":
            group = group[1:len(group) - group[::-1].index(")") - 1]
        if count is None:
            while True:
                start = self.b.at
                if self.b.leb128() == 0:
                    return values
                self.b.at = start
                self.group(group, byte, values)
        for _ in range(count):
            self.group(group, byte, values)
        return values

    def event(self):
        byte, version = self.b.number(1), self.version
        found = [e for e in self.of_type.get(byte & 15, ())
                 if byte & e["mask"] == e["exinfo"] and e["since"] <= version <= e["until"]]
        if byte & 15 == self.d["metadata_type"]:
            start, time = self.b.at, self.buffer["time"]
            self.sign("T", byte)
            mtype = self.b.number(1)
            self.b.at, self.buffer["time"] = start, time
            found = [e for e in found if e["mtype"] == mtype]
        if len(found) != 1:
            sys.exit(f"FAIL: byte {byte:#x} at {self.b.at}: {len(found)} events")
        values, helper = [], None
        for field in found[0]["fields"]:
            if field["since"] <= version <= field["until"] and byte & field["mask"] == field["value"]:
                spelling = next(s["as"] for s in field["bytes"] if version <= s["until"])
                if spelling == "[Z]":
                    if self.helpers.get(helper) != "specific-trampoline":
                        continue
                    spelling = "Z"
                values += self.spelled(spelling, byte)
                helper = values[-1] if field["unit"] == "helper-type" else helper
        return found[0]["name"], values

    def events(self):
        header = self.header(self.d["file_header"], 0)
        if header["id"] != self.d["file_id"]:
            sys.exit("FAIL: no log")
        self.version = header["data_version"]
        self.mask = (1 << 8 * header["pointer_size"]) - 1
        while self.b.at < len(self.b.data):
            self.buffer = self.header(self.d["buffer_header"], header["major"])
            if self.buffer["id"] != self.d["buffer_id"]:
                sys.exit(f"FAIL: no buffer at {self.b.at}")
            self.buffer["time"], self.buffer["method"] = self.buffer["time_base"], self.buffer["method_base"]
            end = self.b.at + self.buffer["length"]
            while self.b.at < end:
                yield self.event()


class Ghc:
    def __init__(self, description, data):
        self.b = Bytes(data, description["byte_order"])
        self.by_tag = {event["tag"]: event for event in description["events"]}

    def types(self):
        sizes = {}
        if self.b.take(8) != b"hdrbhetb":
            sys.exit("FAIL: no eventlog")
        while self.b.take(4) == b"etb\0":
            tag, size = self.b.number(2), self.b.number(2)
            self.b.take(self.b.number(4))
            self.b.take(self.b.number(4))
            self.b.take(4)
            sizes[tag] = None if size == 0xffff else size
        if self.b.take(8) != b"hdredatb":
            sys.exit("FAIL: no events")
        return sizes

    def fields(self, event, size, declared):
        end, values = self.b.at + size, []
        for field in event["fields"]:
            wire, left = field["bytes"], end - self.b.at
            if declared is not None and not field.get("size_from", 0) <= declared <= field.get("size_to", 0xfffe):
                continue
            if wire.isdigit():
                if field.get("if_left") and left < int(wire):
                    continue
                values.append(self.b.number(int(wire)))
            elif wire == "text to the end":
                values.append(self.b.take(left).split(b"\0")[0].decode("utf-8", "replace"))
            elif wire.startswith("text, to 4"):
                values.append(self.b.take(left - 4).decode("utf-8", "replace"))
            elif wire == "text, NUL":
                values.append(self.b.text())
            elif wire.startswith("texts"):
                values += [text.decode() for text in self.b.take(left).split(b"\0")[:-1]]
            elif wire.startswith("1 n"):
                values += [self.b.number(4) for _ in range(self.b.number(1))]
            else:
                values.append(self.b.take(left).hex())
        self.b.at = end
        return values

    def events(self):
        sizes = self.types()
        while True:
            tag = self.b.number(2)
            if tag == 0xffff and self.b.at == len(self.b.data):
                return
            if tag == 0xffff:
                sizes = self.types()
                continue
            self.b.number(8)
            size = sizes[tag] if sizes[tag] is not None else self.b.number(2)
            yield self.by_tag[tag]["name"], self.fields(self.by_tag[tag], size, sizes[tag])


def main(description, log):
    with open(description, encoding="utf-8") as file:
        d = json.load(file)
    with (gzip.open if log.endswith(".gz") else open)(log, "rb") as file:
        data = file.read()
    for name, values in (Mono if d["format"] == "mlpd" else Ghc)(d, data).events():
        print(name, sorted(str(v % ROUND if isinstance(v, int) else v) for v in values if v is not None))


main(*sys.argv[1:])
