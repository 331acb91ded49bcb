// The timeline of a report: lanes of threads, plots, and a range of time that all of it and the tables
// of the page show.
(() => {
'use strict';

const LANE = 17, TICK = 90;
const { amount, clock, colours, byName, perInterval, plotsOf, marksAt, viewOf, curveView, addScales, shareScales } = timelinePlots;
const { pageViews, note } = timelineTables;
const { flameView } = timelineFlames;
const { intervalsView, zoomOf, labelsOf, ticksOf, LABEL, AXIS } = timelineIntervals;

const { threadsView } = timelineThreads;
const { follow, write, partsOf } = timelineLinks;
const { heatView } = timelineHeat;

// ---- lanes ----

function lanesView(data, exceptions, view, time) {
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'Threads over time: drag or press Enter to select a range, arrows move it, with Shift its end, up and down select a thread, Escape shows all');
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
  let picture = null, searched = '';
  const isFound = (lane) => lane.name.toLowerCase().includes(searched);
  // Lanes of other threads than the selected one, or than those of the text that is searched, are pale.
  const isPale = (lane) => (view.thread ? lane.name !== view.thread : searched !== '' && !isFound(lane));

  function pictureOf(ratio, style) {
    const key = [canvas.clientWidth, canvas.clientHeight, ratio, style.color, view.thread, searched].join();
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
      if (isPale(lane)) {
        context.globalAlpha = 0.75;
        context.fillStyle = style.backgroundColor;
        context.fillRect(0, y, canvas.clientWidth, LANE);
        context.globalAlpha = 1;
      }
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
  const rowAt = (event) => Math.floor((event.clientY - canvas.getBoundingClientRect().top - 2) / LANE);
  let anchor = null;
  canvas.addEventListener('pointerdown', (event) => {
    const lane = event.clientX - canvas.getBoundingClientRect().left < LABEL ? data.lanes[rowAt(event)] : null;
    if (lane) { // its label
      view.selectThread(lane.name === view.thread ? '' : lane.name);
      return;
    }
    anchor = binAt(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const bin = binAt(event);
    if (anchor !== null)
      view.select(Math.min(anchor, bin), Math.max(anchor, bin) + 1);
    else
      view.describe(bin, rowAt(event));
  });
  canvas.addEventListener('pointerup', (event) => {
    if (anchor !== null && anchor === binAt(event))
      view.select(0, data.bins);
    anchor = null;
  });
  // Without a pointer a range begins in the middle.
  const beginRange = () => {
    const from = Math.floor(data.bins * 0.45);
    view.select(from, Math.max(from + 1, Math.ceil(data.bins * 0.55)));
  };
  const moveRange = (bins) => view.select(view.from + bins, view.to + bins);
  const moveThread = (by) => {
    const at = data.lanes.findIndex((lane) => lane.name === view.thread), next = at < 0 ? (by > 0 ? 0 : data.lanes.length - 1) : at + by;
    view.selectThread(data.lanes[next] ? data.lanes[next].name : '');
  };
  canvas.addEventListener('keydown', (event) => {
    const isWhole = view.from === 0 && view.to === data.bins, length = Math.max(1, Math.floor((view.to - view.from) / 10));
    const step = event.key === 'ArrowLeft' ? -length : event.key === 'ArrowRight' ? length : 0;
    const threads = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (event.key === 'Escape')
      view.reset();
    else if (threads)
      moveThread(threads);
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
  const searchText = (text) => {
    searched = text;
    const count = text ? data.lanes.filter(isFound).length : 0;
    searched = count ? text : '';
    return count ? `${count} ${count > 1 ? 'lanes' : 'lane'}` : '';
  };
  return { canvas, draw, searchText, marksRow: data.marks.length ? rows - 1 : -1 };
}

// The number of marks with a text in their name, in words.
function findMarks(data, text) {
  const count = text ? data.marks.filter((name, i) => i % 2 && data.names[name].toLowerCase().includes(text)).length : 0;
  return count ? `${count} ${count > 1 ? 'marks' : 'mark'}` : '';
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

const FEW = 20;

// Where the time of a range went, in a sentence.
function sentenceOf(data, from, to) {
  const sum = (state) => data.lanes.filter((lane) => !lane.is_of_process && lane[state])
    .reduce((all, lane) => all + lane[state].slice(from, to).reduce((n, permille) => n + permille * data.width / 1000, 0), 0);
  const parts = [['run', 'ran for'], ['lock', 'waited for']].map(([state, text]) => [sum(state), text]).filter(([ns]) => ns)
    .map(([ns, text]) => `${text} ${amount(Math.round(ns), 'ns')}`);
  const pauses = data.pauses.filter((_, i) => i % 3 === 1 && data.pauses[i - 1] >= from * data.width && data.pauses[i - 1] < to * data.width);
  const key = ['cpu', 'calls'].find((k) => data.tables[k].cells.length), methods = key ? [...byName(data, key, from, to)].filter(([name]) => name !== '[recording]') : [];
  const field = methods.some(([, s]) => s.amount) ? 'amount' : 'count';
  const isKnown = key === 'calls' || methods.reduce((n, [, s]) => n + s.count, 0) >= FEW; // of fewer samples a share is chance
  const all = isKnown ? methods.reduce((n, [, s]) => n + s[field], 0) : 0;
  const [most] = methods.filter(([name]) => name !== '[others]').sort((a, b) => b[1][field] - a[1][field]);
  const share = most ? 100 * most[1][field] / all : 0;
  const paused = pauses.reduce((n, ns) => n + ns, 0), length = Math.min(to * data.width, Math.max(data.end - data.begin, 1)) - from * data.width;
  return `In ${amount(length, 'ns')} threads ${parts.length ? parts.join(' and ') : 'have no recorded work'}` +
    `${paused ? `; ${pauses.length} ${pauses.length > 1 ? 'pauses' : 'pause'} of collections took ${amount(paused, 'ns')}` : ''}` +
    `${all && most ? `; ${share >= 50 ? 'most' : 'the largest part'} of the work is in ${most[0]} (${share.toFixed(0)} %)` : ''}.`;
}

// ---- pictures ----

const shareOf = (data, ns) => ns / Math.max(data.end - data.begin, 1);
const MUCH = 0.05, MANY = 100;

// What a plot may explain of this log: those of more come first.
function weightOf(data, { title }) {
  const sumOf = (key, value) => perInterval(data, data.tables[key], value).reduce((sum, n) => sum + n, 0);
  if (title.endsWith('what grows'))
    return 5;
  if (title === 'Pauses')
    return shareOf(data, data.pauses.reduce((sum, ns, i) => sum + (i % 3 === 1 ? ns : 0), 0)) > MUCH ? 4 : 1;
  if (title.startsWith('Waits for locks'))
    return shareOf(data, sumOf('monitors', 4)) > MUCH ? 4 : 1;
  if (title.startsWith('Exceptions'))
    return sumOf('exceptions', 3) >= MANY ? 3 : 0;
  return /^(Heap|Allocated)/.test(title) ? 2 : 1;
}

const byWeight = (data, plots) => plots.map((plot) => [weightOf(data, plot), plot]).sort((a, b) => b[0] - a[0]).map(([, plot]) => plot);

// The stacks explain a program that works for a part of the time.
function isBusy(data) {
  const ran = data.lanes.filter((lane) => lane.run).reduce((all, lane) => all + lane.run.reduce((sum, n) => sum + n, 0), 0);
  return shareOf(data, ran * data.width / 1000) > 0.2;
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
  const sentence = document.createElement('p');
  const view = { from: 0, to: data.bins, thread: '' };
  data.lanes.sort((a, b) => a.is_of_process - b.is_of_process); // below the threads
  reset.type = 'button';
  reset.textContent = 'Whole log';
  head.className = 'range';
  range.className = 'range-text';
  head.append(range, reset, ...(hasScales ? [scalesButton()] : []));
  status.className = 'status';
  status.setAttribute('role', 'status');
  sentence.className = 'sentence';
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
  section.append(sentence, head, lanes.canvas, legend, status, ...[...data.notes, ...heapNotes(data)].map(note), plots);
  const zoom = zoomOf(data, view);
  const charts = byWeight(data, all).map((plot) => viewOf(data, plot, view)), intervals = intervalsView(data, view, zoom, time);
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
  const heat = heatView(data, view, time);
  if (heat) {
    plots.before(heat.figure);
    charts.push(heat);
  }
  const flames = flameView(data), views = pageViews(data, scope);
  if (flames) {
    plots[isBusy(data) ? 'before' : 'after'](flames.figure);
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
  // The thread of a lane: of this name, or else the first one with it in its name.
  view.selectThread = (name) => {
    const lane = name && (data.lanes.find((l) => l.name === name) || data.lanes.find((l) => l.name.includes(name)));
    const thread = lane ? lane.name : '';
    if (thread === view.thread)
      return;
    view.thread = thread;
    describeRange();
    draw();
  };
  view.reset = () => {
    view.selectThread('');
    view.select(0, data.bins);
  };
  view.note = (text) => { status.textContent = text; };
  function describeRange() {
    const isWhole = view.from === 0 && view.to === data.bins;
    range.textContent = `${isWhole ? 'Whole log' : 'Range'}: ${time.text(view.from)} to ${time.text(view.to)}, ` +
      `in intervals of ${amount(data.width, 'ns')}${view.thread ? `; thread ${view.thread}` : ''}`;
    reset.disabled = isWhole && !view.thread;
    view.wrote?.();
  }
  view.refresh = (isWhole) => {
    sentence.textContent = sentenceOf(data, view.from, view.to);
    describeRange();
    range.dataset.from = data.begin + view.from * data.width;
    range.dataset.to = data.begin + view.to * data.width;
    for (const update of views)
      update(view.from, view.to, isWhole);
    zoom.reset();
    draw();
  };
  view.describe = (bin, row) => {
    status.textContent = row === lanes.marksRow ? describeMarks(data, bin, time) : describeLane(data, bin, row, time);
  };
  reset.addEventListener('click', view.reset);
  status.textContent = 'Drag over a range (or press Enter on the lanes): the tables below show it.  A click on its name selects a thread.';
  view.refresh(true);
  searches.push((text) => {
    const found = [lanes.searchText(text), intervals && intervals.searchText(text), findMarks(data, text), flames && flames.searchText(text)];
    draw();
    return found.filter((words) => words).join(', ');
  });
  follow(section, data, view);
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
query.addEventListener('input', () => write({ q: query.value }));
if (partsOf().has('q')) {
  query.value = partsOf().get('q');
  filter();
}
})();
