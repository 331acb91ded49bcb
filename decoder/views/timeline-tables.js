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

// Which tables a range can be computed for: their section and table, the data's tables whose sums each name has, and
// its columns.
const ranged = {
  'calls.methods': { keys: ['calls', 'waiting_calls'], order: 'self_ns', texts: { name: methodOf }, values: {
    calls: (s) => s.calls.count + s.waiting_calls.count, self_ns: (s) => s.calls.amount + s.waiting_calls.amount } },
  'allocations.types': { keys: ['allocations'], order: 'bytes', values: {
    objects: (s) => objects(s.allocations.count), bytes: (s) => s.allocations.amount } },
  'exceptions.types': { keys: ['exceptions'], order: 'throws', values: { throws: (s) => s.exceptions.count } },
  'cpu.threads': { keys: ['threads'], order: 'self_ns', values: { self_ns: (s) => s.threads.amount }, texts: {
    id: (name) => name.split(' ')[1], name: (name) => name.split(' ').slice(2).join(' ') || '-' } },
  'monitors.objects': { keys: ['monitors'], order: 'wait_total_ns', values: {
    contentions: (s) => s.monitors.count, wait_total_ns: (s) => s.monitors.amount } },
};
const sums = {
  calls: { keys: ['calls', 'waiting_calls'], values: { total: (s) => s.calls.count + s.waiting_calls.count } },
  allocations: { keys: ['allocations'], values: { objects: (s) => objects(s.allocations.count), bytes: (s) => s.allocations.amount } },
  exceptions: { keys: ['exceptions'], values: { throws: (s) => s.exceptions.count } },
  monitors: { keys: ['monitors'], values: { contentions: (s) => s.monitors.count, wait_total_ns: (s) => s.monitors.amount } },
};

// The processor's time is that of samples, of Haskell threads, or of calls that do not wait.
const cpuOfSamples = {
  table: { keys: ['cpu'], order: 'self_ns', values: { self_ns: (s) => s.cpu.amount, hits: (s) => s.cpu.count } },
  sums: { keys: ['samples'], values: { total_ns: (s) => s.samples.amount } },
};
const cpuOfThreads = { sums: { keys: ['threads'], values: { total_ns: (s) => s.threads.amount } } };
const cpuOfCalls = {
  table: { keys: ['calls', 'waiting_calls'], order: 'self_ns', values: { self_ns: (s) => s.calls.amount,
    wait_ns: (s) => s.waiting_calls.amount, calls: (s) => s.calls.count + s.waiting_calls.count } },
  sums: { keys: ['calls', 'waiting_calls'], values: { total_ns: (s) => s.calls.amount, wait_ns: (s) => s.waiting_calls.amount } },
};
const hasCells = (data, plan) => plan.keys.some((key) => data.tables[key].cells.length);
const cpuOf = (data) => [cpuOfSamples, cpuOfThreads, cpuOfCalls].find((cpu) => hasCells(data, cpu.sums)) || {};
const planOf = (data, name) => (name === 'cpu.methods' ? cpuOf(data).table : name === 'cpu' ? cpuOf(data).sums : ranged[name] || sums[name]);

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

const unitOf = (key) => (key.endsWith('_ns') ? 'ns' : key.endsWith('bytes') ? 'bytes' : '');

function newRow(heads, name, sum, { values, texts = {} }) {
  const row = document.createElement('tr');
  for (const head of heads) {
    const cell = row.insertCell(), value = values[head.dataset.key];
    if (head.classList.contains('text'))
      cell.className = 'text';
    if (value) {
      cell.dataset.value = value(sum);
      cell.textContent = amount(value(sum), unitOf(head.dataset.key));
    } else if (texts[head.dataset.key]) {
      cell.textContent = texts[head.dataset.key](name);
    } else if (head.dataset.key === 'name' || head.dataset.key === 'type') {
      cell.textContent = name;
    }
  }
  return row;
}

function tableView(data, table, plan) {
  const body = table.tBodies[0], whole = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const next = table.parentElement.nextElementSibling, ofWhole = next && next.className === 'more' ? next : null, more = note('');
  more.className = 'more';
  more.hidden = true;
  table.parentElement.after(more);
  return (from, to, isWhole) => {
    let leftOut = 0;
    if (isWhole) {
      body.replaceChildren(...whole);
    } else {
      const rows = [...namedSums(data, plan.keys, from, to)].sort((a, b) => plan.values[plan.order](b[1]) - plan.values[plan.order](a[1]));
      body.replaceChildren(...rows.slice(0, ROWS).map(([name, sum]) => newRow(heads, name, sum, plan)));
      leftOut = Math.max(0, rows.length - ROWS);
    }
    more.textContent = `... and ${leftOut} more`;
    more.hidden = !leftOut;
    if (ofWhole)
      ofWhole.hidden = !isWhole;
    refreshTable(table);
  };
}

function sumView(data, section, plan) {
  const values = [...section.querySelectorAll('dd[data-key]')].map((dd) => ({ dd, value: plan.values[dd.dataset.key], whole: dd.textContent,
    exact: dd.dataset.value, item: dd.parentElement }));
  return (from, to, isWhole) => {
    const all = wholeSums(data, plan.keys, from, to);
    for (const { dd, value, whole, exact, item } of values) {
      item.classList.toggle('unranged', !isWhole && !value);
      dd.textContent = isWhole || !value ? whole : amount(value(all), unitOf(dd.dataset.key));
      dd.dataset.value = isWhole || !value ? exact : value(all);
    }
  };
}

function pageViews(data, scope) {
  const views = [];
  for (const table of scope.querySelectorAll('table[data-section]')) {
    const plan = planOf(data, `${table.dataset.section}.${table.dataset.table}`);
    if (plan && hasCells(data, plan))
      views.push(tableView(data, table, plan));
    else
      views.push((from, to, isWhole) => table.parentElement.classList.toggle('unranged', !isWhole));
  }
  for (const section of scope.querySelectorAll('section[data-section]')) {
    const plan = planOf(data, section.dataset.section);
    if (plan && hasCells(data, plan))
      views.push(sumView(data, section, plan));
    else
      views.push((from, to, isWhole) => section.classList.toggle('unranged', !isWhole && section.dataset.section !== 'findings'));
  }
  return views;
}

return { pageViews, note };
})();
