// peer-firefox.mjs -- Firefox Profiler's profiler-cli on a profile, against the reports of its logs.
// Usage: node peer-firefox.mjs PROFILER-CLI PROFILE REPORT...
// The reports are those of `proflog report --format json`; figures of several are added up.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [cli, path, ...reports] = process.argv.slice(2);
const found = new Map(), expected = new Map();
const add = (to, key, value) => to.set(key, (to.get(key) ?? 0) + (value ?? 0));
const sum = (rows, key) => (rows ?? []).reduce((total, row) => total + row[key], 0);
const ns = (ms) => Math.round(ms * 1e6);

function run(...words) {
  const ended = spawnSync(process.execPath, [cli, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (ended.status !== 0) throw new Error(`profiler-cli ${words.join(' ')}: ${ended.stderr}`);
  return ended.stdout;
}
const query = (...words) => JSON.parse(run(...words, '--json'));

// Its daemon has half a second to start, which a machine with other work may not give it.
async function load() {
  spawnSync(process.execPath, [cli, 'load', path], { encoding: 'utf8' });
  for (let tries = 0; ; tries++) {
    try {
      return query('thread', 'list', '--limit', '0');
    } catch (error) {
      if (tries === 60) throw error;
    }
    await new Promise((r) => setTimeout(r, 500));
  }
}

// ---- the reports ----

for (const report of reports) {
  const r = JSON.parse(readFileSync(report));
  const is_mono = r.log.format !== 'ghc-eventlog';
  const generations = r.gc?.generations;
  add(expected, 'calls_ns', is_mono ? sum(r.calls?.methods, 'self_ns') : r.scheduling?.run_ns);
  add(expected, 'samples', is_mono || r.cpu?.source === 'samples' ? r.cpu?.hits : 0);
  // The first sample of a thread has none before it, so the viewer does not count its time.
  for (const { hits } of is_mono && r.cpu?.interval_ns ? r.cpu.threads : [])
    add(expected, 'cpu_ns', (hits - 1) * r.cpu.interval_ns);
  add(expected, 'interval_ns', is_mono ? r.cpu?.interval_ns : 0);
  add(expected, 'allocated', is_mono ? r.allocations?.bytes : 0);
  add(expected, 'collections', is_mono ? sum(generations, 'collections') : sum(r.caps, 'collections'));
  add(expected, 'pauses', is_mono ? sum(generations, 'pauses') : 0);
  add(expected, 'waits', is_mono ? r.monitors?.contentions : 0);
  add(expected, 'throws', is_mono ? r.exceptions?.throws : 0);
  add(expected, 'marks', r.marks?.count);
}

// ---- the profile ----

const kinds = [
  ['collections', /^Collections, generation|^collections$/],
  ['pauses', /^Pauses$/],
  ['waits', /^waits for locks$/],
  ['throws', /^Exceptions$/],
  ['marks', /^[Mm]arks$/],
];

function add_markers(thread) {
  for (const type of query('thread', 'markers', '--thread', thread, '--limit', '0').byType) {
    const kind = kinds.find(([, pattern]) => pattern.test(type.markerName))?.[0];
    if (kind !== undefined) add(found, kind, type.count);
  }
}

// The time that a capability waits within its collection is a marker of the same track, which profiler-cli counts, too.
function idle_markers() {
  const profile = JSON.parse(readFileSync(path));
  const texts = (thread) => thread.stringArray ?? profile.shared?.stringArray ?? [];
  return sum(profile.threads.map((thread) => ({
    idle: thread.markers.data.filter((data) => data && texts(thread)[data.text] === 'Idle').length,
  })), 'idle');
}

function add_functions(thread) {
  for (const strategy of query('thread', 'info', '--thread', thread).availableStrategies) {
    const all = query('thread', 'functions', '--thread', thread, '--limit', '0', '--strategy', strategy);
    const self = sum(all.functions, 'selfSamples');
    if (all.weightType === 'tracing-ms') add(found, 'calls_ns', ns(self));
    else add(found, strategy === 'timing' ? 'samples' : 'allocated', self);
  }
}

try {
  const { threads } = await load();
  if (expected.get('interval_ns')) add(found, 'interval_ns', ns(JSON.parse(readFileSync(path)).meta.interval));
  for (const { threadHandle, cpuMs } of threads) {
    add(found, 'cpu_ns', ns(cpuMs ?? 0));
    add_markers(threadHandle);
    add_functions(threadHandle);
  }
  add(found, 'collections', -idle_markers());
} finally {
  spawnSync(process.execPath, [cli, 'stop', '--all']);
}

let wrong = 0;
for (const [key, value] of expected) {
  if ((found.get(key) ?? 0) === value) continue;
  console.log(`${key} is ${found.get(key) ?? 0}, not ${value}: wrong`);
  wrong++;
}
console.log([...expected].map(([key, value]) => `${value} ${key}`).join(', '));
process.exitCode = wrong === 0 && [...expected.values()].some((value) => value !== 0) ? 0 : 1;
