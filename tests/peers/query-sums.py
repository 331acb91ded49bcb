"""query-sums.py PROFLOG LOG... -- what proflog query finds in all tables of logs: the lines of peer-parquet.mjs."""
import json
import subprocess
import sys

proflog, logs = sys.argv[1], sys.argv[2:]


def ask(sql):
    command = [proflog, "query", "-q", "--format", "json", "--file", "/dev/stdin", *logs]
    text = subprocess.run(command, input=sql.encode(), check=True, stdout=subprocess.PIPE).stdout.decode()
    decoder, at, answers = json.JSONDecoder(), 0, []
    while at < len(text.rstrip()):
        answer, at = decoder.raw_decode(text, at)
        answers.append(answer["rows"])
        at += len(text[at:]) - len(text[at:].lstrip())
    return answers


def sums_of(name, kind):
    column = f'"{name}"'
    if kind == "INTEGER":
        return (
            f"count({column}) || ' ' || coalesce(sum({column} % 1000003), 0) || ' ' ||"
            f" coalesce(min({column}), 0) || ' ' || coalesce(max({column}), 0)"
        )
    if kind == "REAL":
        return (
            f"count({column}) || ' ' || coalesce(sum(CASE WHEN abs({column}) < 9e15 THEN"
            f" CAST(floor({column}) AS INTEGER) ELSE CAST(floor({column} / 1048576.0) AS INTEGER) END), 0)"
        )
    if kind == "BLOB":
        return "'0 0 0'"
    text = f"CAST({column} AS TEXT)"
    return f"count({column}) || ' ' || count(DISTINCT {text}) || ' ' || coalesce(sum(length(CAST({text} AS BLOB))), 0)"


internal = ("pragma_", "json_", "fts", "rtree", "sqlite_", "dbstat")
tables = [r["name"] for r in ask("SELECT name FROM pragma_module_list ORDER BY name")[0]]
tables = [t for t in tables if not t.startswith(internal) and t != "events"]
infos = ask("".join(f"SELECT name, type FROM pragma_table_info ('{t}');" for t in tables))
statements = []
for table, columns in zip(tables, infos):
    sums = ", ".join(f"{sums_of(c['name'], c['type'])} AS \"{c['name']}\"" for c in columns)
    statements.append(f'SELECT log AS "the log", {sums} FROM "{table}" GROUP BY log ORDER BY log;')
for table, columns, rows in zip(tables, infos, ask("".join(statements))):
    for row in rows:
        for column in columns:
            print(table, row["the log"], column["name"], row[column["name"]], sep="\t")
