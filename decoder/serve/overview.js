// All sources that are served: a line of each, and plots with a line for each.
import { SourcesPlot, element, show } from './plots.js';

const POINTS_MAX = 36000; // an hour, at the shortest interval
const POLL_MS = 1000;

const $ = (id) => document.getElementById(id);
const rate = (f, count) => (f.interval_ns ? (count * 1e9) / f.interval_ns : null);
const share = (f, ns) => (f.interval_ns ? ns / f.interval_ns : null);
const known = (value) => (value ? value : null); // 0: not in the log
const processor = (f) => (f.process_memory_bytes ? share(f, f.process_cpu_ns) : null);
const paused = (f) => share(f, f.pause_ns);
const allocated = (f) => rate(f, f.alloc_bytes);

const plots = [
  new SourcesPlot('Processor time', 'share', processor),
  new SourcesPlot('Heap', 'bytes', (f) => known(f.heap_bytes)),
  new SourcesPlot('Allocation', 'byte_rate', allocated),
  new SourcesPlot('Share of the time in pauses', 'share', paused),
  new SourcesPlot('Waits for locks', 'rate', (f) => rate(f, f.contentions)),
  new SourcesPlot('Events', 'rate', (f) => rate(f, f.events)),
];

// Title, kind, the value of a source; what is not known is null.
const columns = [
  ['Processor', 'share', processor],
  ['Heap', 'bytes', (f) => known(f.heap_bytes)],
  ['Allocation', 'byte_rate', allocated],
  ['Paused', 'share', paused],
  ['Longest pause', 'ms', (f) => f.pause_max_ever_ns / 1e6],
  ['Lock waits', 'count', (f) => f.contentions_all],
  ['Exceptions', 'count', (f) => f.exceptions_all],
  ['Threads', 'count', (f) => known(f.threads)],
  ['Events', 'count', (f) => f.events_all],
];
const runtimes = { none: '-', mono: 'Mono', ghc: 'GHC' };

let points = [], names = [], seconds = 0, lastId = -1, shownId = -1, wasLive = false;

function tellState(text, isBad) {
  $('state').textContent = text;
  $('state').classList.toggle('bad', Boolean(isBad));
}

function buildTable() {
  const titles = ['Runtime', 'Process', 'State', ...columns.map(([title]) => title)];
  $('sources').tHead.replaceChildren(element('tr', {}, element('th', { scope: 'col', className: 'text', textContent: 'Source' }),
    ...titles.map((title) => element('th', { scope: 'col', textContent: title }))));
}

function rowOf(source, number) {
  const cells = columns.map(([title, kind, of]) => {
    const value = of(source), cell = element('td', { textContent: value === null ? '-' : show[kind](value) });
    cell.dataset.column = title;
    cell.dataset.value = value ?? '';
    return cell;
  });
  const state = source.ended ? 'ended' : source.format === 'none' ? 'nothing yet' : 'live';
  const link = element('a', { href: `${number}/`, textContent: source.log === '-' ? 'standard input' : source.log });
  return element('tr', {}, element('td', { className: 'text' }, link), element('td', { textContent: runtimes[source.format] }),
    element('td', { textContent: source.pid ?? '-' }), element('td', { className: 'state', textContent: state }), ...cells);
}

function drawTable(sources) {
  const focused = document.activeElement?.getAttribute('href');
  $('sources').tBodies[0].replaceChildren(...sources.map((source, i) => rowOf(source, i + 1)));
  if (focused) // the links are new ones
    $('sources').querySelector(`a[href="${focused}"]`)?.focus();
}

// Of a source that has ended there are no more figures: null.
function addPoint(sources) {
  seconds += Math.max(0, ...sources.map((s) => s?.interval_ns ?? 0)) / 1e9;
  points.push({ time: seconds, sources, figures: { collections: [], mark_names: [], marks: 0 } });
  if (points.length > POINTS_MAX)
    points.shift();
}

function take(message) {
  if (!message || message.id === shownId)
    return;
  shownId = message.id;
  const ended = message.sources.filter((s) => s.ended).length, n = message.sources.length;
  if (message.id > lastId) // not of the history
    addPoint(message.sources);
  lastId = Math.max(lastId, message.id);
  names = message.sources.map((s) => s.log);
  $('source').textContent = `${n} sources`;
  document.title = `${n} sources - proflog`;
  drawTable(message.sources);
  for (const plot of plots)
    plot.setNamed(points, Number($('span').value), names);
  tellState(ended === n ? 'All sources have ended' : ended ? `Live, ${ended} of ${n} ended` : 'Live');
  $('report').hidden = !message.report;
  wasLive ||= message.sources.some((s) => !s.ended && s.format !== 'none');
  if (message.report && !wasLive && location.hash !== '#live')
    location.replace('report');
}

// What was before the page was opened: figures of all sources have the same number.
async function takeHistory(n) {
  const histories = await Promise.all(Array.from({ length: n }, async (_, i) => (await fetch(`${i + 1}/history`)).json()));
  const byId = new Map();
  histories.forEach((history, i) => {
    for (const { id, figures } of history) {
      if (!byId.has(id))
        byId.set(id, Array(n).fill(null));
      byId.get(id)[i] = figures;
    }
  });
  for (const [id, sources] of [...byId].sort(([a], [b]) => a - b)) {
    addPoint(sources);
    lastId = id;
  }
}

async function poll() {
  try {
    const message = await (await fetch('figures')).json();
    if (message && lastId < 0)
      await takeHistory(message.sources.length);
    take(message);
  } catch {
    tellState('The connection is lost', true);
  }
  setTimeout(poll, POLL_MS);
}

buildTable();
$('plots').append(...plots.map((p) => p.figure));
$('span').addEventListener('change', () => plots.forEach((p) => p.setNamed(points, Number($('span').value), names)));
poll();
