"""clickhouse-stub.py PORT-FILE RULES REQUESTS -- a server that answers statements by rules, for tests.

Each line of the file RULES is a regular expression, a status, and the answer: separated by tabs, with \\n and \\t in
the answer; `xN` as answer is N bytes, and `1*STATUS` as status is for the first statement only.  The first that a path
and statement match counts; what none matches is answered with status 200 and nothing.  The file REQUESTS gets three
lines of each: `POST` with the path, the credentials, and the statement."""
import http.server
import re
import sys
import urllib.parse

port_file, rules, requests = sys.argv[1:]
answered = set()


def answer_to(statement):
    with open(rules, encoding="utf-8") as file:
        text = file.read()
    for line in text.splitlines():
        pattern, status, answer = line.split("\t", 2)
        if re.search(pattern, statement) and (text, line) not in answered:
            if status.startswith("1*"):
                answered.add((text, line))
                status = status[2:]
            if re.fullmatch(r"x\d+", answer):
                return int(status), "x" * int(answer[1:])
            return int(status), answer.replace("\\n", "\n").replace("\\t", "\t")
    return 200, ""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        statement = query["query"][0] if "query" in query else body.decode()
        with open(requests, "a", encoding="utf-8") as log:
            print("POST " + url.path, self.headers.get("Authorization", ""), statement, sep="\n", file=log)
        status, answer = answer_to(url.path + " " + statement)
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        try:
            self.wfile.write(answer.encode())
        except (BrokenPipeError, ConnectionResetError):
            pass

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(port_file, "w", encoding="utf-8") as port:
    print(server.server_port, file=port)
server.serve_forever()
