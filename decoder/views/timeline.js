// The timeline of a report: lanes of threads, plots, and a range of time that all of it and the tables
// of the page show.
(() => {
'use strict';

const LANE = 17, TICK = 90;
const { amount, clock, colours, perInterval, plotsOf, marksAt, viewOf, curveView, addScales, shareScales } = timelinePlots;
const { pageViews, note } = timelineTables;
const { flameView } = timelineFlames;
const { intervalsView, zoomOf, labelsOf, ticksOf, LABEL, AXIS } = timelineIntervals;

const { threadsView } = timelineThreads;

// ---- lanes ----

function lanesView(data, exceptions, view, time) {
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'Threads over time: drag or press Enter to select a range, arrows move it, with Shift its end, Escape shows all');
  canvas.className = 'lanes';
  const most = data.lanes.map((lane) => Math.max(1, ...(lane.events || [])));
  const rows = data.lanes.length + (exceptions ? 1 : 0) + (data.marks.length ? 1 : 0);
  canvas.style.height = `${rows * LANE + 4 + AXIS}px`;

  const width = () => canvas.clientWidth - LABEL;
  const xOf = (bin) => LABEL + bin / data.bins * width();

  function drawLane(context, lane, i, y) {
    const step = width() / data.bins, height = LANE - 3;
    for (let bin = 0; bin < data.bins; bin++) {
      const x = xOf(bin), w = Math.max(step, 0.7);
      let bottom = y + height;
      if (lane.events && lane.events[bin]) {
        context.globalAlpha = 0.25 + 0.5 * Math.log(1 + lane.events[bin]) / Math.log(1 + most[i]);
        context.fillStyle = colours.events;
        context.fillRect(x, y + height * 0.45, w, height * 0.55);
        context.globalAlpha = 1;
      }
      for (const state of ['run', 'lock', 'gc']) {
        const share = lane[state] ? Math.min(lane[state][bin] / 1000, 1) : 0;
        if (!share)
          continue;
        const h = Math.max(share * height, 1.5);
        context.fillStyle = colours[state];
        context.fillRect(x, Math.max(y, bottom - h), w, h);
        bottom -= h;
      }
    }
  }

  function drawTicks(context, bins, y, colour) {
    context.fillStyle = colour;
    for (const bin of bins)
      context.fillRect(xOf(bin), y + 2, Math.max(width() / data.bins, 1.5), LANE - 6);
  }

  function drawLabel(context, text, y, colour) {
    context.fillStyle = colour;
    context.fillText(text, 2, y + LANE - 6);
  }

  function drawAxis(context, style) {
    const bottom = canvas.clientHeight;
    for (const { bin, text } of ticksOf(data, time, width() / TICK, 0, data.bins)) {
      const x = xOf(bin), half = context.measureText(text).width / 2;
      context.fillStyle = style.borderTopColor;
      context.fillRect(Math.round(x), 0, 1, bottom - AXIS + 3);
      context.fillStyle = style.color;
      context.fillText(text, Math.min(x - half, canvas.clientWidth - 2 * half - 2), bottom - 5);
    }
  }

  // The lanes are drawn again if their size or colours change; a range is drawn over them.
  let picture = null;

  function pictureOf(ratio, style) {
    const key = [canvas.clientWidth, canvas.clientHeight, ratio, style.color].join();
    if (!picture || picture.dataset.key !== key) {
      picture = document.createElement('canvas');
      picture.dataset.key = key;
      picture.width = canvas.clientWidth * ratio;
      picture.height = canvas.clientHeight * ratio;
      const context = picture.getContext('2d');
      context.scale(ratio, ratio);
      drawLanes(context, style);
    }
    return picture;
  }

  function drawLanes(context, style) {
    context.font = `12px ${style.fontFamily}`;
    drawAxis(context, style);
    let y = 2;
    const labels = labelsOf(context, data.lanes.map((lane) => lane.name), LABEL - 8);
    canvas.dataset.labels = labels.join('\n');
    data.lanes.forEach((lane, i) => {
      drawLabel(context, labels[i], y, style.color);
      drawLane(context, lane, i, y);
      y += LANE;
    });
    if (exceptions) {
      drawLabel(context, 'Exceptions', y, style.color);
      drawTicks(context, exceptions.flatMap((n, bin) => (n ? [bin] : [])), y, '#9a58b5');
      y += LANE;
    }
    if (data.marks.length) {
      drawLabel(context, 'Marks', y, style.color);
      const bins = new Set();
      for (let i = 0; i < data.marks.length; i += 2)
        bins.add(Math.floor(data.marks[i] / data.width));
      drawTicks(context, bins, y, '#3b76c4');
    }
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1, style = getComputedStyle(canvas), context = canvas.getContext('2d');
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    if (canvas.width)
      context.drawImage(pictureOf(ratio, style), 0, 0);
    context.scale(ratio, ratio);
    if (view.from > 0 || view.to < data.bins) {
      context.fillStyle = style.backgroundColor;
      context.globalAlpha = 0.6;
      context.fillRect(LABEL, 0, xOf(view.from) - LABEL, canvas.clientHeight - AXIS);
      context.fillRect(xOf(view.to), 0, width(), canvas.clientHeight - AXIS);
      context.globalAlpha = 1;
    }
  }

  const binAt = (event) => {
    const x = event.clientX - canvas.getBoundingClientRect().left - LABEL;
    return Math.max(0, Math.min(data.bins - 1, Math.floor(x / width() * data.bins)));
  };
  let anchor = null;
  canvas.addEventListener('pointerdown', (event) => {
    anchor = binAt(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const bin = binAt(event);
    if (anchor !== null)
      view.select(Math.min(anchor, bin), Math.max(anchor, bin) + 1);
    else
      view.describe(bin, Math.floor((event.clientY - canvas.getBoundingClientRect().top - 2) / LANE));
  });
  canvas.addEventListener('pointerup', (event) => {
    if (anchor === binAt(event))
      view.select(0, data.bins);
    anchor = null;
  });
  // Without a pointer a range begins in the middle.
  const beginRange = () => {
    const from = Math.floor(data.bins * 0.45);
    view.select(from, Math.max(from + 1, Math.ceil(data.bins * 0.55)));
  };
  const moveRange = (bins) => view.select(view.from + bins, view.to + bins);
  canvas.addEventListener('keydown', (event) => {
    const isWhole = view.from === 0 && view.to === data.bins, length = Math.max(1, Math.floor((view.to - view.from) / 10));
    const step = event.key === 'ArrowLeft' ? -length : event.key === 'ArrowRight' ? length : 0;
    if (event.key === 'Escape')
      view.select(0, data.bins);
    else if (isWhole && (step || event.key === 'Enter'))
      beginRange();
    else if (step && event.shiftKey)
      view.select(view.from, Math.max(view.from + 1, Math.min(data.bins, view.to + step)));
    else if (step)
      moveRange(Math.max(-view.from, Math.min(step, data.bins - view.to)));
    else
      return;
    event.preventDefault();
  });
  return { canvas, draw, marksRow: data.marks.length ? rows - 1 : -1 };
}

// ---- the section ----

// Below the lanes, and the exceptions, are the marks: a tick is some pixels wide.
function describeMarks(data, bin, time) {
  const names = marksAt(data, (bin - 1) * data.width, (bin + 2) * data.width);
  return `${time.text(bin)}${names.length ? `: ${names.length === 1 ? 'mark' : 'marks'} ${names.slice(0, 5).join(', ')}` : ''}` +
    `${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
}

function describeLane(data, bin, row, time) {
  const lane = data.lanes[row];
  const states = lane ? [['run', 'runs'], ['lock', 'waits'], ['gc', 'collects']].filter(([key]) => lane[key] && lane[key][bin])
    .map(([key, text]) => `${text} ${(lane[key][bin] / 10).toFixed(1)} %`) : [];
  if (lane && lane.events && lane.events[bin])
    states.push(`${lane.events[bin].toLocaleString('en')} events`);
  return `${time.text(bin)}${lane ? `: ${lane.name}${states.length ? `: ${states.join(', ')}` : ''}` : ''}`;
}

const heapNotes = (data) => data.heaps.filter((h) => h.left_out)
  .map((h) => `${h.title}: ${h.points} of ${h.points + h.left_out} are drawn.`);

// The samples of a time profile of GHC stand for its ticks.
function weighTicks({ tables, tick_ns: tick }) {
  for (const { cells } of tick ? [tables.samples, tables.cpu] : [])
    for (let i = 0; i < cells.length; i += 5)
      cells[i + 4] = cells[i + 3] * tick;
}

// Beside the range, a button for the scales of plots that several logs have.
function scalesButton() {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'scales';
  button.textContent = 'Same scales';
  button.title = 'Plots of one title have the same scale in all logs';
  button.setAttribute('aria-pressed', 'true');
  button.addEventListener('click', () => {
    const areShared = button.getAttribute('aria-pressed') === 'false';
    for (const one of document.querySelectorAll('.timeline .scales'))
      one.setAttribute('aria-pressed', String(areShared));
    shareScales(areShared);
  });
  return button;
}

function show(section, data, all, hasScales) {
  const time = clock(data);
  const scope = section.closest('article, [data-section=joint]') || document;
  const status = document.createElement('p'), range = document.createElement('output'), reset = document.createElement('button');
  const legend = document.createElement('p'), plots = document.createElement('div'), head = document.createElement('p');
  const view = { from: 0, to: data.bins };
  data.lanes.sort((a, b) => a.is_of_process - b.is_of_process); // below the threads
  reset.type = 'button';
  reset.textContent = 'Whole log';
  head.className = 'range';
  range.className = 'range-text';
  head.append(range, reset, ...(hasScales ? [scalesButton()] : []));
  status.className = 'status';
  status.setAttribute('role', 'status');
  legend.className = 'legend';
  for (const [key, text] of [['run', 'runs'], ['lock', 'waits'], ['gc', 'collects garbage'], ['events', 'has events']])
    if (data.lanes.some((lane) => lane[key])) {
      const item = document.createElement('span'), mark = document.createElement('i');
      mark.style.background = colours[key];
      item.append(mark, text);
      legend.append(item);
    }
  plots.className = 'plots';
  section.hidden = false;
  for (const link of document.querySelectorAll(`nav a[href="#${section.querySelector('h2').id}"]`))
    link.parentElement.hidden = false;

  const thrown = perInterval(data, data.tables.exceptions, 3);
  const lanes = lanesView(data, thrown.some((n) => n) ? thrown : null, view, time);
  section.append(head, lanes.canvas, legend, status, ...[...data.notes, ...heapNotes(data)].map(note), plots);
  const zoom = zoomOf(data, view);
  const charts = all.map((plot) => viewOf(data, plot, view)), intervals = intervalsView(data, view, zoom, time);
  if (data.utilisation.length > 2)
    charts.push(curveView(data));
  plots.append(...charts.map((chart) => chart.figure));
  if (intervals) {
    legend.after(intervals.figure);
    charts.push(intervals);
  }
  const threads = threadsView(data, view, zoom, time);
  if (threads) {
    legend.after(threads.figure);
    charts.push(threads);
  }
  const flames = flameView(data), views = pageViews(data, scope);
  if (flames) {
    section.append(flames.figure);
    charts.push(flames);
    views.push(flames.select);
  }

  function draw() {
    lanes.draw();
    for (const chart of charts)
      chart.draw();
  }
  view.select = (from, to) => {
    const isWhole = from === 0 && to === data.bins;
    if (from === view.from && to === view.to)
      return;
    view.from = from;
    view.to = to;
    view.refresh(isWhole);
  };
  view.refresh = (isWhole) => {
    range.textContent = `${isWhole ? 'Whole log' : 'Range'}: ${time.text(view.from)} to ${time.text(view.to)}, ` +
      `in intervals of ${amount(data.width, 'ns')}`;
    range.dataset.from = data.begin + view.from * data.width;
    range.dataset.to = data.begin + view.to * data.width;
    reset.disabled = isWhole;
    for (const update of views)
      update(view.from, view.to, isWhole);
    zoom.reset();
    draw();
  };
  view.describe = (bin, row) => {
    status.textContent = row === lanes.marksRow ? describeMarks(data, bin, time) : describeLane(data, bin, row, time);
  };
  reset.addEventListener('click', () => view.select(0, data.bins));
  status.textContent = 'Drag over a range (or press Enter on the lanes): the tables below show it.';
  view.refresh(true);
  let width = section.clientWidth;
  new ResizeObserver(() => {
    if (section.clientWidth !== width)
      draw();
    width = section.clientWidth;
  }).observe(section);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
}

// The scales of all logs are known before the first one is drawn; plots that have all logs in one have their own.
const sections = [...document.querySelectorAll('[data-timeline]')].map((section) => {
  const data = JSON.parse(document.getElementById(section.dataset.timeline).textContent);
  weighTicks(data);
  const isAlone = Boolean(section.closest('[data-section=joint]'));
  return { section, data, plots: plotsOf(data).map((plot) => ({ ...plot, isAlone })) };
});
const areCompared = sections.map(({ plots }) => addScales(plots.filter((plot) => !plot.isAlone))).some((isShared) => isShared);
for (const { section, data, plots } of sections)
  show(section, data, plots, areCompared);
})();
