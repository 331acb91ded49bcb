'use strict';
// The page of a heat map: the cells and their overview, rectangles, the flame graph and the events of these.
const heat = (() => {
const data = JSON.parse(document.getElementById('data').textContent);
const { columns, rows } = data;
const ROW_MS = 1000 / rows, ROW_PIXELS = 5, AXIS_PIXELS = 18, ROWS_SHOWN = 200;
const widths = [1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 80];

const element = (id) => document.getElementById(id);
const [weightChoice, programChoice, scroll, canvas, overview] = ['weight', 'program', 'scroll', 'cells', 'overview'].map(element);
const status = element('status');

let layer = null, columnPixels = 4, episode = null;
// The rectangle that is selected, and the one that it is compared with.
let selected = null, first = null, isComparing = false, graph = null;

// ---- texts ----

const unit = () => data.weights[layer.weight].unit;

function amount(value) {
  if (unit() !== 'ns')
    return `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit()}`;
  return value >= 1e9 ? `${(value / 1e9).toFixed(3)} s` : `${(value / 1e6).toFixed(3)} ms`;
}

function clock(second) {
  if (!data.start_ms)
    return `${second} s`;
  const iso = new Date(data.start_ms + 1000 * second).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

// The time range of report that has the same, if one has.
function rangeOption({ from, to, top, bottom }) {
  const isWhole = top === 0 && bottom === rows;
  if (!isWhole && to - from > 1)
    return '';
  const begin = 1000 * from + (isWhole ? 0 : top * ROW_MS), end = isWhole ? 1000 * to : 1000 * from + bottom * ROW_MS;
  return ` --time-range=${begin}ms~${end}ms`;
}

function rectangleText(r) {
  const seconds = r.to - r.from > 1 ? `${r.from} s to ${r.to} s` : `second ${r.from}`;
  const part = r.top === 0 && r.bottom === rows ? '' : `, ${r.top * ROW_MS} to ${r.bottom * ROW_MS} ms of each`;
  return `${seconds}${part}`;
}

// ---- colours ----

const ramps = {
  light: [[255, 255, 255], [254, 224, 144], [253, 141, 60], [215, 30, 40], [90, 0, 30]],
  dark: [[25, 29, 35], [80, 30, 100], [190, 50, 90], [245, 125, 50], [255, 235, 150]],
};
const darkness = matchMedia('(prefers-color-scheme: dark)');

// 256 pixels; 0 is an empty cell, and 1 differs from it already.
function palette() {
  const stops = darkness.matches ? ramps.dark : ramps.light, pixels = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    const at = i === 0 ? 0 : (0.08 + 0.92 * i / 255) * (stops.length - 1), low = Math.min(Math.floor(at), stops.length - 2);
    const [r, g, b] = stops[low].map((c, n) => Math.round(c + (stops[low + 1][n] - c) * (at - low)));
    pixels[i] = 255 << 24 | b << 16 | g << 8 | r;
  }
  return pixels;
}

// The value of the strongest colour: one cell in a thousand has more.
function strongest(shades) {
  const step = Math.ceil(shades.length / 400000), some = [];
  for (let i = 0; i < shades.length; i += step)
    if (shades[i])
      some.push(shades[i]);
  if (!some.length)
    return shades.reduce((most, v) => Math.max(most, v), 0) || 1;
  some.sort((a, b) => a - b);
  return some[Math.min(some.length - 1, Math.floor(some.length * 0.999))];
}

// ---- drawing ----

const picture = document.createElement('canvas');
let pixels = palette();

function sizeCanvas(of, width, height) {
  const ratio = window.devicePixelRatio || 1, context = of.getContext('2d');
  if (of.width !== Math.round(width * ratio) || of.height !== Math.round(height * ratio)) {
    of.width = Math.round(width * ratio);
    of.height = Math.round(height * ratio);
    of.style.width = width + 'px';
    of.style.height = height + 'px';
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// The cells of these columns, a pixel each.
function drawCells(from, to) {
  const width = to - from, image = new ImageData(width, rows), out = new Uint32Array(image.data.buffer);
  picture.width = width;
  picture.height = rows;
  for (let x = 0; x < width; x++)
    for (let row = 0; row < rows; row++) {
      const value = layer.shades[(from + x) * rows + row];
      out[row * width + x] = pixels[value ? Math.max(1, Math.min(255, Math.round(255 * Math.sqrt(value / layer.most)))) : 0];
    }
  picture.getContext('2d').putImageData(image, 0, 0);
}

function drawAxis(context, left, width) {
  const steps = [1, 5, 10, 30, 60, 300, 600, 1800, 3600], step = steps.find((s) => s * columnPixels >= 110) || 3600;
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = colour('--quiet');
  for (let second = Math.floor(left / columnPixels / step) * step; second < columns && second * columnPixels < left + width; second += step) {
    const x = second * columnPixels - left;
    context.fillRect(x, rows * ROW_PIXELS, 1, 4);
    context.fillText(data.start_ms ? `${second} s  ${clock(second).slice(11, 19)}` : `${second} s`, x + 3, rows * ROW_PIXELS + 13);
  }
}

function outline(context, r, left, style) {
  const x = r.from * columnPixels - left, y = r.top * ROW_PIXELS;
  const width = (r.to - r.from) * columnPixels, height = (r.bottom - r.top) * ROW_PIXELS;
  context.lineWidth = 2;
  context.strokeStyle = style;
  context.strokeRect(x - 1, y + 1, width + 2, height - 2);
}

function draw() {
  if (!layer)
    return;
  element('wide').style.width = columns * columnPixels + 'px';
  const width = scroll.clientWidth, left = scroll.scrollLeft;
  const context = sizeCanvas(canvas, width, rows * ROW_PIXELS + AXIS_PIXELS);
  const from = Math.floor(left / columnPixels), to = Math.min(columns, Math.ceil((left + width) / columnPixels));
  context.imageSmoothingEnabled = false;
  if (to > from) {
    drawCells(from, to);
    context.drawImage(picture, from * columnPixels - left, 0, (to - from) * columnPixels, rows * ROW_PIXELS);
  }
  drawAxis(context, left, width);
  if (first)
    outline(context, first, left, colour('--second'));
  if (selected)
    outline(context, selected, left, colour('--match'));
  drawOverview();
}

// The busiest second of each pixel; scrolling does not change it.
function barsOf(width) {
  if (layer.bars && layer.bars.length === width)
    return layer.bars;
  layer.bars = new Float64Array(width);
  for (let x = 0; x < width; x++) {
    const begin = Math.floor(x * columns / width), end = Math.max(Math.ceil((x + 1) * columns / width), begin + 1);
    for (let i = begin; i < end && i < columns; i++)
      layer.bars[x] = Math.max(layer.bars[x], layer.seconds[i]);
  }
  return layer.bars;
}

function drawOverview() {
  const width = scroll.offsetWidth, height = 40, context = sizeCanvas(overview, width, height);
  context.fillStyle = colour('--first');
  barsOf(width).forEach((value, x) => {
    const bar = height * value / layer.mostSecond;
    context.fillRect(x, height - bar, 1, bar);
  });
  if (episode) {
    context.fillStyle = colour('--match');
    context.fillRect(episode.from * width / columns, 0, Math.max((episode.to - episode.from) * width / columns, 2), 4);
  }
  const scale = width / (columns * columnPixels);
  context.strokeStyle = colour('--match');
  context.strokeRect(scroll.scrollLeft * scale + 0.5, 0.5, Math.max(scroll.clientWidth * scale - 1, 2), height - 1);
}

let isDrawing = false;
function drawSoon() {
  if (isDrawing)
    return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    draw();
  });
}

// ---- what a rectangle has ----

const cellsOf = (r) => (r.to - r.from) * (r.bottom - r.top);
const sumOf = (r) => heatCells.sum(layer, r, data.parents.length);
const whole = () => ({ from: 0, to: columns, top: 0, bottom: rows });

// The costs of the first rectangle are those of as much time as the second has.
function flameData(r) {
  const { selves, total } = sumOf(r), { frames, library, words, parents, names } = data;
  const columnsOf = { unit: unit(), frames, library, words, parents, names, selves, before: null };
  if (first && selected) {
    const share = cellsOf(r) / cellsOf(first);
    columnsOf.before = sumOf(first).selves.map((n) => Math.round(10 * n * share) / 10);
  }
  return { columnsOf, total };
}

function drawFlames(columnsOf) {
  if (graph) {
    Object.assign(graph.data, columnsOf);
    graph.load();
  } else {
    graph = flameGraph(element('graph'), columnsOf, (text) => { element('frame').textContent = text; });
  }
  element('own').hidden = !graph.hasLibrary();
  element('legend').hidden = !columnsOf.before;
  graph.describe(graph.root);
  search();
}

function isInside(r, us) {
  const column = Math.floor(us / 1e6), row = Math.floor(us % 1e6 / 1000 / ROW_MS);
  return column >= r.from && column < r.to && row >= r.top && row < r.bottom;
}

function eventRow(kind, [begin, lasting, program, name, thread]) {
  const row = document.createElement('tr');
  const where = [data.programs.length > 1 ? data.programs[program] : '', thread ? data.frames[thread - 1] : ''].filter(Boolean).join(', ');
  const texts = [`${(begin / 1e6).toFixed(3)} s`, lasting ? `${(lasting / 1000).toFixed(3)} ms` : '', kind, data.frames[name] + (where ? ` (${where})` : '')];
  row.append(...texts.map((text) => Object.assign(document.createElement('td'), { textContent: text })));
  return row;
}

function showEvents(r) {
  const found = [], counts = [], partial = [];
  for (const { kind, count, rows: all } of data.events) {
    const inside = all.filter((e) => isInside(r, e[0]) && (layer.program === null || e[2] === layer.program));
    found.push(...inside.map((e) => [kind, e]));
    if (inside.length)
      counts.push(`${inside.length} ${kind}${inside.length > 1 ? 's' : ''}`);
    if (all.length < count)
      partial.push(`the page lists ${all.length} of ${count} ${kind}s`);
  }
  found.sort((a, b) => a[1][0] - b[1][0]);
  const shown = found.length > ROWS_SHOWN ? `the first ${ROWS_SHOWN} are shown` : '';
  element('eventful').textContent = [counts.join(', ') || 'No events', shown, ...partial].filter(Boolean).join('; ') + '.';
  element('events').tBodies[0].replaceChildren(...found.slice(0, ROWS_SHOWN).map(([kind, e]) => eventRow(kind, e)));
  element('events').hidden = !found.length;
}

function showRange(total) {
  const text = selected ? `Selected: ${rectangleText(selected)}: ${amount(total)}${rangeOption(selected)}` : `All: ${amount(total)}`;
  const other = first ? `, compared with ${rectangleText(first)}: ${amount(sumOf(first).total)}` : '';
  element('range').textContent = text + other + (isComparing ? '. Drag the rectangle that is to be compared with it.' : '');
  element('range').dataset.total = total;
  element('compare').disabled = !selected;
  element('compare').setAttribute('aria-pressed', isComparing);
}

// Of the selected rectangle, or of all.
function show() {
  const r = selected || whole(), { columnsOf, total } = flameData(r);
  showRange(total);
  drawFlames(columnsOf);
  showEvents(r);
  writeLink();
  draw();
}

// ---- what stands out ----

const LEAST_TIMES = 2, LEAST_COUNT = 50, WINDOWS = 100;

// The seconds that have the most above the median of all, each window of them at least twice that, and more than chance
// gives a count; null: there are none.
function episodeOf() {
  const width = [60, 10, 1].find((seconds) => columns / seconds >= WINDOWS);
  if (!width || unit() === 'ns')
    return null;
  const sums = [];
  for (let from = 0; from < columns; from += width)
    sums.push(layer.seconds.subarray(from, from + width).reduce((sum, value) => sum + value, 0));
  const median = [...sums].sort((a, b) => a - b)[sums.length >> 1], least = Math.max(LEAST_TIMES * median, median + 5 * Math.sqrt(median), 1);
  let best = null, from = 0, more = 0, sum = 0;
  for (let i = 0; i <= sums.length; i++) {
    if (i < sums.length && sums[i] >= least) {
      more += sums[i] - median;
      sum += sums[i];
      continue;
    }
    if (sum >= LEAST_COUNT && (!best || more > best.more))
      best = { from: from * width, to: Math.min(i * width, columns), top: 0, bottom: rows, more, sum };
    from = i + 1;
    more = sum = 0;
  }
  return best && best.to - best.from < columns / 4 ? best : null;
}

// The innermost method below which most is that a rectangle has more than its share of all; null: it is everywhere.
function causeOf(r) {
  const { selves } = sumOf(r), all = sumOf(whole()).selves, share = cellsOf(r) / cellsOf(whole());
  const { parents, names, library, frames, words } = data, isLibrary = new Set(library), more = selves.map((n, i) => n - share * all[i]);
  for (let i = parents.length - 1; i >= 0; i--) // a caller is before its callees
    if (parents[i])
      more[parents[i] - 1] += more[i];
  const allMore = more.reduce((sum, n, i) => sum + (parents[i] ? 0 : n), 0);
  let cause = -1;
  for (let i = 0; i < parents.length; i++)
    if (more[i] > allMore / 2 && !isLibrary.has(names[i]))
      cause = i;
  return cause < 0 ? null : { name: words[names[cause]] || frames[names[cause]], share: more[cause] / allMore };
}

function showEpisode() {
  episode = episodeOf();
  element('episode').hidden = !episode;
  if (!episode)
    return;
  const { from, to, sum } = episode, cause = causeOf(episode), all = layer.seconds.reduce((n, value) => n + value, 0);
  const percent = (part) => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;
  const when = data.start_ms ? `${clock(from)} to ${clock(to).slice(11)}` : `${from} s to ${to} s`;
  const why = cause ? ` Most of what it has more is in ${cause.name} (${percent(cause.share)}).` : '';
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Compare with all' });
  button.addEventListener('click', () => {
    first = whole();
    selected = { from, to, top: 0, bottom: rows };
    showSelected();
    show();
  });
  element('episode').replaceChildren(`${when} has ${percent(sum / all)} of all ${unit()}, in ${percent((to - from) / columns)} of the time.${why}`, button);
}

// ---- links: #t=3-17&ms=100-400&weight=pauses&program=1, in seconds, and in ms of each ----

function writeLink() {
  const parts = new URLSearchParams();
  if (selected)
    parts.set('t', `${selected.from}-${selected.to}`);
  if (selected && !(selected.top === 0 && selected.bottom === rows))
    parts.set('ms', `${selected.top * ROW_MS}-${selected.bottom * ROW_MS}`);
  if (weightChoice.selectedIndex > 0)
    parts.set('weight', data.weights[weightChoice.value].key);
  if (programChoice.value !== '')
    parts.set('program', programChoice.value);
  if (parts.size || location.hash)
    history.replaceState(null, '', parts.size ? `#${parts}` : location.pathname + location.search);
}

// Whole numbers from <= i < to, cut to 0 and the most; null: it is no such range.
function rangeOf(text, most) {
  const match = /^(\d+(?:\.\d+)?)[-~](\d+(?:\.\d+)?)$/.exec(text || '');
  const from = match ? Math.floor(match[1]) : 0, to = match ? Math.min(most, Math.ceil(match[2])) : 0;
  return from < to ? { from, to } : null;
}

// Sets the choices and the rectangle of the link; the caller draws.
function readLink() {
  const parts = new URLSearchParams(location.hash.slice(1)), t = rangeOf(parts.get('t'), columns);
  const ms = rangeOf(parts.get('ms'), 1000) || { from: 0, to: 1000 };
  const weight = data.weights.findIndex(({ key }) => key === parts.get('weight')), choices = [...weightChoice.options].map((o) => Number(o.value));
  weightChoice.selectedIndex = Math.max(0, choices.indexOf(weight));
  programChoice.value = data.programs[parts.get('program')] ? parts.get('program') : '';
  first = null;
  isComparing = false;
  selected = t && { ...t, top: Math.floor(ms.from / ROW_MS), bottom: Math.ceil(ms.to / ROW_MS) };
}

// Draws the columns of the rectangle in the middle, or of what stands out.
function showSelected() {
  const shown = selected || episode;
  if (shown)
    scroll.scrollLeft = (shown.from + shown.to) / 2 * columnPixels - scroll.clientWidth / 2;
}

// ---- rectangles ----

function select(rectangle) {
  if (isComparing && rectangle) {
    first = selected;
    isComparing = false;
  }
  selected = rectangle;
  if (!rectangle) {
    first = null;
    isComparing = false;
  }
  show();
}

function compare() {
  if (!selected)
    return;
  isComparing = !isComparing;
  first = null;
  show();
}

function cellAt(event) {
  const box = canvas.getBoundingClientRect(), y = event.clientY - box.top;
  const column = Math.floor((event.clientX - box.left + scroll.scrollLeft) / columnPixels);
  return { column: Math.max(0, Math.min(columns - 1, column)), row: Math.max(0, Math.min(rows - 1, Math.floor(y / ROW_PIXELS))), isAxis: y >= rows * ROW_PIXELS };
}

// On the axis below the cells all rows are in it.
function rectangleOf(a, b) {
  const isWhole = a.isAxis;
  return {
    from: Math.min(a.column, b.column),
    to: Math.max(a.column, b.column) + 1,
    top: isWhole ? 0 : Math.min(a.row, b.row),
    bottom: isWhole ? rows : Math.max(a.row, b.row) + 1,
  };
}

function describe({ column, row, isAxis }) {
  const value = isAxis ? layer.seconds[column] : layer.shades[column * rows + row];
  status.textContent = `${clock(column)}, ${isAxis ? 'the whole second' : `${row * ROW_MS} to ${(row + 1) * ROW_MS} ms`}: ${amount(value)}`;
}

let pressed = null, drawn = null;

canvas.addEventListener('mousedown', (event) => {
  if (event.button === 0 && layer)
    pressed = cellAt(event);
});
canvas.addEventListener('mousemove', (event) => { if (layer) describe(cellAt(event)); });
window.addEventListener('mousemove', (event) => {
  if (!pressed)
    return;
  drawn = rectangleOf(pressed, cellAt(event));
  draw();
  outline(canvas.getContext('2d'), drawn, scroll.scrollLeft, colour('--match'));
});
window.addEventListener('mouseup', (event) => {
  if (!pressed)
    return;
  const rectangle = rectangleOf(pressed, cellAt(event));
  pressed = drawn = null;
  select(rectangle);
});

// Moves the rectangle, or with `grows` its end.
function step(x, y, grows) {
  const column = Math.floor(scroll.scrollLeft / columnPixels);
  const r = { ...(selected || { from: column, to: column + 1, top: 0, bottom: rows }) };
  const dx = Math.max(grows ? r.from + 1 - r.to : -r.from, Math.min(columns - r.to, x));
  const dy = Math.max(grows ? r.top + 1 - r.bottom : -r.top, Math.min(rows - r.bottom, y));
  r.to += dx;
  r.bottom += dy;
  if (!grows) {
    r.from += dx;
    r.top += dy;
  }
  if (r.from * columnPixels < scroll.scrollLeft || r.to * columnPixels > scroll.scrollLeft + scroll.clientWidth)
    scroll.scrollLeft = r.from * columnPixels - scroll.clientWidth / 2;
  select(r);
}

const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

scroll.addEventListener('keydown', (event) => {
  if (moves[event.key]) {
    step(...moves[event.key], event.shiftKey);
    event.preventDefault();
  } else if (event.key === 'Escape') {
    select(null);
  }
});

// ---- controls ----

// The column in the middle stays there.
function zoom(by) {
  const middle = (scroll.scrollLeft + scroll.clientWidth / 2) / columnPixels;
  columnPixels = widths[Math.max(0, Math.min(widths.length - 1, widths.indexOf(columnPixels) + by))];
  element('wide').style.width = columns * columnPixels + 'px';
  scroll.scrollLeft = middle * columnPixels - scroll.clientWidth / 2;
  draw();
}

function search() {
  const match = graph.search(element('query').value);
  element('matched').textContent = graph.foundText(match);
}

// Of another choice that was made meanwhile, the later one counts.
let requests = 0;

async function load() {
  const weight = Number(weightChoice.value), program = programChoice.value === '' ? null : Number(programChoice.value);
  const request = ++requests;
  let loaded;
  status.textContent = 'Reading the cells...';
  try {
    loaded = await heatCells.load(data, weight, program);
  } catch (error) {
    status.textContent = `This browser cannot read the cells: ${error.message}`;
    return;
  }
  if (request !== requests)
    return;
  layer = loaded;
  layer.most = strongest(layer.shades);
  layer.mostSecond = layer.seconds.reduce((most, value) => Math.max(most, value), 0) || 1;
  element('scale').textContent = `strongest colour: ${amount(layer.most)} in 20 ms`;
  status.textContent = '';
  showEpisode();
  show();
}

// A click shows the part around it.
function goTo(event) {
  const box = overview.getBoundingClientRect();
  scroll.scrollLeft = (event.clientX - box.left) / box.width * columns * columnPixels - scroll.clientWidth / 2;
}

function fillChoices() {
  data.weights.forEach(({ title }, i) => {
    if (data.pieces.some((piece) => piece.weight === i))
      weightChoice.append(new Option(title, i));
  });
  programChoice.append(new Option('All programs', ''), ...data.programs.map((name, i) => new Option(name, i)));
  programChoice.hidden = data.programs.length < 2;
}

weightChoice.addEventListener('change', load);
programChoice.addEventListener('change', load);
overview.addEventListener('mousedown', goTo);
overview.addEventListener('mousemove', (event) => { if (event.buttons === 1) goTo(event); });
scroll.addEventListener('scroll', drawSoon);
window.addEventListener('resize', () => { draw(); if (graph) graph.draw(); });
darkness.addEventListener('change', () => { pixels = palette(); draw(); if (graph) graph.draw(); });
element('in').addEventListener('click', () => zoom(1));
element('out').addEventListener('click', () => zoom(-1));
element('compare').addEventListener('click', compare);
element('clear').addEventListener('click', () => select(null));
element('query').addEventListener('input', search);
element('invert').addEventListener('click', () => { element('invert').setAttribute('aria-pressed', graph.invert()); search(); });
element('own').addEventListener('click', () => { element('own').setAttribute('aria-pressed', graph.toggleOwn()); search(); });
element('reset').addEventListener('click', () => graph.zoom(graph.root));
for (const form of document.forms)
  form.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  if (['INPUT', 'SELECT'].includes(event.target.tagName))
    return;
  const does = { c: compare, '+': () => zoom(1), '-': () => zoom(-1), '/': () => element('query').focus() }[event.key];
  if (does) {
    does();
    event.preventDefault();
  }
});

fillChoices();
columnPixels = widths.findLast((width) => columns * width <= scroll.clientWidth) || (columns <= 3600 ? 2 : 1);
element('wide').style.width = columns * columnPixels + 'px';
readLink();
window.addEventListener('hashchange', () => { readLink(); load().then(showSelected); });
load().then(showSelected);
return {
  data, select, compare, sumOf, zoom, load,
  get layer() { return layer; },
  get selected() { return selected; },
  get first() { return first; },
  get graph() { return graph; },
  get columnPixels() { return columnPixels; },
};
})();
