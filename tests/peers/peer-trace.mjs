// peer-trace.mjs -- Perfetto's trace_processor on a trace, against the reports of the logs that are in it.
// Usage: node peer-trace.mjs ENGINE TRACE REPORT...
// The reports are those of `proflog report --format json`; figures of several are added up.
import { readFileSync } from 'node:fs';
import { NUM, STR, open } from './trace-processor.mjs';

const [folder, path, ...reports] = process.argv.slice(2);
const found = new Map(), expected = new Map();
function add(to, key, value) {
  to.set(key, (to.get(key) ?? 0) + (value ?? 0));
}

// ---- what the reports state ----

function expect(figures) {
  for (const [key, value] of Object.entries(figures)) add(expected, key, value);
}

function sum(rows, key, filter) {
  return (rows ?? []).filter(filter ?? (() => true)).reduce((total, row) => total + row[key], 0);
}

const is_mark = (row) => row.section.endsWith('Profiler') && row.name.startsWith('Mark: ');

function expect_mono(r) {
  const generations = r.gc?.generations;
  expect({
    calls: r.calls?.total,
    calls_ns: sum(r.calls?.methods, 'self_ns'),
    collections: sum(generations, 'collections'),
    collections_ns: sum(generations, 'total_ns'),
    pauses: sum(generations, 'pauses'),
    pauses_ns: sum(generations, 'pause_total_ns'),
    waits: r.monitors?.contentions,
    waits_ns: r.monitors?.wait_total_ns,
    throws: r.exceptions?.throws,
    heap_max: r.gc?.max_heap_bytes,
    values: (r.gc?.resizes ?? 0)
      + sum(r.counters, 'updates', (row) => row.type !== 'string' && !is_mark(row)),
    samples: r.cpu?.hits,
    objects: r.allocations?.objects,
    objects_bytes: r.allocations?.bytes,
  });
}

function expect_ghc(r) {
  expect({
    runs: r.scheduling?.runs,
    runs_ns: r.scheduling?.run_ns,
    thread_runs: r.scheduling?.runs,
    thread_runs_ns: r.scheduling?.run_ns,
    collections: sum(r.caps, 'collections'),
    collections_ns: r.gc?.caps_ns,
    idle_ns: r.gc?.idle_ns,
    heap_max: r.heap?.max_memory_bytes,
    allocated: r.heap?.allocated_bytes,
    samples: r.cpu?.source === 'samples' ? r.cpu.hits : 0,
  });
}

let has_eventlog = false;
for (const report of reports) {
  const r = JSON.parse(readFileSync(report));
  has_eventlog ||= r.log.format === 'ghc-eventlog';
  if (r.log.format === 'ghc-eventlog') expect_ghc(r);
  else expect_mono(r);
  expect({
    marks: r.marks?.count,
    intervals: sum(r.marks?.intervals, 'count'),
    intervals_ns: sum(r.marks?.intervals, 'total_ns'),
  });
}
if (has_eventlog) expected.delete('values'); // their reports do not state how many there are

// ---- what trace_processor finds ----

// The tracks of slices that are no calls.
const kinds = [
  ['collections', /^Collections, generation|(^|: )collections$/],
  ['pauses', /^Pauses$/],
  ['waits', /(^|: )waits for locks$/],
  ['shots', /^Heap snapshots$/],
  ['runs', /^Capability [0-9]+$/],
  ['marks', /^Marks$/],
  ['marks', /(^|: )marks$/],
  ['messages', /(^|: )messages$/],
  ['thread_runs', /: runs$/],
  ['intervals', /(^|: )intervals( \([0-9]+\))?$/],
];

// Reports count these at their ends.
const ended = ['pauses', 'intervals'];

function kind_of(it) {
  if (it.category === 'allocation') return 'objects';
  const kind = kinds.find(([, pattern]) => pattern.test(it.track))?.[0];
  if (kind === 'collections' && it.name === 'Idle') return 'idle'; // a capability waits within its collection
  if (kind !== undefined) return kind;
  if (it.track.replace(/ \([0-9]+\)$/, '') === it.name) return 'intervals'; // from thread to thread: lanes of their names
  return it.name.startsWith('throw ') && it.ns === 0 ? 'throws' : 'calls';
}

const engine = await open(folder);
await engine.read(path);
await engine.each(`select name, value from stats where severity in ('error', 'data_loss') and value > 0`,
  { name: STR, value: NUM }, (it) => add(found, `statistic ${it.name}`, it.value));
await engine.each(`select coalesce(k.name, t.name, '') as track, s.name as name, s.dur as ns, s.depth as depth,
              coalesce(s.category, '') as category, coalesce(extract_arg(s.arg_set_id, 'args.bytes'), 0) as bytes
            from slice s left join thread_track tt on s.track_id = tt.id left join thread t using (utid)
            left join track k on s.track_id = k.id`,
  { track: STR, name: STR, ns: NUM, depth: NUM, category: STR, bytes: NUM }, (it) => {
    const kind = kind_of(it);
    if (kind === 'objects') {
      add(found, 'objects', 1);
      add(found, 'objects_bytes', it.bytes);
      return;
    }
    if (it.ns >= 0 || !ended.includes(kind)) add(found, kind, 1);
    if (it.ns >= 0 && (kind !== 'calls' || it.depth === 0)) add(found, `${kind}_ns`, it.ns);
  });
await engine.each(`select t.name as name, count(*) as n, max(c.value) as most
            from counter c join counter_track t on c.track_id = t.id
            where t.type != 'perf_cpu_counter' group by t.id`,
  { name: STR, n: NUM, most: NUM }, (it) => {
    add(found, 'values', it.n);
    if (/^Heap size/.test(it.name)) add(found, 'heap_max', it.most);
    if (/^Capability [0-9]+: allocated/.test(it.name)) add(found, 'allocated', it.most);
  });
// Samples have stacks, whatever is in them; a heap profile has allocations by stack.
for (const table of ['perf_sample', 'cpu_profile_stack_sample'])
  await engine.each(`select count(callsite_id) as n from ${table}`, { n: NUM }, (it) => add(found, 'samples', it.n));
await engine.each(`select coalesce(sum(count), 0) as objects, coalesce(sum(size), 0) as bytes
            from heap_profile_allocation where callsite_id is not null`,
  { objects: NUM, bytes: NUM }, (it) => {
    add(found, 'objects', it.objects);
    add(found, 'objects_bytes', it.bytes);
  });
engine.close();

let wrong = 0;
for (const key of new Set([...expected.keys(), ...found.keys()])) {
  const value = found.get(key) ?? 0;
  if (!expected.has(key) && !key.startsWith('statistic ')) continue;
  if (value === (expected.get(key) ?? 0)) continue;
  console.log(`${key} is ${value}, not ${expected.get(key) ?? 0}: wrong`);
  wrong++;
}
console.log(`${expected.get('calls') ?? 0} calls, ${expected.get('collections')} collections, `
  + `${found.get('values') ?? 0} values, ${expected.get('samples') ?? 0} samples, `
  + `${expected.get('objects') ?? 0} objects agree`);
process.exitCode = wrong === 0 && expected.size !== 0 ? 0 : 1;
