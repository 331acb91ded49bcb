// The intervals between marks, each in the lane of the thread that had it, those within it below it.
const timelineIntervals = (() => {
'use strict';

const LABEL = 130, AXIS = 18, ROW = 15, GAP = 4, LANES = 24, DEEPEST = 8, TICK = 90, COLUMNS = 6;
const { amount, palette } = timelinePlots;

// ---- labels and times of lanes ----

// The text, or its beginning and end: ids differ at their end.
function fitted(context, text, most) {
  const letters = [...text];
  let shown = text;
  for (let n = letters.length - 1; n > 1 && context.measureText(shown).width > most; n--)
    shown = `${letters.slice(0, Math.ceil(n / 2)).join('')}…${letters.slice(-Math.floor(n / 2)).join('')}`;
  return shown;
}

// The beginning of the text, and what comes from a place on.
function fittedFrom(context, text, place, most) {
  const letters = [...text], from = letters.slice(place), begin = `${letters.slice(0, Math.min(4, place)).join('')}…`;
  let shown = begin + from.join('');
  for (let n = from.length - 1; n > 0 && context.measureText(shown).width > most; n--)
    shown = `${begin}${from.slice(0, n).join('')}…`;
  return shown;
}

// Where the words begin in which these texts first differ.
function firstDifference(texts) {
  const all = texts.map((text) => [...text]);
  let place = 0;
  while (all.every((letters) => letters.length > place && letters[place] === all[0][place]))
    place++;
  while (place > 0 && /[\p{L}\p{N}]/u.test(all[0][place - 1]))
    place--;
  return place;
}

// Names as they fit; those that would look the same show the part in which they differ.
function labelsOf(context, names, most) {
  const labels = names.map((name) => fitted(context, name, most));
  const alike = Map.groupBy(names, (_, i) => labels[i]);
  return names.map((name, i) => {
    const same = [...new Set(alike.get(labels[i]))];
    return same.length > 1 ? fittedFrom(context, name, firstDifference(same), most) : labels[i];
  });
}

// Round times of so many at most between two bins, in the unit of the clock.
function ticksOf(data, time, most, from, to) {
  const begin = (data.begin + from * data.width) / time.factor, end = (data.begin + to * data.width) / time.factor;
  const least = (end - begin) / Math.max(most, 1), decade = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((n) => n * decade).find((s) => s >= least) || 10 * decade;
  const ticks = [];
  for (let i = Math.ceil(begin / step - 1e-9); i * step <= end; i++)
    ticks.push({ bin: (i * step * time.factor - data.begin) / data.width, text: `${Number((i * step).toPrecision(9))} ${time.name}` });
  return ticks;
}

// ---- zoom ----

// The part of the range that figures of single events show, in bins, which need not be whole.
const LEAST_NS = 1000, MOVED = 4;

function zoomOf(data, view) {
  const zoom = { from: 0, to: data.bins, isWhole: true, draw: [] };
  zoom.show = (from, to) => {
    const least = Math.min(LEAST_NS / data.width, view.to - view.from);
    const length = Math.max(least, Math.min(to - from, view.to - view.from));
    zoom.from = Math.max(view.from, Math.min(from, view.to - length));
    zoom.to = zoom.from + length;
    zoom.isWhole = zoom.from <= view.from && zoom.to >= view.to;
    for (const draw of zoom.draw)
      draw();
  };
  // The range has changed.
  zoom.reset = () => Object.assign(zoom, { from: view.from, to: view.to, isWhole: true });
  zoom.scale = (factor, at) => {
    const place = zoom.from + at * (zoom.to - zoom.from), length = (zoom.to - zoom.from) * factor;
    zoom.show(place - at * length, place - at * length + length);
  };
  return zoom;
}

// Dragging over a canvas, + and - zoom; the arrows move; Escape and two clicks show the range.
function addZoom(canvas, zoom, view) {
  const shareAt = (event) => Math.max(0, Math.min(1, (event.clientX - canvas.getBoundingClientRect().left - LABEL) / (canvas.clientWidth - LABEL)));
  let begin = null;
  canvas.tabIndex = 0;
  canvas.style.touchAction = 'pan-y';
  canvas.addEventListener('pointerdown', (event) => {
    begin = { x: event.clientX, share: shareAt(event) };
    canvas.dataset.dragged = '';
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointerup', (event) => {
    const from = begin, share = shareAt(event);
    begin = null;
    if (!from || Math.abs(event.clientX - from.x) < MOVED)
      return;
    canvas.dataset.dragged = 'yes';
    const place = (s) => zoom.from + s * (zoom.to - zoom.from);
    zoom.show(place(Math.min(from.share, share)), place(Math.max(from.share, share)));
  });
  canvas.addEventListener('dblclick', () => zoom.show(view.from, view.to));
  canvas.addEventListener('keydown', (event) => {
    const step = (zoom.to - zoom.from) / 10;
    if (event.key === '+' || event.key === '=')
      zoom.scale(0.5, 0.5);
    else if (event.key === '-')
      zoom.scale(2, 0.5);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      zoom.show(zoom.from + (event.key === 'ArrowLeft' ? -step : step), zoom.to + (event.key === 'ArrowLeft' ? -step : step));
    else if (event.key === 'Escape')
      zoom.show(view.from, view.to);
    else
      return;
    event.preventDefault();
  });
}

// What is shown, beside the title.
function zoomText(zoom, data, time) {
  return zoom.isWhole ? 'drag to zoom' : `${time.fine(zoom.from * data.width)} to ${time.fine(zoom.to * data.width)}; Escape shows the range`;
}

// ---- intervals ----

function intervalsOf(data) {
  const all = [];
  for (let i = 0; i < data.intervals.length; i += COLUMNS) {
    const [lane, depth, time, ns, name, isOpen] = data.intervals.slice(i, i + COLUMNS);
    all.push({ lane, depth, begin: time, end: time + ns, ns, name, isOpen: Boolean(isOpen) });
  }
  return all;
}

// The lanes with intervals in a range, in their order: those with the longest times there, and how many are not shown.
// A lane has as many rows as intervals are within each other.
// Of a thread, its own alone.
function lanesOf(data, all, from, to, thread) {
  const lanes = new Map(), name = (lane) => data.names[data.interval_lanes[lane]].replace(/: intervals(?=$| \()/, '');
  for (const it of all) {
    const ns = Math.min(it.end, to) - Math.max(it.begin, from);
    if (it.begin >= to || it.end < from || (thread && name(it.lane) !== thread))
      continue;
    const lane = lanes.get(it.lane) || { number: it.lane, ns: 0, rows: 1, intervals: [] };
    lane.ns += it.depth ? 0 : ns;
    lane.rows = Math.max(lane.rows, Math.min(it.depth + 1, DEEPEST));
    lane.intervals.push(it);
    lanes.set(it.lane, lane);
  }
  const shown = [...lanes.values()].sort((a, b) => b.ns - a.ns || a.number - b.number).slice(0, LANES).sort((a, b) => a.number - b.number);
  let top = GAP;
  for (const lane of shown) {
    lane.name = name(lane.number);
    lane.top = top;
    lane.intervals.sort((a, b) => a.depth - b.depth || a.begin - b.begin);
    top += lane.rows * ROW + GAP;
  }
  return { shown, left: lanes.size - shown.length, height: top };
}

// The figure of a page with intervals; the range is as wide as it.
function intervalsView(data, view, zoom, time) {
  const all = intervalsOf(data);
  if (!all.length)
    return null;
  const figure = document.createElement('figure'), caption = document.createElement('figcaption'), canvas = document.createElement('canvas');
  const status = document.createElement('p'), names = [...new Set(all.map((it) => it.name))], place = document.createElement('span');
  let lanes = null, range = '', searched = null;
  place.className = 'at';
  caption.append('Intervals by thread', place);
  figure.className = 'intervals';
  canvas.className = 'flame';
  status.className = 'status';
  status.setAttribute('role', 'status');
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'Intervals between marks, by thread: drag, + and - zoom, arrows move, Escape shows the range; the tables of marks have their sums');
  figure.append(caption, canvas, status);

  const width = () => canvas.clientWidth - LABEL;
  const xOf = (ns) => LABEL + (ns / data.width - zoom.from) / (zoom.to - zoom.from) * width();

  function drawInterval(context, lane, it, style) {
    const y = lane.top + it.depth * ROW, x = Math.max(xOf(it.begin), LABEL), right = Math.min(xOf(it.end), canvas.clientWidth);
    const w = Math.max(right - x, 1.5), text = data.names[it.name];
    context.fillStyle = palette[names.indexOf(it.name) % palette.length];
    context.globalAlpha = searched && !searched.has(it.name) ? 0.2 : 1;
    context.fillRect(x, y, w, ROW - 1);
    context.globalAlpha = 1;
    if (w < 12)
      return;
    const [label] = labelsOf(context, [text], w - 6);
    context.fillStyle = style.backgroundColor;
    if (context.measureText(label).width <= w - 6)
      context.fillText(label, x + 3, y + ROW - 4);
  }

  function drawAxis(context, style) {
    for (const { bin, text } of ticksOf(data, time, width() / TICK, zoom.from, zoom.to)) {
      const x = xOf(bin * data.width), half = context.measureText(text).width / 2;
      context.fillStyle = style.borderTopColor;
      context.fillRect(Math.round(x), 0, 1, lanes.height);
      context.fillStyle = style.color;
      context.fillText(text, Math.min(x - half, canvas.clientWidth - 2 * half - 2), lanes.height + AXIS - 5);
    }
  }

  function draw() {
    place.textContent = zoomText(zoom, data, time);
    if (range !== `${zoom.from},${zoom.to},${view.thread}`) {
      range = `${zoom.from},${zoom.to},${view.thread}`;
      lanes = lanesOf(data, all, zoom.from * data.width, zoom.to * data.width, view.thread);
      canvas.style.height = `${lanes.height + AXIS}px`;
      canvas.dataset.lanes = lanes.shown.map((lane) => lane.name).join('\n');
      status.textContent = lanes.left ? `${lanes.left} threads with less time in intervals are not shown.` : '';
    }
    const ratio = window.devicePixelRatio || 1, style = getComputedStyle(canvas), context = canvas.getContext('2d');
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    context.scale(ratio, ratio);
    context.font = `12px ${style.fontFamily}`;
    drawAxis(context, style);
    const labels = labelsOf(context, lanes.shown.map((lane) => lane.name), LABEL - 8);
    lanes.shown.forEach((lane, i) => {
      context.fillStyle = style.color;
      context.fillText(labels[i], 2, lane.top + ROW - 4);
      for (const it of lane.intervals)
        if (it.depth < DEEPEST)
          drawInterval(context, lane, it, style);
    });
  }

  // The interval at a place; the inner ones are smaller.
  function find(event) {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const lane = lanes.shown.find((l) => y >= l.top && y < l.top + l.rows * ROW);
    const depth = lane && Math.floor((y - lane.top) / ROW);
    return lane && { lane, it: lane.intervals.find((i) => i.depth === depth && x >= xOf(i.begin) && x < Math.max(xOf(i.end), xOf(i.begin) + 1.5)) };
  }
  canvas.addEventListener('pointermove', (event) => {
    const found = find(event), it = found && found.it;
    status.textContent = it ? `${found.lane.name}: ${data.names[it.name]}: ` +
      `${it.isOpen ? `from ${time.fine(it.begin)}, it does not end`
        : `${amount(it.ns, 'ns')}, from ${time.fine(it.begin)} to ${time.fine(it.end)}`}` : '';
  });
  addZoom(canvas, zoom, view);
  zoom.draw.push(draw);
  // Others than those of a name with this text are pale.
  const searchText = (text) => {
    const found = names.filter((name) => data.names[name].toLowerCase().includes(text));
    searched = text && found.length ? new Set(found) : null;
    const count = searched ? all.filter((it) => searched.has(it.name)).length : 0;
    return count ? `${count} ${count > 1 ? 'intervals' : 'interval'}` : '';
  };
  return { figure, draw, searchText };
}

return { intervalsView, zoomOf, addZoom, zoomText, labelsOf, ticksOf, LABEL, AXIS };
})();
