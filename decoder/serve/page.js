// The figures of `proflog top`, as they come.
import { PartsPlot, Plot, element, known, pausedShare, processorShare, rate, show } from './plots.js';
import { FETCH_MS, FlameView } from './flame-view.js';

const POINTS_MAX = 36000; // an hour, at the shortest interval
const STATUS_MS = 3000;

const $ = (id) => document.getElementById(id);

// Eventlogs have none of these.
const ofMono = (figures, value) => (figures.format === 'ghc' ? null : value);

// A program that has events of a class records them.  Without any, the program states whether it does; a log alone
// could have had no exceptions and waits, but every program allocates.
function isRecorded(figures, name) {
  return !name || figures.format !== 'mono' || figures[countOfClass[name]] > 0 || (recorded ? recorded.has(name) : name !== 'alloc');
}

const valueOf = (figures, name, value) => (isRecorded(figures, name) ? ofMono(figures, value) : null);
const numbersOfMono = new Set(['alloc_objects_all', 'contentions_all', 'wait_ns_all', 'exceptions_all']);

const plots = [
  new Plot('Allocation', 'byte_rate', [{ name: 'allocated', of: (p) => (isRecorded(p.figures, 'alloc') ? p.allocated : null) }]),
  new PartsPlot('Allocation by type', 'byte_rate', (p) => p.types, (p) => p.allocated),
  new Plot('Heap', 'bytes', [
    { name: 'size', of: (p) => known(p.figures.heap_bytes) },
    { name: 'live', of: (p) => known(p.figures.live_bytes) }]),
  new PartsPlot('Heap profile', 'bytes', (p) => p.bands, (p) => p.allBands),
  new Plot('Processor time', 'share', [{ name: 'of one processor', of: (p) => processorShare(p.figures) }]),
  new Plot('Share of the time in pauses', 'share', [{ name: 'paused', of: (p) => pausedShare(p.figures) }]),
  new Plot('Longest pause', 'ms', [{ name: 'pause', isDots: true, of: (p) => (p.figures.pause_max_ns ? p.figures.pause_max_ns / 1e6 : null) }]),
  new Plot('Waits for locks', 'rate', [{ name: 'contentions', of: (p) => valueOf(p.figures, 'monitor', rate(p.figures, p.figures.contentions)) }]),
  new Plot('Exceptions', 'rate', [{ name: 'thrown', of: (p) => valueOf(p.figures, 'exception', rate(p.figures, p.figures.exceptions)) }]),
  new Plot('Events', 'rate', [{ name: 'events', of: (p) => rate(p.figures, p.figures.events) }]),
  new Plot('Threads', 'count', [{ name: 'living', of: (p) => known(p.figures.threads) }]),
];

// Figure, what it is called, how it is shown; marked if it should be 0.
const numbers = [
  ['log_ns', 'Time in the log', (v) => (v / 1e9).toFixed(1) + ' s'],
  ['events_all', 'Events', show.count],
  ['log_bytes_all', 'Log', show.bytes],
  ['alloc_bytes_all', 'Allocated', show.bytes],
  ['alloc_objects_all', 'Objects', show.count],
  ['process_cpu_ns_all', 'Processor time', (v) => show.ms(v / 1e6)],
  ['process_memory_bytes', 'Memory of the process', show.bytes],
  ['heap_bytes', 'Heap', show.bytes],
  ['heap_max_bytes', 'Heap at most', show.bytes],
  ['live_bytes', 'Live after a collection', show.bytes],
  ['collections_all', 'Collections by generation', (v) => v.slice(0, 1 + Math.max(1, v.findLastIndex((n) => n))).join(', ')],
  ['pauses_all', 'Pauses', show.count],
  ['pause_ns_all', 'Paused', (v) => show.ms(v / 1e6)],
  ['pause_max_ever_ns', 'Longest pause', (v) => show.ms(v / 1e6)],
  ['contentions_all', 'Waits for locks', show.count],
  ['wait_ns_all', 'Waited for locks', (v) => show.ms(v / 1e6)],
  ['exceptions_all', 'Exceptions', show.count],
  ['threads', 'Threads', show.count],
  ['lost_events_all', 'Lost events', show.count, true],
  ['damages_all', 'Damaged places', show.count, true],
];
const unknownAtZero = new Set(['process_cpu_ns_all', 'process_memory_bytes', 'heap_bytes', 'heap_max_bytes', 'live_bytes']);

// Classes of events without which Mono programs have none of these.
const classOfPlot = { Allocation: 'alloc', 'Waits for locks': 'monitor', Exceptions: 'exception' };
const classOfNumber = { alloc_bytes_all: 'alloc', alloc_objects_all: 'alloc', contentions_all: 'monitor', wait_ns_all: 'monitor', exceptions_all: 'exception' };
const countOfClass = { alloc: 'alloc_bytes_all', monitor: 'contentions_all', exception: 'exceptions_all' };

// ---- state ----

const flame = new FlameView($('flame'));
let points = [], seconds = 0, latest = null, missed = 0, paused = false, hasControl = false, wasLive = false;
let recorded = null; // classes of events, as the program states them

