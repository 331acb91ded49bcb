"""read-otlp.py WHAT <TEXT -- what protoc decoded (otlp.proto), as lines.

  resources   the attributes of each resource, as JSON
  profiles    of each profile: type, unit, begin, length, the number of values
  samples     of each value: type, time, value, thread's name, thread's id, trace and span in hexadecimal (or -), stack
  metrics     of each value: name, unit, attributes, begin, time, value, whether it only grows
Fails at fields that otlp.proto does not have, and where a message breaks a rule of the protocol.
"""
import codecs
import json
import sys


def parse(lines):
    """A message: name -> values, in their order."""
    fields = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            return fields
        name, _, value = line.partition(": ")
        if line.endswith(" {"):
            name, value = line[:-2], parse(lines)
        elif value.startswith('"'):
            value = codecs.escape_decode(value[1:-1].encode())[0]
        elif value in ("true", "false"):
            value = value == "true"
        else:
            value = float(value) if any(c in value for c in ".en") else int(value)
        if name[0].isdigit():
            sys.exit(f"a field that the protocol does not have: {line}")
        fields.setdefault(name, []).append(value)
    return fields


def one(message, name, default=0):
    values = message.get(name, [default])
    assert len(values) == 1, f"{name} is there {len(values)} times"
    return values[0]


def value_of(any_value):
    (value,) = any_value.values()
    return value[0].decode() if isinstance(value[0], bytes) else value[0]


def attributes(message):
    pairs = [(one(a, "key").decode(), value_of(one(a, "value"))) for a in message.get("attributes", [])]
    found = dict(pairs)
    assert len(found) == len(pairs), "an attribute is there twice"
    return found


class Dictionary:
    def __init__(self, message):
        self.tables = message
        for name in ("mapping", "location", "function", "link", "attribute", "stack"):
            assert message[f"{name}_table"][0] == {}, f"the first of the {name}s is not zero"
        self.strings = [s.decode() for s in message["string_table"]]
        assert self.strings[0] == "" and len(set(self.strings)) == len(self.strings), "strings"

    def attributes(self, message):
        found = {}
        for i in message.get("attribute_indices", []):
            entry = self.tables["attribute_table"][i]
            found[self.strings[one(entry, "key_strindex")]] = value_of(one(entry, "value"))
        return found

    def frame(self, place):
        location = self.tables["location_table"][place]
        line = one(location, "lines")
        function = self.tables["function_table"][one(line, "function_index")]
        return self.strings[one(function, "name_strindex")], self.attributes(location).get("profile.frame.type", "-")

    def stack(self, place):
        assert place > 0, "a sample without a stack"
        places = self.tables["stack_table"][place]["location_indices"]
        return [self.frame(p) for p in reversed(places)]

    def link(self, place):
        if place == 0:
            return "-", "-"
        link = self.tables["link_table"][place]
        trace, span = one(link, "trace_id"), one(link, "span_id")
        assert len(trace) == 16 and len(span) == 8, "the numbers of a link"
        return trace.hex(), span.hex()


def show_samples(dictionary, profile, kind):
    begin, length = one(profile, "time_unix_nano"), one(profile, "duration_nano")
    seen = set()
    for sample in profile["samples"]:
        values, times = sample.get("values", []), sample.get("timestamps_unix_nano", [])
        assert len(times) in (0, len(values)), "not a time for each value"
        assert all(begin <= t <= begin + length for t in times), f"a time outside {begin} and {length} ns"
        assert times == sorted(times), "times in no order"
        key = (one(sample, "stack_index"), tuple(sample.get("attribute_indices", [])), one(sample, "link_index"))
        assert key not in seen, "two samples of one place"
        seen.add(key)
        thread = dictionary.attributes(sample)
        stack = ";".join(name for name, _ in dictionary.stack(key[0]))
        for time, value in zip(times or [0] * len(values), values):
            print(kind, time, value, thread.get("thread.name", "-").replace(" ", "_"), thread.get("thread.id", 0),
                  *dictionary.link(key[2]), stack)


def show_profiles(data, what):
    dictionary = Dictionary(one(data, "dictionary"))
    for resources in data["resource_profiles"]:
        if what == "resources":
            print(json.dumps(attributes(one(resources, "resource")), sort_keys=True))
        for profile in one(resources, "scope_profiles").get("profiles", []):
            kind = one(profile, "sample_type")
            assert len(one(profile, "profile_id")) == 16, "the number of a profile"
            kind, unit = (dictionary.strings[one(kind, f"{n}_strindex")] for n in ("type", "unit"))
            if what == "profiles":
                print(kind, unit, one(profile, "time_unix_nano"), one(profile, "duration_nano"),
                      sum(len(s["values"]) for s in profile["samples"]))
            elif what == "samples":
                show_samples(dictionary, profile, kind)
    if what == "types":
        for i in range(1, len(dictionary.tables["location_table"])):
            print(*reversed(dictionary.frame(i)))


def show_metrics(data, what):
    for resources in data["resource_metrics"]:
        if what == "resources":
            print(json.dumps(attributes(one(resources, "resource")), sort_keys=True))
        for metric in one(resources, "scope_metrics").get("metrics", []):
            points = one(metric, "sum")
            assert one(points, "aggregation_temporality") == 2, "not since the start"
            for point in points["data_points"]:
                value = one(point, "as_double" if "as_double" in point else "as_int")
                print(one(metric, "name").decode(), one(metric, "unit").decode(),
                      json.dumps(attributes(point)).replace(" ", ""), one(point, "start_time_unix_nano"),
                      one(point, "time_unix_nano"), value, one(points, "is_monotonic", False))


decoded = parse(iter(sys.stdin))
(show_metrics if "resource_metrics" in decoded else show_profiles)(decoded, sys.argv[1])
