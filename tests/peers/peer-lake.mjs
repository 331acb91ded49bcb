// peer-lake.mjs PEERS FOLDER -- figures that DuckDB finds over all logs in the files of Parquet below the folder, from
// single events where there are such: lines of figure, name and value.  lake-sums.py has the same from reports.
// Names in logs of random events (host=random) change, and a report has the last ones; threads do not stop there.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const [peers, folder] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${peers}/duckdb/`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();

const table = (kind) => `read_parquet('${folder}/kind=${kind}/**/*.parquet', hive_partitioning = true)`;

// From an event to the next one of its thread or capability.
const spans = (of) => `lead(time_ns) OVER (PARTITION BY log, ${of} ORDER BY time_ns, "offset") - time_ns`;

const questions = {
  'logs by format': `SELECT format, count(*) FROM ${table('logs')} GROUP BY 1`,
  'events by format': `SELECT format, sum(events) FROM ${table('logs')} GROUP BY 1`,
  'allocated bytes': `SELECT 'all', sum(size) FROM ${table('alloc')}`,
  'allocated objects': `SELECT 'all', count(*) FROM ${table('alloc')}`,
  'calls': `SELECT 'all', count(*) FROM ${table('method_enter')}`,
  'allocated bytes by type': `SELECT coalesce(vtable_name, klass_name), sum(size) FROM ${table('alloc')}
    WHERE host <> 'random' GROUP BY 1`,
  'allocated objects by type': `SELECT coalesce(vtable_name, klass_name), count(*) FROM ${table('alloc')}
    WHERE host <> 'random' GROUP BY 1`,
  'calls by method': `SELECT method_name, count(*) FROM ${table('method_enter')} WHERE host <> 'random' GROUP BY 1`,
  'throws': `SELECT 'all', count(*) FROM ${table('exception_throw')}`,
  'clauses': `SELECT 'all', count(*) FROM ${table('exception_clause')}`,
  'contentions': `SELECT 'all', count(*) FROM ${table('monitor')} WHERE event_name = 'contention'`,
  'resizes of the heap': `SELECT 'all', count(*) FROM ${table('gc_resize')}`,
  'pauses of Mono': `SELECT 'all', sum(pause_total_ns) FROM ${table('gc_generations')} WHERE pause_total_ns IS NOT NULL`,
  'longest pauses by generation': `SELECT generation, max(pause_max_ns) FROM ${table('gc_generations')} GROUP BY 1`,
  'allocated bytes of GHC': `SELECT 'all', sum(bytes) FROM (SELECT log, cap, max(bytes) AS bytes FROM
    ${table('heap_allocated')} GROUP BY 1, 2)`,
  'copied bytes of GHC': `SELECT 'all', sum(copied) FROM ${table('gc_stats_ghc')}`,
  'run times of threads': `SELECT thread, sum(ns) FROM (SELECT thread, kind, ${spans('cap')} AS ns FROM
    (SELECT log, cap, thread, time_ns, "offset", 1 AS kind FROM ${table('run_thread')} UNION ALL
     SELECT log, cap, thread, time_ns, "offset", 0 FROM ${table('stop_thread')}) WHERE log NOT LIKE '%/host=random/%')
    WHERE kind = 1 GROUP BY 1`,
  'threads created': `SELECT 'all', count(*) FROM ${table('create_thread')}`,
  'samples of time profiles': `SELECT 'all', count(*) FROM ${table('prof_sample_cost_centre')}`,
  'values of stacks by kind': `SELECT kind, sum(value) FROM read_parquet('${folder}/kind=stacks/**/*.parquet',
    hive_partitioning = false) GROUP BY 1`,
  'hosts': `SELECT host, count(DISTINCT log) FROM ${table('logs')} GROUP BY 1`,
};

if (!existsSync(folder))
  throw new Error(`there is no ${folder}`);
for (const [figure, sql] of Object.entries(questions))
  for (const [name, value] of (await connection.runAndReadAll(sql)).getRowsJson())
    console.log([figure, name, value].join('\t'));