// By name what stands first in a table; of the history there are no tables.
function partsOf(message, name) {
  const table = message.tables?.find((form) => form.name === name);
  return table ? new Map(table.rows.map((row) => [row.name || row.id, row.values[0]])) : null;
}

function addPoint(message) {
  seconds += message.figures.interval_ns / 1e9;
  points.push({ id: message.id, time: seconds, figures: message.figures,
    allocated: rate(message.figures, message.figures.alloc_bytes), types: partsOf(message, 'types'),
    bands: partsOf(message, 'bands'), allBands: message.figures.bands_bytes });
  if (points.length > POINTS_MAX)
    points.shift();
}

function showState(text, isBad) {
  $('state').textContent = text;
  $('state').classList.toggle('bad', Boolean(isBad));
}

// ---- numbers ----

function buildNumbers() {
  for (const [name, label] of numbers)
    $('numbers').append(element('div', {}, element('dt', { textContent: label }),
      element('dd', { id: 'figure-' + name, textContent: '-' })));
}

function drawNumbers(figures) {
  for (const [name, , text, isBad] of numbers) {
    const value = figures[name], e = $('figure-' + name);
    e.textContent = !isRecorded(figures, classOfNumber[name]) ? 'not recorded' : unknownAtZero.has(name) && !value ? '-' : text(value);
    e.dataset.value = value;
    e.parentElement.hidden = numbersOfMono.has(name) && figures.format === 'ghc';
    e.classList.toggle('bad', Boolean(isBad && value));
  }
}

// ---- tables ----

const titles = { methods: 'Methods', types: 'Types', threads: 'Threads and capabilities', exceptions: 'Exceptions', locks: 'Locks', bands: 'Heap profile', frames: 'Frames of stacks' };
const tables = new Map();

function sortBy(table, column) {
  table.reverse = table.column === column && !table.reverse;
  table.column = column;
  drawTables();
}

function buildTable(form) {
  const table = { column: 0, reverse: false, body: element('tbody'), more: element('p', { className: 'more' }) };
  table.heads = form.columns.map((c, i) => {
    const button = element('button', { type: 'button', textContent: c.title });
    button.addEventListener('click', () => sortBy(table, i));
    return element('th', { scope: 'col' }, button);
  });
  const head = element('tr', {}, ...table.heads);
  if (form.name === 'threads')
    head.append(element('th', { scope: 'col', textContent: 'State' }));
  head.append(element('th', { scope: 'col', className: 'text', textContent: 'Name' }));
  const title = element('h2', { id: 'table-' + form.name, textContent: titles[form.name] });
  const rows = element('div', { className: 'rows', tabIndex: 0 },
    element('table', {}, element('thead', {}, head), table.body));
  rows.setAttribute('role', 'region');
  rows.setAttribute('aria-labelledby', title.id);
  if (form.name === 'methods') {
    table.waiting = element('input', { type: 'checkbox', id: 'waiting' });
    table.waiting.addEventListener('change', drawTables);
    title.append(' ', element('label', { className: 'option' }, table.waiting, ' and those that wait'));
  }
  table.section = element('section', {}, title, element('div', { className: 'table' }, rows, table.more));
  $('tables').append(table.section);
  tables.set(form.name, table);
  return table;
}

// By the chosen column, then by those behind it, as often all are 0.
function compare(a, b, column) {
  for (let i = 0; i < a.values.length; i++) {
    const v = (column + i) % a.values.length;
    const p = a.values[v] ?? -1, q = b.values[v] ?? -1; // null: not known
    if (p !== q)
      return q - p;
  }
  return (a.name + a.id).localeCompare(b.name + b.id);
}

function rowOf(form, row, isKnown) {
  const cells = row.values.map((v, i) => {
    const cell = element('td', { hidden: !isKnown[i], textContent: v === null ? '-' : show[form.columns[i].value](v) });
    cell.dataset.value = v ?? '';
    return cell;
  });
  if (form.name === 'threads')
    cells.push(element('td', { className: 'state', textContent: row.state }));
  cells.push(element('td', { className: 'text', textContent: [row.id, row.name, form.name === 'methods' && row.state && `[waits: ${row.state}]`].filter(Boolean).join(' ') }));
  return element('tr', {}, ...cells);
}

function drawTables() {
  for (const form of latest.tables) {
    const table = tables.get(form.name) ?? buildTable(form);
    const rows = form.rows.filter((row) => !table.waiting || table.waiting.checked || !row.state).sort((a, b) => compare(a, b, table.column) * (table.reverse ? -1 : 1));
    // Columns of what is not recorded are hidden; the next one has the order then.
    const isKnown = form.columns.map((_, i) => form.rows.some((row) => row.values[i] !== null));
    const after = isKnown.indexOf(true, table.column), sorted = after < 0 ? isKnown.indexOf(true) : after;
    table.section.hidden = form.rows.length === 0;
    table.heads.forEach((head, i) => {
      head.hidden = !isKnown[i];
      head.setAttribute('aria-sort', i !== sorted ? 'none' : table.reverse ? 'ascending' : 'descending');
    });
    table.body.replaceChildren(...rows.map((row) => rowOf(form, row, isKnown)));
    table.more.hidden = form.left_out === 0;
    table.more.textContent = `and ${form.left_out} more`;
  }
}

