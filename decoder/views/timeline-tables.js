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

// Which tables a range can be computed for: their section and table, and its columns.
const ranged = {
  'calls.methods': { key: 'calls', values: { calls: (s) => s.count, self_ns: (s) => s.amount }, order: 'self_ns', texts: { name: methodOf } },
  'allocations.types': { key: 'allocations', values: { objects: (s) => objects(s.count), bytes: (s) => s.amount }, order: 'bytes' },
  'exceptions.types': { key: 'exceptions', values: { throws: (s) => s.count }, order: 'throws' },
  'cpu.methods': { key: 'cpu', values: { self_ns: (s) => s.amount, hits: (s) => s.count }, order: 'self_ns' },
  'cpu.threads': { key: 'threads', values: { self_ns: (s) => s.amount }, order: 'self_ns', texts: {
    id: (name) => name.split(' ')[1], name: (name) => name.split(' ').slice(2).join(' ') || '-' } },
  'monitors.objects': { key: 'monitors', values: { contentions: (s) => s.count, wait_total_ns: (s) => s.amount }, order: 'wait_total_ns' },
};
const sums = {
  cpu: { key: 'cpu', other: 'threads', values: { total_ns: (s) => s.amount } },
  calls: { key: 'calls', values: { total: (s) => s.count } },
  allocations: { key: 'allocations', values: { objects: (s) => objects(s.count), bytes: (s) => s.amount } },
  exceptions: { key: 'exceptions', values: { throws: (s) => s.count } },
  monitors: { key: 'monitors', values: { contentions: (s) => s.count, wait_total_ns: (s) => s.amount } },
};
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
      const rows = [...byName(data, plan.key, from, to)].sort((a, b) => plan.values[plan.order](b[1]) - plan.values[plan.order](a[1]));
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
  const table = data.tables[data.tables[plan.key].cells.length || !plan.other ? plan.key : plan.other];
  return (from, to, isWhole) => {
    const all = { count: 0, amount: 0 };
    for (const sum of rowsOf(table, from, to).values()) {
      all.count += sum.count;
      all.amount += sum.amount;
    }
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
    const plan = ranged[`${table.dataset.section}.${table.dataset.table}`];
    const has = plan && data.tables[plan.key].cells.length;
    if (has)
      views.push(tableView(data, table, plan));
    else
      views.push((from, to, isWhole) => table.parentElement.classList.toggle('unranged', !isWhole));
  }
  for (const section of scope.querySelectorAll('section[data-section]')) {
    const plan = sums[section.dataset.section];
    if (plan)
      views.push(sumView(data, section, plan));
    else
      views.push((from, to, isWhole) => section.classList.toggle('unranged', !isWhole && section.dataset.section !== 'findings'));
  }
  return views;
}

return { pageViews, note };
})();
