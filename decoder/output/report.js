'use strict';
// The tables of a report: a click on a head sorts, the field at the top filters names.  It also searches what other scripts
// draw: each has a function in `searches`, of the text in small letters, that returns what it found, in words.

const query = document.getElementById('filter');
const filtered = document.getElementById('filtered');
const tables = [...document.querySelectorAll('table')];
const searches = [];

// ---- cells ----

const isText = (cell) => cell.className === 'text';

// The text without other contents of the row.
const textOf = (cell) => cell.firstChild?.data ?? '';

// Exact values, as numbers; addresses, too.
const numberOf = (cell) => Number(cell.dataset.value ?? NaN);

// The names of rows; those of a tree are indented by their depth.
const namesOf = (table) => [...table.tHead.rows[0].cells].findLastIndex(isText);
const depthOf = (row, names) => (names < 0 ? 0 : textOf(row.cells[names]).search(/\S|$/));

// ---- sorting ----

function compareCells(a, b) {
  if (isText(a))
    return textOf(a).localeCompare(textOf(b));
  const x = numberOf(a), y = numberOf(b);
  return (isNaN(x) ? -Infinity : x) - (isNaN(y) ? -Infinity : y) || 0;
}

// Rows with those below them, in a list for each depth.
function treeOf(table) {
  const names = namesOf(table);
  const root = { row: null, depth: -1, below: [] }, path = [root];
  for (const row of table.tBodies[0].rows) {
    const node = { row, depth: depthOf(row, names), below: [] };
    while (path[path.length - 1].depth >= node.depth)
      path.pop();
    path[path.length - 1].below.push(node);
    path.push(node);
  }
  return root;
}

function sortTree(node, compare, sorted) {
  node.below.sort((a, b) => compare(a.row, b.row));
  for (const child of node.below) {
    sorted.push(child.row);
    sortTree(child, compare, sorted);
  }
  return sorted;
}

function sortRows(table, column, isAscending) {
  const sign = isAscending ? 1 : -1;
  const compare = (a, b) => sign * compareCells(a.cells[column], b.cells[column]);
  table.tBodies[0].append(...sortTree(treeOf(table), compare, []));
}

// Numbers begin with the largest, texts with the first.
function sortBy(head) {
  const table = head.closest('table'), before = head.getAttribute('aria-sort');
  const isAscending = before ? before === 'descending' : isText(head);
  for (const other of table.tHead.rows[0].cells)
    other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
  sortRows(table, head.cellIndex, isAscending);
}

function addButton(head) {
  const button = document.createElement('button');
  button.type = 'button';
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener('click', () => sortBy(head));
}

// ---- the filter ----

// Tables of names, but not those in a row of another.
const hasNames = (table) => table.tHead.querySelector('.text') && !table.closest('td');

function filterTable(table, text) {
  let shown = 0;
  for (const row of table.tBodies[0].rows) {
    row.hidden = text !== '' && !row.textContent.toLowerCase().includes(text);
    shown += !row.hidden;
  }
  return shown;
}

function filter() {
  const text = query.value.toLowerCase(), named = tables.filter(hasNames);
  const shown = named.reduce((sum, table) => sum + filterTable(table, text), 0);
  const all = named.reduce((sum, table) => sum + table.tBodies[0].rows.length, 0);
  const found = searches.map((search) => search(text)).filter((words) => words);
  filtered.textContent = text ? [`${shown} of ${all} rows`, ...found].join(', ') : '';
}

// Sorts and filters rows that have replaced others.
function refreshTable(table) {
  const head = table.tHead.querySelector('[aria-sort]');
  if (head)
    sortRows(table, head.cellIndex, head.getAttribute('aria-sort') === 'ascending');
  if (query.value)
    filter();
  else
    filterTable(table, '');
}

for (const table of tables)
  for (const head of table.tHead.rows[0].cells)
    if (head.tagName === 'TH' && head.className !== 'drawing')
      addButton(head);
query.form.hidden = !tables.some(hasNames);
query.form.addEventListener('submit', (event) => event.preventDefault());
query.addEventListener('input', filter);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.closest('input')) {
    query.focus();
    event.preventDefault();
  }
});
