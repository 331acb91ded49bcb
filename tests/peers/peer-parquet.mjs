// peer-parquet.mjs PEERS FOLDER -- what DuckDB finds in the files of Parquet below the folder: for each table and log
// its rows, for each column its values and what they add up to, a line each.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';

const [peers, folder] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${peers}/duckdb/`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();

async function rows(sql) {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

// Sums of addresses would be too large.
function sumsOf(name, type) {
  const column = quoted(name);
  if (type === 'BIGINT')
    return `count(${column}) || ' ' || coalesce(sum(${column} % 1000003), 0) || ' ' || coalesce(min(${column}), 0) || ' ' || coalesce(max(${column}), 0)`;
  if (type === 'DOUBLE')
    return `count(${column}) || ' ' || coalesce(sum(CASE WHEN abs(${column}) < 9e15 THEN CAST(floor(${column}) AS BIGINT) ELSE CAST(floor(${column} / 1048576.0) AS BIGINT) END), 0)`;
  return `count(${column}) || ' ' || count(DISTINCT ${column}) || ' ' || coalesce(sum(strlen(${column})), 0)`;
}

for (const kind of readdirSync(folder).sort()) {
  const files = `read_parquet('${folder}/${kind}/**/*.parquet', hive_partitioning = false)`;
  const columns = (await rows(`DESCRIBE SELECT * FROM ${files}`)).map(([name, type]) => [name, type]);
  const sums = columns.map(([name, type]) => sumsOf(name, type));
  for (const row of await rows(`SELECT log, ${sums.join(', ')} FROM ${files} GROUP BY log ORDER BY log`))
    columns.forEach(([name], i) => console.log([kind.replace('kind=', ''), row[0], name, row[i + 1]].join('\t')));
}
