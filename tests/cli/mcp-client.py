"""mcp-client.py PROFLOG FOLDER -- an agent that asks `proflog mcp` all that it offers, and much that it must refuse."""
import json
import os
import subprocess
import sys

proflog, folder = sys.argv[1:]
server = subprocess.Popen([proflog, "mcp", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
checks = last = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"FAIL: {text}")


def send(line):
    server.stdin.write(line + "\n")
    server.stdin.flush()


def receive():
    answer = json.loads(server.stdout.readline())
    check(answer["jsonrpc"] == "2.0", f"{answer}: no JSON-RPC")
    return answer


def ask(method, **params):
    global last
    last += 1
    send(json.dumps({"jsonrpc": "2.0", "id": last, "method": method, "params": params}))
    answer = receive()
    check(answer["id"] == last, f"{method}: the answer is to {answer['id']}")
    return answer


def call(tool, **arguments):
    """The text of a tool that answers."""
    result = ask("tools/call", name=tool, arguments=arguments)["result"]
    check(not result["isError"], f"{tool}: {result}")
    return result["content"][0]["text"]


def refused(part, tool, **arguments):
    result = ask("tools/call", name=tool, arguments=arguments)["result"]
    text = result["content"][0]["text"]
    check(result["isError"] and part in text, f"{tool} {arguments}: {result}")


def printed(*words):
    """What the command itself prints."""
    return subprocess.run([proflog, *words], capture_output=True, text=True, check=False).stdout


result = ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "test"})["result"]
check(result["serverInfo"]["name"] == "proflog" and "tools" in result["capabilities"], "initialize")
send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
check(ask("ping")["result"] == {}, "ping")
tools = {tool["name"]: tool for tool in ask("tools/list")["result"]["tools"]}
check(set(tools) == {"list_logs", "findings", "report", "query", "heap_leaks", "flame", "diff"}, f"tools: {set(tools)}")
for tool in tools.values():
    check(set(tool["inputSchema"]["required"]) <= set(tool["inputSchema"]["properties"]), f"schema of {tool['name']}")

logs = json.loads(call("list_logs"))["logs"]
check([log["name"] for log in logs] == sorted(log["name"] for log in logs), "the list is in order")
check({log["name"] for log in logs} == {"a.mlpd", "b.mlpd", "c.eventlog"}, f"logs: {logs}")
check(all(log["bytes"] == os.path.getsize(f"{folder}/{log['name']}") for log in logs), f"sizes: {logs}")

# The answers are those of the commands.
path = os.path.realpath(f"{folder}/a.mlpd")
check(call("report", log="a.mlpd") == printed("report", "--format=json", "--limit=20", path), "report")
check(json.loads(call("report", log="a.mlpd", sections="log"))["log"]["events"] > 0, "a section")
check("gc" not in json.loads(call("report", log="a.mlpd", sections="log")), "one section only")
check("findings" in json.loads(call("findings", log="c.eventlog")), "findings")
check(json.loads(call("query", logs=["a.mlpd", "b.mlpd"], sql="SELECT count(DISTINCT log) AS n FROM events"))["rows"]
      [0]["n"] == 2, "query of two logs")
check("suspects" in json.loads(call("heap_leaks", log="a.mlpd")), "heap_leaks")
check(call("flame", log="a.mlpd").splitlines()[0].rsplit(" ", 1)[1].isdigit(), "flame")
check(json.loads(call("diff", old="a.mlpd", new="b.mlpd"))["schema"].startswith("proflog.diff"), "diff")

# Nothing outside of the folder, no options through values, nothing that writes.
for name in ("../secret.mlpd", os.path.realpath(f"{folder}/../secret.mlpd"), "link.mlpd"):
    refused("outside of the folder", "report", log=name)
refused("No such file", "report", log="--help")
refused("no regular file", "report", log="sub.d")
refused("is missing", "report")
refused("a list of 1", "query", logs=[], sql="SELECT 1")
refused("no such table", "query", logs=["a.mlpd"], sql="SELECT * FROM absent")
for sql in ("DELETE FROM events", "ATTACH '/tmp/x' AS x", "--output=/tmp/x"):
    result = ask("tools/call", name="query", arguments={"logs": ["a.mlpd"], "sql": sql})["result"]
    check(result["isError"], f"{sql}: {result}")
refused("there is no such report", "report", log="a.mlpd", sections="nothing --output=/tmp/x")
# An answer has a bound, and is whole characters.
text = call("query", logs=["a.mlpd"], sql="SELECT printf ('%.*c', 300000, 'x') AS x")
check(100000 <= len(text) < 101000 and "cut after 100000 bytes" in text, f"{len(text)} bytes")
text = call("query", logs=["a.mlpd"], sql="SELECT replace (printf ('%.*c', 60001, 'x'), 'x', 'é') AS x")
check("cut after 100000 bytes" in text and "\ufffd" not in text, "half a character")

# What is no request.
check(ask("tools/call", name="rm", arguments={})["error"]["code"] == -32602, "an unknown tool")
check(ask("resources/list")["error"]["code"] == -32601, "an unknown method")
for line, code in (("{", -32700), ("[1,2]", -32600), ("nonsense", -32700), ('{"id":7}', -32600),
                   ('{"id":1,"method":"x' + "y" * (1 << 20) + '"}', -32600)):
    send(line)
    check(receive()["error"]["code"] == code, f"{line[:20]}: another error")
check(ask("ping")["result"] == {}, "it goes on")
server.stdin.close()
check(server.wait(10) == 0, f"status {server.returncode}")
print(checks, "checks")