// ---- all ----

function drawPlots() {
  for (const plot of plots)
    plot.set(points, Number($('span').value));
  const missing = latest ? plots.filter((p) => !isRecorded(latest.figures, classOfPlot[p.title])) : [];
  $('unrecorded').hidden = !missing.length;
  $('unrecorded').textContent = 'Not recorded: ' + missing.map((p) => p.title.toLowerCase()).join(', ');
}

function draw() {
  if (paused || latest === null)
    return;
  const source = latest.source === '-' ? 'standard input' : latest.source, { program } = latest;
  const name = program && program !== source ? `${program} (${source})` : source;
  $('source').textContent = name;
  document.title = name + ' - proflog';
  drawPlots();
  drawNumbers(latest.figures);
  drawTables();
  showState(latest.ended ? 'The source has ended' : latest.figures.format === 'none' ? 'Nothing has come yet' : 'Live');
}

function take(event) {
  const message = JSON.parse(event.data);
  if (!points.length || message.id > points[points.length - 1].id) // not of the history
    addPoint(message);
  latest = message;
  if (message.control && !hasControl)
    beginControl();
  showReport(message);
  draw();
}

// A log that was complete from the start has its own time, in its report; '#live' stays here.
function showReport(message) {
  $('report').hidden = !message.report;
  $('all').hidden = !message.is_one_of;
  wasLive ||= !message.ended && message.figures.format !== 'none';
  if (message.report && !wasLive && location.hash !== '#live')
    location.replace('report');
}

function takeLost(event) {
  missed += JSON.parse(event.data).frames;
  $('missed').hidden = false;
  $('missed').textContent = `${missed} updates did not reach this page`;
}

// ---- control ----

function showReply(text, isBad) {
  $('answer').textContent = text;
  $('answer').classList.toggle('bad', isBad);
}

async function ask(options) {
  const response = await fetch('control', options);
  const type = response.headers.get('Content-Type') ?? '';
  return type.startsWith('application/json') ? response.json() : { ok: false, message: await response.text() };
}

async function send(command) {
  showReply(`${command} ...`, false);
  try {
    const reply = await ask({ method: 'POST', headers: { 'X-Proflog-Command': '1' }, body: command });
    showReply(reply.ok ? `${command}: done` : `${command}: ${reply.message}`, !reply.ok);
  } catch (error) {
    showReply(`${command}: ${error.message}`, true);
  }
  await refresh();
}

function classBox(name, isOn) {
  const id = 'class-' + name;
  let box = $(id);
  if (!box) {
    box = element('input', { type: 'checkbox', id });
    box.addEventListener('change', () => send(`${box.checked ? 'enable' : 'disable'} ${name}`));
    $('classes').append(element('label', {}, box, ' ' + name));
  }
  box.checked = isOn;
}

function drawStatus(status) {
  $('recording').textContent = status.ok ? (status.recording ? 'Events are recorded' : 'Recording is stopped') : status.message;
  $('recording').dataset.recording = status.ok ? status.recording : '';
  $('control').querySelector('[data-command=start]').disabled = !status.ok || status.recording;
  $('control').querySelector('[data-command=stop]').disabled = !status.ok || !status.recording;
  $('control').querySelector('[data-command=heapshot]').hidden = status.ok && !('heap_shots' in status); // of GHC
  for (const name of status.classes ?? [])
    classBox(name, true);
  for (const name of status.can_be_enabled ?? [])
    classBox(name, false);
  $('classes').hidden = !status.classes;
  recorded = status.classes ? new Set(status.classes) : null;
}

async function refresh() {
  try {
    drawStatus(await ask());
  } catch (error) {
    drawStatus({ ok: false, message: 'The server does not answer' });
  }
}

function beginControl() {
  hasControl = true;
  $('control').hidden = false;
  for (const button of $('control').querySelectorAll('[data-command]'))
    button.addEventListener('click', () => send(button.dataset.command));
  refresh();
  setInterval(() => { if (!document.hidden && !latest.ended) refresh(); }, STATUS_MS);
}

// ---- begin ----

async function begin() {
  buildNumbers();
  $('plots').append(...plots.map((p) => p.figure));
  $('span').addEventListener('change', drawPlots);
  $('pause').addEventListener('click', () => {
    paused = !paused;
    $('pause').setAttribute('aria-pressed', paused);
    if (paused)
      showState('Paused: figures come, and are not shown');
    draw();
  });
  setInterval(() => paused || !latest || flame.update(latest.ended), FETCH_MS);
  try {
    for (const message of await (await fetch('history')).json())
      addPoint(message);
  } catch {
    // Events show whether the server is there.
  }
  const events = new EventSource('events');
  events.addEventListener('figures', take);
  events.addEventListener('lost', takeLost);
  events.addEventListener('error', () => showState('The connection is lost', true));
}

begin();
