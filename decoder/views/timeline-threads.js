// The Haskell threads over time, those of one label together: the busiest first, the rest as one lane, and apart from
// them the threads of the runtime.
const timelineThreads = (() => {
'use strict';

const ROW = 16, GROUPS = 12, MEMBERS = 12, TICK = 90, MARK = 14;
const { amount, colours } = timelinePlots;
const { addZoom, zoomText, labelsOf, ticksOf, LABEL, AXIS } = timelineIntervals;

// An interval that is so wide shows the runs in it one by one.
const WIDE = 3, RUN_COLUMNS = 4;

// The number of a thread, and its label.
function partsOf(name) {
  const parts = /^Thread (\d+)(?: ([^]*))?$/.exec(name);
  return { parts, key: parts ? parts[1] : name };
}

// For how long each thread ran in each interval.  What began in one and ended in another is spread over both.
function threadsOf(data) {
  const { cells, names } = data.tables.threads, all = new Map();
  for (let i = 0; i < cells.length; i += 5) {
    const name = data.names[names[cells[i] - 1]], { parts, key } = partsOf(name);
    const [begin, end, ns] = [cells[i + 1], cells[i + 2], cells[i + 4]];
    if (!all.has(key))
      all.set(key, { name: '', label: '', total: 0, run: new Float64Array(data.bins), runs: [] });
    const thread = all.get(key);
    if (!thread.label && parts && parts[2])
      thread.label = parts[2];
    thread.name = thread.label ? `${key} ${thread.label}` : name;
    thread.total += ns;
    for (let bin = begin; bin <= end; bin++)
      thread.run[bin] += ns / (end - begin + 1);
  }
  for (let i = 0; i < data.runs.length; i += RUN_COLUMNS) {
    const [name, lane, begin, ns] = data.runs.slice(i, i + RUN_COLUMNS), thread = all.get(partsOf(data.names[name]).key);
    if (thread)
      thread.runs.push({ begin, end: begin + ns, ns, lane: data.names[lane], thread });
  }
  return [...all.values()].sort((a, b) => b.total - a.total);
}

const isOfRuntime = (label) => /^(IOManager|TimerManager)|finalizer/.test(label);

// A lane of several threads: for how long any of them ran.
function sumOf(name, threads, isOpen) {
  const run = new Float64Array(threads[0].run.length);
  for (const thread of threads)
    thread.run.forEach((ns, bin) => { run[bin] += ns; });
  const runs = threads.flatMap((thread) => thread.runs);
  return { name, run, runs, threads, isOpen, total: threads.reduce((sum, t) => sum + t.total, 0) };
}

// Threads without a label are a group each while they are few.
function groupsOf(data) {
  const threads = threadsOf(data), own = threads.filter((t) => !isOfRuntime(t.label)), runtime = threads.filter((t) => isOfRuntime(t.label));
  const labels = Map.groupBy(own, (t) => t.label || (own.length <= GROUPS ? t.name : ''));
  const groups = [...labels].map(([label, all]) => (all.length === 1 ? sumOf(all[0].name, all, false)
    : sumOf(`${label || 'no label'} (${all.length} threads)`, all, false))).sort((a, b) => b.total - a.total);
  const shown = groups.slice(0, GROUPS), rest = groups.slice(GROUPS).flatMap((g) => g.threads);
  if (rest.length)
    shown.push(sumOf(`${rest.length} others`, rest, false));
  if (runtime.length)
    shown.push(sumOf(`runtime (${runtime.length} threads)`, runtime, false));
  return { shown, count: threads.length };
}

// The lanes that are drawn: a group that is open is followed by its busiest threads.
function lanesOf(groups) {
  return groups.flatMap((group) => {
    const lane = { name: group.name, run: group.run, runs: group.runs, total: group.total, group, width: group.threads.length };
    if (!group.isOpen)
      return [lane];
    const members = group.threads.slice(0, MEMBERS).map((t) => ({ name: t.name, run: t.run, runs: t.runs, total: t.total, width: 1 }));
    const left = group.threads.slice(MEMBERS);
    if (left.length)
      members.push({ ...sumOf(`${left.length} others`, left, false), width: left.length });
    return [lane, ...members];
  });
}

function threadsView(data, view, zoom, time) {
  const { shown, count } = groupsOf(data);
  if (count < 2)
    return null;
  const figure = document.createElement('figure'), caption = document.createElement('figcaption'), canvas = document.createElement('canvas');
  const status = document.createElement('p'), place = document.createElement('span');
  let lanes = lanesOf(shown);
  place.className = 'at';
  caption.append('Haskell threads', place);
  figure.className = 'intervals threads';
  canvas.className = 'flame';
  status.className = 'status';
  status.setAttribute('role', 'status');
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'Haskell threads over time, by label: a click or Enter opens the threads of a label, drag, + and - zoom to single runs, arrows move, Escape shows the range; the table CPU has their sums');
  figure.append(caption, canvas, status);

  const width = () => canvas.clientWidth - LABEL;
  const xOf = (bin) => LABEL + (bin - zoom.from) / (zoom.to - zoom.from) * width();
  const isWide = () => width() / (zoom.to - zoom.from) >= WIDE;

  // The height is the share of the time in which one of so many threads ran, of one processor at most.
  function drawShares(context, lane, y) {
    for (let bin = Math.floor(zoom.from); bin < zoom.to; bin++) {
      const share = Math.min(1, lane.run[bin] / data.width), h = Math.max(share * (ROW - 3), 1.5);
      const x = Math.max(xOf(bin), LABEL);
      if (share)
        context.fillRect(x, y + ROW - 3 - h, Math.max(xOf(bin + 1) - x, 0.7), h);
    }
  }

  function drawRuns(context, lane, y) {
    for (const run of lane.runs) {
      const x = Math.max(xOf(run.begin / data.width), LABEL), right = xOf(run.end / data.width);
      if (right >= LABEL && x <= canvas.clientWidth)
        context.fillRect(x, y, Math.max(right - x - (right - x > 3 ? 0.7 : 0), 0.7), ROW - 3);
    }
  }

  // Where runs are left out, as they are too many and short, their shares remain.
  function drawLane(context, lane, y) {
    context.fillStyle = colours.run;
    context.globalAlpha = isWide() && data.left_out.runs ? 0.35 : 1;
    if (!isWide() || data.left_out.runs)
      drawShares(context, lane, y);
    context.globalAlpha = 1;
    if (isWide())
      drawRuns(context, lane, y);
  }

  function drawAxis(context, style) {
    for (const { bin, text } of ticksOf(data, time, width() / TICK, zoom.from, zoom.to)) {
      const x = xOf(bin), half = context.measureText(text).width / 2;
      context.fillStyle = style.borderTopColor;
      context.fillRect(Math.round(x), 0, 1, lanes.length * ROW);
      context.fillStyle = style.color;
      context.fillText(text, Math.min(x - half, canvas.clientWidth - 2 * half - 2), lanes.length * ROW + AXIS - 5);
    }
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1, style = getComputedStyle(canvas), context = canvas.getContext('2d');
    place.textContent = zoomText(zoom, data, time);
    canvas.style.height = `${lanes.length * ROW + AXIS}px`;
    canvas.dataset.runs = isWide() ? lanes.filter((lane) => !lane.group || !lane.group.isOpen).reduce((sum, lane) => sum +
      lane.runs.filter((run) => run.end > zoom.from * data.width && run.begin < zoom.to * data.width).length, 0) : '';
    canvas.dataset.lanes = lanes.map((lane) => lane.name).join('\n');
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    context.scale(ratio, ratio);
    context.font = `12px ${style.fontFamily}`;
    drawAxis(context, style);
    const labels = labelsOf(context, lanes.map((lane) => lane.name), LABEL - MARK - 8);
    lanes.forEach((lane, i) => {
      const isGroup = lane.group && lane.width > 1;
      context.fillStyle = style.color;
      context.fillText(isGroup ? (lane.group.isOpen ? '▾' : '▸') : '', 2, i * ROW + ROW - 4);
      context.fillText(labels[i], lane.group ? MARK : MARK + 6, i * ROW + ROW - 4);
      drawLane(context, lane, i * ROW);
    });
  }

  const laneAt = (event) => lanes[Math.floor((event.clientY - canvas.getBoundingClientRect().top) / ROW)];
  const toggle = (group) => {
    group.isOpen = !group.isOpen;
    lanes = lanesOf(shown);
    draw();
  };
  canvas.addEventListener('click', (event) => {
    const lane = laneAt(event);
    if (!canvas.dataset.dragged && lane && lane.group && lane.width > 1)
      toggle(lane.group);
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter')
      return;
    const isOpen = shown.every((group) => group.isOpen);
    shown.forEach((group) => { group.isOpen = !isOpen; });
    lanes = lanesOf(shown);
    draw();
  });
  canvas.addEventListener('pointermove', (event) => {
    const lane = laneAt(event), ns = (zoom.from + (event.offsetX - LABEL) / width() * (zoom.to - zoom.from)) * data.width;
    const near = (zoom.to - zoom.from) * data.width / width(), run = lane && isWide() && lane.runs.find((r) => ns >= r.begin && ns < Math.max(r.end, r.begin + near));
    status.textContent = run ? `${run.thread.name}: ran for ${amount(run.ns, 'ns')} on ${run.lane.replace(/^C/, 'c')}, from ${time.fine(run.begin)} to ${time.fine(run.end)}`
      : lane ? `${lane.name}: ran for ${amount(lane.total, 'ns')}` : '';
  });
  addZoom(canvas, zoom, view);
  zoom.draw.push(draw);
  return { figure, draw };
}

return { threadsView };
})();
