// All sources that are served: a line of each, and plots with a line for each.
import { SourcesPlot, element, known, pausedShare, processorShare, rate, show } from './plots.js';

const POINTS_MAX = 36000; // an hour, at the shortest interval
const POLL_MS = 1000;

const $ = (id) => document.getElementById(id);
const allocated = (f) => rate(f, f.alloc_bytes);

const plots = [
  new SourcesPlot('Processor time', 'share', processorShare),
  new SourcesPlot('Heap', 'bytes', (f) => known(f.heap_bytes)),
  new SourcesPlot('Allocation', 'byte_rate', allocated),
  new SourcesPlot('Share of the time in pauses', 'share', pausedShare),
  new SourcesPlot('Waits for locks', 'rate', (f) => rate(f, f.contentions)),
  new SourcesPlot('Events', 'rate', (f) => rate(f, f.events)),
];

// Title, kind, the value of a source; what is not known is null.
const columns = [
  ['Processor', 'share', processorShare],
  ['Heap', 'bytes', (f) => known(f.heap_bytes)],
  ['Allocation', 'byte_rate', allocated],
  ['Paused', 'share', pausedShare],
  ['Longest pause', 'ms', (f) => f.pause_max_ever_ns / 1e6],
  ['Lock waits', 'count', (f) => f.contentions_all],
  ['Exceptions', 'count', (f) => f.exceptions_all],
  ['Threads', 'count', (f) => known(f.threads)],
  ['Events', 'count', (f) => f.events_all],
];
const runtimes = { none: '-', mono: 'Mono', ghc: 'GHC' };

// Of the plots, each a line's {name, numbers}; null: it is free.
let places = [];
const over = new Set(); // numbers of sources whose last figures have come
let points = [], seconds = 0, lastId = -1, shownId = -1, wasLive = false;

function showState(text, isBad) {
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

function drawTable({ sources, numbers }) {
  const focused = document.activeElement?.getAttribute('href');
  $('sources').tBodies[0].replaceChildren(...sources.map((source, i) => rowOf(source, numbers[i])));
  if (focused) // the links are new ones
    $('sources').querySelector(`a[href="${focused}"]`)?.focus();
}

// `sources`: number -> figures.  The first figures of a source are of all the time before.
function addPoint(sources) {
  const before = points.at(-1)?.sources, all = [...sources], shownBefore = all.filter(([number]) => before?.has(number));
  seconds += Math.max(0, ...(shownBefore.length ? shownBefore : all).map(([, f]) => f.interval_ns)) / 1e9;
  points.push({ time: seconds, sources, figures: { collections: [], mark_names: [], marks: 0 } });
  if (points.length > POINTS_MAX)
    points.shift();
}

// Of each source, if they are not those that came before its end.
function takeFigures({ sources, numbers }) {
  const entries = sources.map((source, i) => [numbers[i], source]).filter(([number]) => !over.has(number));
  for (const [number, source] of entries)
    if (source.ended)
      over.add(number);
  return new Map(entries);
}

// A source of the name of one that has ended goes on with its line.
function addPlace(source, number) {
  const last = places.find((place) => place?.source.ended && place.source.log === source.log);
  const free = places.indexOf(null), place = { source, numbers: [number] };
  if (last)
    Object.assign(last, { source, numbers: [number, ...last.numbers] });
  else if (free >= 0)
    places[free] = place;
  else
    places.push(place);
}

// Lines stay where they are for as long as they are in view.
function updatePlaces({ sources, numbers }) {
  const first = seconds - Number($('span').value), seen = new Set(numbers);
  for (const point of points)
    if (point.time >= first)
      point.sources.forEach((_, number) => seen.add(number));
  places = places.map((place) => (place?.numbers.some((n) => seen.has(n)) ? place : null));
  sources.forEach((source, i) => {
    const place = places.find((p) => p?.numbers.includes(numbers[i]));
    if (!place)
      addPlace(source, numbers[i]);
    else if (place.numbers[0] === numbers[i])
      place.source = source;
  });
  for (const place of places.filter(Boolean)) {
    const isOnly = places.filter((p) => p?.source.log === place.source.log).length === 1;
    place.name = isOnly ? place.source.log : `${place.source.log} ${place.source.pid ?? place.numbers[0]}`;
  }
}

function take(message) {
  if (!message || message.id === shownId)
    return;
  shownId = message.id;
  const ended = message.sources.filter((s) => s.ended).length, n = message.sources.length;
  if (message.id > lastId) // not of the history
    addPoint(takeFigures(message));
  lastId = Math.max(lastId, message.id);
  updatePlaces(message);
  $('source').textContent = n === 1 ? '1 source' : `${n} sources`;
  document.title = `${$('source').textContent} - proflog`;
  drawTable(message);
  drawPlots();
  showState(n === 0 ? 'No program is recorded' : ended === n ? 'All sources have ended' : ended ? `Live, ${ended} of ${n} ended` : 'Live');
  $('report').hidden = !message.report;
  wasLive ||= message.sources.some((s) => !s.ended && s.format !== 'none');
  if (message.report && !wasLive && location.hash !== '#live')
    location.replace('report');
}

function drawPlots() {
  for (const plot of plots)
    plot.setPlaces(points, Number($('span').value), places);
}

// What was before the page was opened: figures of all sources have the same id.
async function takeHistory(numbers) {
  const histories = await Promise.all(numbers.map(async (number) => {
    const answer = await fetch(`${number}/history`);
    return answer.ok ? answer.json() : []; // its program is gone by now
  }));
  const byId = new Map();
  histories.forEach((history, i) => {
    for (const { id, figures } of history) {
      if (!byId.has(id))
        byId.set(id, new Map());
      byId.get(id).set(numbers[i], figures);
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
      await takeHistory(message.numbers);
    take(message);
  } catch {
    showState('The connection is lost', true);
  }
  setTimeout(poll, POLL_MS);
}

buildTable();
$('plots').append(...plots.map((p) => p.figure));
$('span').addEventListener('change', drawPlots);
poll();
