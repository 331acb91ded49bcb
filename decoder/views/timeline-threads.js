// The Haskell threads over time, those of one label together: the busiest first, the rest as one lane, and apart from
// them the threads of the runtime.
const timelineThreads = (() => {
'use strict';

const ROW = 16, GROUPS = 12, MEMBERS = 12, TICK = 90, MARK = 14;
const { amount, colours } = timelinePlots;
const { labelsOf, ticksOf, LABEL, AXIS } = timelineIntervals;

// For how long each thread ran in each interval.  What began in one and ended in another is spread over both.
function threadsOf(data) {
  const { cells, names } = data.tables.threads, all = new Map();
  for (let i = 0; i < cells.length; i += 5) {
    const name = data.names[names[cells[i] - 1]], parts = /^Thread (\d+)(?: ([^]*))?$/.exec(name);
    const key = parts ? parts[1] : name, [begin, end, ns] = [cells[i + 1], cells[i + 2], cells[i + 4]];
    if (!all.has(key))
      all.set(key, { name: '', label: '', total: 0, run: new Float64Array(data.bins) });
    const thread = all.get(key);
    if (!thread.label && parts && parts[2])
      thread.label = parts[2];
    thread.name = thread.label ? `${key} ${thread.label}` : name;
    thread.total += ns;
    for (let bin = begin; bin <= end; bin++)
      thread.run[bin] += ns / (end - begin + 1);
  }
  return [...all.values()].sort((a, b) => b.total - a.total);
}

const isOfRuntime = (label) => /^(IOManager|TimerManager)|finalizer/.test(label);

// A lane of several threads: for how long any of them ran.
function sumOf(name, threads, isOpen) {
  const run = new Float64Array(threads[0].run.length);
  for (const thread of threads)
    thread.run.forEach((ns, bin) => { run[bin] += ns; });
  return { name, run, threads, isOpen, total: threads.reduce((sum, t) => sum + t.total, 0) };
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
    const lane = { name: group.name, run: group.run, total: group.total, group, width: group.threads.length };
    if (!group.isOpen)
      return [lane];
    const members = group.threads.slice(0, MEMBERS).map((t) => ({ name: t.name, run: t.run, total: t.total, width: 1 }));
    const left = group.threads.slice(MEMBERS);
    if (left.length)
      members.push({ ...sumOf(`${left.length} others`, left, false), width: left.length });
    return [lane, ...members];
  });
}

function threadsView(data, view, time) {
  const { shown, count } = groupsOf(data);
  if (count < 2)
    return null;
  const figure = document.createElement('figure'), caption = document.createElement('figcaption'), canvas = document.createElement('canvas');
  const status = document.createElement('p');
  let lanes = lanesOf(shown);
  caption.textContent = 'Haskell threads';
  figure.className = 'intervals threads';
  canvas.className = 'flame';
  canvas.tabIndex = 0;
  status.className = 'status';
  status.setAttribute('role', 'status');
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'Haskell threads over time, by label: a click or Enter opens the threads of a label; the table CPU has their sums');
  figure.append(caption, canvas, status);

  const width = () => canvas.clientWidth - LABEL;
  const xOf = (bin) => LABEL + (bin - view.from) / (view.to - view.from) * width();

  // The height is the share of the time in which one of so many threads ran, of one processor at most.
  function drawLane(context, lane, y) {
    context.fillStyle = colours.run;
    for (let bin = view.from; bin < view.to; bin++) {
      const share = Math.min(1, lane.run[bin] / data.width), h = Math.max(share * (ROW - 3), 1.5);
      if (share)
        context.fillRect(xOf(bin), y + ROW - 3 - h, Math.max(xOf(bin + 1) - xOf(bin), 0.7), h);
    }
  }

  function drawAxis(context, style) {
    for (const { bin, text } of ticksOf(data, time, width() / TICK, view.from, view.to)) {
      const x = xOf(bin), half = context.measureText(text).width / 2;
      context.fillStyle = style.borderTopColor;
      context.fillRect(Math.round(x), 0, 1, lanes.length * ROW);
      context.fillStyle = style.color;
      context.fillText(text, Math.min(x - half, canvas.clientWidth - 2 * half - 2), lanes.length * ROW + AXIS - 5);
    }
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1, style = getComputedStyle(canvas), context = canvas.getContext('2d');
    canvas.style.height = `${lanes.length * ROW + AXIS}px`;
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
    if (lane && lane.group && lane.width > 1)
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
    const lane = laneAt(event);
    status.textContent = lane ? `${lane.name}: ran for ${amount(lane.total, 'ns')}` : '';
  });
  return { figure, draw };
}

return { threadsView };
})();
