"""profile-stub.py PORT-FILE FOLDER -- takes the requests of pyroscope, Parca and OTLP as their servers do.

Each request becomes FOLDER/N.request (path and headers) and FOLDER/N.pprof, or of OTLP FOLDER/N.folded and N.otlp; metrics
of OTLP are FOLDER/metrics.request and metrics.otlp.  The first request to a path below /busy/ is answered with 503."""
import base64
import collections
import glob
import gzip
import http.server
import json
import sys

port_file, folder = sys.argv[1:]
busy = set()


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def message(data):
    """The fields of a message of protocol buffers: number -> values."""
    fields, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = int.from_bytes(data[at : at + 8], "little"), at + 8
        elif tag & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
        else:
            raise ValueError(f"wire type {tag & 7}")
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def packed(data):
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def attributes(resource):
    found = {}
    for pair in message(resource).get(1, []):
        fields = message(pair)
        value = message(fields[2][0])
        name = fields[1][0].decode()
        assert name not in found, f"{name} is there twice"
        found[name] = value[1][0].decode() if 1 in value else value[3][0]
    return found


def folded(data):
    """An ExportProfilesServiceRequest as folded stacks, a part for each profile."""
    request = message(data)
    dictionary = message(request[2][0])
    for table in (1, 2, 3, 4, 5, 6, 7):
        assert dictionary[table][0] == b"", f"the first entry of table {table} is not zero"
    strings = [s.decode() for s in dictionary[5]]
    functions = [strings[message(f).get(1, [0])[0]] for f in dictionary[3]]
    values = [message(message(a)[2][0]) if a else {} for a in dictionary[6]]
    types = [strings[message(a)[1][0]] + "=" + value[1][0].decode() if 1 in value else "" for a, value in zip(dictionary[6], values)]
    type_of = {functions[message(message(at)[3][0])[1][0]]: types[packed(message(at)[4][0])[0]]
               for at in dictionary[2] if 4 in message(at)}
    locations = [functions[message(message(at)[3][0])[1][0]] if at else "" for at in dictionary[2]]
    stacks = [[locations[i] for i in packed(message(s)[1][0])] if s else [] for s in dictionary[7]]
    lines = [f"### {name} {type_of[name]}" for name in sorted(type_of)]
    for resources in request[1]:
        fields = message(resources)
        lines.append("# " + json.dumps(attributes(fields[1][0]), sort_keys=True))
        for scopes in fields[2]:
            for profile in message(scopes)[2]:
                fields = message(profile)
                kind = message(fields[1][0])
                assert len(fields[7][0]) == 16
                lines.append(f"## {strings[kind[1][0]]} {strings[kind[2][0]]} {fields[3][0]} {fields[4][0]}")
                sums = collections.Counter()
                for sample in fields[2]:
                    sample = message(sample)
                    sums[";".join(reversed(stacks[sample[1][0]]))] += sum(packed(sample[4][0]))
                lines += [f"{stack} {value}" for stack, value in sums.items()]
    return "\n".join(lines) + "\n"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.startswith("/busy/") and not busy:
            busy.add(self.path)
            return self.answer(503, b"busy\n")
        name = f"{folder}/{len(glob.glob(folder + '/[0-9]*.request')) + 1}"
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if "/v1/metrics" in self.path:
            name = f"{folder}/metrics"
            assert self.headers["Content-Type"] == "application/x-protobuf"
            with open(name + ".otlp", "wb") as file:
                file.write(body)
        elif "/v1development/profiles" in self.path:
            assert self.headers["Content-Type"] == "application/x-protobuf"
            with open(name + ".otlp", "wb") as file:
                file.write(body)
            with open(name + ".folded", "w") as file:
                file.write(folded(body))
        elif "/profiles/writeraw" in self.path:
            series = json.loads(body)["series"]
            labels = {label["name"]: label["value"] for label in series[0]["labels"]["labels"]}
            with open(name + ".labels", "w") as file:
                file.write(json.dumps(labels, sort_keys=True) + "\n")
            with open(name + ".pprof", "wb") as file:
                file.write(base64.b64decode(series[0]["samples"][0]["rawProfile"]))
        else:
            with open(name + ".pprof", "wb") as file:
                file.write(body)
        with open(name + ".request", "w") as file:
            file.write(f"{self.path}\n{self.headers}")
        return self.answer(200, b"")

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(port_file, "w") as file:
    file.write(str(server.server_port))
server.serve_forever()
