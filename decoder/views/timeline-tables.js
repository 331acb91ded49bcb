// The tables and sums of a report, of a range of its timeline.
const timelineTables = (() => {
'use strict';

const ROWS = 200;
const { amount, rowsOf, byName, objects } = timelinePlots;

function note(text) {
  const paragraph = document.createElement('p');
  paragraph.className = 'note';
  paragraph.textContent = text;
  return paragraph;
}

// Stacks name native code after its method; the table of calls has the method.
const methodOf = (frame) => frame.replace(/^(.*) \[native\]$/, '(wrapper managed-to-native) $1');

// ---- which figures a range has ----

const both = (s, field) => s.calls[field] + s.waiting_calls[field];
const perSecond = (sum, ns) => (sum * 1e9 / ns < 100 ? Number((sum * 1e9 / ns).toPrecision(3)) : Math.round(sum * 1e9 / ns));
const permille = (part, of) => (of ? Math.round(1000 * part / of) : 0);
const cellsOf = (...keys) => ({ has: (data) => keys.some((key) => data.tables[key].cells.length),
  rows: (data, from, to) => namedSums(data, keys, from, to), all: (data, from, to) => wholeSums(data, keys, from, to) });

// A plan has the rows of a table, by their names, or the sums of a section (`all`), where the page has it (`has`).
// Columns and values by their keys; all others are of the whole log.
const ranged = {
  'calls.methods': { ...cellsOf('calls', 'waiting_calls'), order: 'self_ns', texts: { name: methodOf },
    values: { calls: (s) => both(s, 'count'), self_ns: (s) => both(s, 'amount') } },
  calls: { ...cellsOf('calls', 'waiting_calls'), values: { total: (s) => both(s, 'count') } },
  'allocations.types': { ...cellsOf('allocations'), order: 'bytes',
    values: { objects: (s) => objects(s.allocations.count), bytes: (s) => s.allocations.amount } },
  allocations: { ...cellsOf('allocations'), values: { objects: (s) => objects(s.allocations.count), bytes: (s) => s.allocations.amount,
    bytes_per_second: (s, ns) => perSecond(s.allocations.amount, ns) } },
  'exceptions.types': { ...cellsOf('exceptions'), order: 'throws', values: { throws: (s) => s.exceptions.count } },
  exceptions: { ...cellsOf('exceptions'), values: { throws: (s) => s.exceptions.count,
    throws_per_second: (s, ns) => perSecond(s.exceptions.count, ns) } },
  'cpu.threads': { ...cellsOf('threads'), rows: haskellThreads, order: 'self_ns', values: { self_ns: (s) => s.threads.amount },
    texts: { id: (name) => name.split(' ')[1], name: (name) => name.split(' ').slice(2).join(' ') || '-' } },
  'monitors.objects': { ...cellsOf('monitors'), order: 'wait_total_ns',
    values: { contentions: (s) => s.monitors.count, wait_total_ns: (s) => s.monitors.amount } },
  monitors: { ...cellsOf('monitors'), values: { contentions: (s) => s.monitors.count, wait_total_ns: (s) => s.monitors.amount } },
};

// Moments are on the page one by one, unless there are too many.
function marksOf(data, from, to) {
  const all = new Map();
  for (let i = 0; i < data.marks.length; i += 2) {
    const time = data.marks[i], name = data.names[data.marks[i + 1]];
    if (time < from * data.width || time >= to * data.width)
      continue;
    if (!all.has(name))
      all.set(name, { count: 0, first: data.begin + time });
    all.get(name).count++;
    all.get(name).last = data.begin + time;
  }
  return all;
}

// The lengths of pauses in order, of those that a range has (`has`); `within` is how much of all pauses is in it.
function pausesOf(data, from, to, has) {
  const begin = from * data.width, end = to * data.width, lengths = [];
  let within = 0;
  for (let i = 0; i < data.pauses.length; i += 3) {
    const [time, ns, generation] = data.pauses.slice(i, i + 3);
    if (time >= begin && time < end && has(time + ns < end, generation))
      lengths.push(ns);
    within += Math.max(0, Math.min(time + ns, end) - Math.max(time, begin));
  }
  lengths.sort((a, b) => a - b);
  return { lengths, within, total: lengths.reduce((sum, ns) => sum + ns, 0) };
}

const lengthAt = ({ lengths }, share) => lengths[Math.ceil(lengths.length * share) - 1] || 0;
const pauseValues = { count: (p) => p.lengths.length, total_ns: (p) => p.total,
  avg_ns: (p) => (p.lengths.length ? Math.floor(p.total / p.lengths.length) : 0), p50_ns: (p) => lengthAt(p, 0.5),
  p90_ns: (p) => lengthAt(p, 0.9), p99_ns: (p) => lengthAt(p, 0.99), p99_9_ns: (p) => lengthAt(p, 0.999), max_ns: (p) => lengthAt(p, 1) };

// By generation the pauses that began and ended in a range.
function pausesOfGenerations(data, from, to) {
  const numbers = [...new Set(data.pauses.filter((_, i) => i % 3 === 2))].sort((a, b) => a - b);
  const all = numbers.map((n) => [n, pausesOf(data, from, to, (hasEnded, generation) => hasEnded && generation === n)]);
  return new Map(all.filter(([, p]) => p.lengths.length));
}

// By generation its collections, with its pauses.
function generationsOf(data, from, to) {
  const pauses = pausesOfGenerations(data, from, to), all = new Map();
  for (const [name, { collections }] of namedSums(data, ['collections'], from, to))
    all.set(Number(name.match(/\d+$/)[0]), collections);
  const numbers = [...new Set([...all.keys(), ...pauses.keys()])].sort((a, b) => a - b);
  return new Map(numbers.map((n) => [n, { ...(all.get(n) || { count: 0, amount: 0 }), pauses: pauses.get(n) || pausesOf(data, 0, 0, () => false) }]));
}

// As emitter_share rounds it.
const shareLeft = (paused, ns) => (ns ? Math.floor((1000 * (ns - Math.min(paused, ns)) + Math.floor(ns / 2)) / ns) : 0);
const hasMarks = (data) => data.marks.length && !data.left_out.marks;
const hasPauses = (data) => data.pauses.length && !data.left_out.pauses;

Object.assign(ranged, {
  'marks.names': { has: hasMarks, rows: marksOf, order: 'count',
    values: { count: (s) => s.count, first_ns: (s) => s.first, last_ns: (s) => s.last } },
  marks: { has: hasMarks, all: marksOf,
    values: { count: (all) => [...all.values()].reduce((sum, s) => sum + s.count, 0) } },
});

// Collections of Mono, by generation; of GHC the main pause of each, and no generation.
const isOfMono = (data) => data.tables.collections.names.some((name) => /^Collections, generation/.test(data.names[name]));
const collections = {
  mono: {
    'gc.generations': { has: hasPauses, rows: generationsOf, values: { generation: (s, n) => n, collections: (s) => s.count,
      total_ns: (s) => s.amount, pauses: (s) => s.pauses.lengths.length, pause_total_ns: (s) => s.pauses.total,
      pause_max_ns: (s) => lengthAt(s.pauses, 1) } },
    'gc.generation_pauses': { has: hasPauses, rows: pausesOfGenerations, values: { ...pauseValues, generation: (p, n) => n } },
    gc: { ...cellsOf('pauses'), values: { utilisation_permille: (s, ns) => shareLeft(s.pauses.amount, ns) } },
  },
  ghc: {
    'gc.pauses': { has: hasPauses, rows: (data, from, to) => new Map([['main', pausesOf(data, from, to, () => true)]]),
      texts: { pause: (name) => name }, values: pauseValues },
    gc: { has: hasPauses, all: (data, from, to) => pausesOf(data, from, to, () => true), values: { collections: (p) => p.lengths.length, utilisation_permille: (p, ns) => shareLeft(p.within, ns) } },
  },
};

// The processor's time is that of samples, of Haskell threads, or of calls that do not wait.  Of samples it may be
// unknown; then there are hits alone.
const cpus = [
  { 'cpu.methods': { ...cellsOf('cpu'), order: 'self_ns', or: 'hits', values: { self_ns: (s) => s.cpu.amount, hits: (s) => s.cpu.count } },
    cpu: { ...cellsOf('samples', 'waits'), values: { total_ns: (s) => s.samples.amount, hits: (s) => s.samples.count + s.waits.count,
      running: (s) => s.samples.count } } },
  { cpu: { ...cellsOf('threads'), values: { total_ns: (s) => s.threads.amount } } },
  { 'cpu.methods': { ...cellsOf('calls', 'waiting_calls'), order: 'self_ns', values: { self_ns: (s) => s.calls.amount,
    wait_ns: (s) => s.waiting_calls.amount, calls: (s) => both(s, 'count') } },
    cpu: { ...cellsOf('calls', 'waiting_calls'), values: { total_ns: (s) => s.calls.amount, wait_ns: (s) => s.waiting_calls.amount } } },
];

function planOf(data, name) {
  const plan = { ...ranged, ...cpus.find(({ cpu }) => cpu.has(data)), ...collections[isOfMono(data) ? 'mono' : 'ghc'] }[name];
  return plan && plan.has(data) ? plan : null;
}

// ---- sums ----

const noneOf = (keys) => Object.fromEntries(keys.map((key) => [key, { count: 0, amount: 0 }]));

// By name its sum of each of the tables.
function namedSums(data, keys, from, to) {
  const all = new Map();
  for (const key of keys)
    for (const [name, sum] of byName(data, key, from, to)) {
      if (!all.has(name))
        all.set(name, noneOf(keys));
      all.get(name)[key] = sum;
    }
  return all;
}

// The sum of each of the tables.
function wholeSums(data, keys, from, to) {
  const all = noneOf(keys);
  for (const key of keys)
    for (const sum of rowsOf(data.tables[key], from, to).values()) {
      all[key].count += sum.count;
      all[key].amount += sum.amount;
    }
  return all;
}

// A thread may have got its label after it ran: "Thread 7", then "Thread 7 worker".
function haskellThreads(data, from, to) {
  const latest = new Map(), all = new Map();
  for (const name of data.tables.threads.names.map((n) => data.names[n]))
    latest.set(name.split(' ')[1], name);
  for (const [name, { threads }] of namedSums(data, ['threads'], from, to)) {
    const last = latest.get(name.split(' ')[1]) || name, before = all.has(last) ? all.get(last).threads : { count: 0, amount: 0 };
    all.set(last, { threads: { count: before.count + threads.count, amount: before.amount + threads.amount } });
  }
  return all;
}

// ---- tables ----

const factors = { us: 1e3, ms: 1e6, s: 1e9, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, M: 1e6, G: 1e9, T: 1e12 };
const factorOf = (head) => factors[(head.textContent.match(/(?:^|[ ,])(us|ms|s|[kMGT]B|[MGT])$/) || [])[1]];

// In the unit of the column's head, cut after three digits, as the rows of the whole log.
function cellText(value, factor) {
  return factor ? (Math.floor(value * 1000 / factor) / 1000).toFixed(3) : String(value);
}

// A function of a row's name and sum for each column that a range has.
function fillerOf(head, { values, texts = {} }, shareOf) {
  const key = head.dataset.key, factor = factorOf(head), text = texts[key] || (['name', 'type'].includes(key) ? (name) => name : null);
  // Without a unit it is a time of day.
  const value = key && key.endsWith('_ns') && !factor ? null : values[key];
  if (value)
    return (cell, name, sum) => { cell.dataset.value = value(sum, name); cell.textContent = cellText(value(sum, name), factor); };
  if (text)
    return (cell, name) => { cell.textContent = text(name); };
  return head.textContent === '%' ? (cell, name, sum) => { cell.textContent = (shareOf(sum) / 10).toFixed(1); } : null;
}

function newRow(heads, fillers, name, sum) {
  const row = document.createElement('tr');
  heads.forEach((head, i) => {
    const cell = row.insertCell();
    if (head.classList.contains('text'))
      cell.className = 'text';
    cell.hidden = !fillers[i];
    if (fillers[i])
      fillers[i](cell, name, sum);
  });
  return row;
}

function tableView(data, table, plan) {
  const body = table.tBodies[0], whole = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const next = table.parentElement.nextElementSibling, ofWhole = next && next.className === 'more' ? next : null, more = note('');
  const order = !plan.order ? () => 0 : plan.values[heads.some((head) => head.dataset.key === plan.order) ? plan.order : plan.or || plan.order];
  more.className = 'more';
  table.parentElement.after(more);
  return (from, to, isWhole) => {
    const rows = isWhole ? [] : [...plan.rows(data, from, to)].sort((a, b) => order(b[1], b[0]) - order(a[1], a[0]));
    const all = rows.reduce((sum, row) => sum + order(row[1], row[0]), 0);
    const fillers = heads.map((head) => fillerOf(head, plan, (sum) => permille(order(sum), all)));
    body.replaceChildren(...(isWhole ? whole : rows.slice(0, ROWS).map(([name, sum]) => newRow(heads, fillers, name, sum))));
    heads.forEach((head, i) => { head.hidden = !isWhole && !fillers[i]; });
    more.textContent = rows.length > ROWS ? `... and ${rows.length - ROWS} more` : isWhole || rows.length ? '' : 'Nothing in this range.';
    more.hidden = !more.textContent;
    if (ofWhole)
      ofWhole.hidden = !isWhole;
    refreshTable(table);
  };
}

// ---- sections ----

const unitOf = (key) => (key.endsWith('_ns') ? 'ns' : /bytes(_per_second)?$/.test(key) ? 'bytes' : '');
const shareText = (key, value) => (key.endsWith('_permille') ? (value / 10).toFixed(1) : amount(value, unitOf(key)));

// These are the same of any range.
const constant = ['source', 'clock'];

function sumView(data, section, plan) {
  // Those of groups in the section have keys of their own.
  const isOwn = (dd) => !section.contains(dd.parentElement.closest('div[data-key]'));
  const values = [...section.querySelectorAll('dd[data-key]')].filter((dd) => !dd.closest('td')).map((dd) => ({ dd,
    value: isOwn(dd) && plan.values[dd.dataset.key], whole: dd.textContent, exact: dd.dataset.value, item: dd.parentElement }));
  return (from, to, isWhole) => {
    const all = plan.all(data, from, to), ns = rangeNs(data, from, to);
    for (const { dd, value, whole, exact, item } of values) {
      const shown = isWhole || !value ? null : value(all, ns);
      item.classList.toggle('unranged', !isWhole && !value && !constant.includes(dd.dataset.key));
      dd.textContent = shown === null ? whole : shareText(dd.dataset.key, shown);
      if (shown !== null || exact !== undefined)
        dd.dataset.value = shown === null ? exact : shown;
    }
  };
}

// The last interval may be longer than the log.
const rangeNs = (data, from, to) => Math.min(to * data.width, Math.max(data.end - data.begin, 1)) - from * data.width;

function pageViews(data, scope) {
  const views = [];
  for (const table of scope.querySelectorAll('table[data-section]')) {
    const plan = planOf(data, `${table.dataset.section}.${table.dataset.table}`);
    if (plan)
      views.push(tableView(data, table, plan));
    else
      views.push((from, to, isWhole) => table.parentElement.classList.toggle('unranged', !isWhole));
  }
  for (const section of scope.querySelectorAll('section[data-section]')) {
    const plan = planOf(data, section.dataset.section);
    if (plan)
      views.push(sumView(data, section, plan));
    else
      views.push((from, to, isWhole) => section.classList.toggle('unranged', !isWhole && section.dataset.section !== 'findings'));
  }
  return views;
}

return { pageViews, note };
})();
