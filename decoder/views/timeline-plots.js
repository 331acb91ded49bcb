// The figures of a timeline, and its plots.
const timelinePlots = (() => {
'use strict';

const STACKED = 6, LONE = 5, HEIGHT = 150, REST = '#9aa4b0';
const colours = { run: '#3f9d5a', lock: '#d9822b', gc: '#c23b3b', events: '#7a8ba3' };
const palette = ['#3b76c4', '#c9711f', '#3f9d5a', '#9a58b5', '#b5a12e', '#c2506b', '#4fa3a8', '#8a6d3b', '#6f7ad1', '#7fae3a',
  '#d18a5c', '#5b8f7b', '#b46fa0', '#4c6a92', '#a8563b', '#8f8f3f'];

// ---- figures ----

function scaled(value, units) {
  const [name, factor] = units.find(([, f]) => Math.abs(value) >= f) || units[units.length - 1];
  const digits = Math.max(3, String(Math.trunc(Math.abs(value / factor))).length);
  return `${Number.isInteger(value / factor) && factor === 1 ? value : (value / factor).toPrecision(digits)} ${name}`.trim();
}

const units = {
  ns: [['h', 3.6e12], ['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]],
  bytes: [['GB', 1e9], ['MB', 1e6], ['kB', 1e3], ['B', 1]],
  '': [['G', 1e9], ['M', 1e6], ['', 1]],
  '%': [['%', 1]],
};
const amount = (value, unit) => (value === 0 ? '0' : scaled(value, units[unit]));

// Moments are shown in one unit.
function clock(data) {
  const end = data.begin + data.bins * data.width;
  const [name, factor] = units.ns.find(([, f]) => end >= f * 2) || units.ns.at(-1);
  const decimals = Math.max(0, Math.ceil(Math.log10(factor / data.width)));
  const text = (bin, digits) => `${((data.begin + bin * data.width) / factor).toFixed(digits)} ${name}`;
  const most = Math.max(decimals, Math.round(Math.log10(factor / 1e3)) + 1); // a tenth of a us
  return { factor, name, text: (bin) => text(bin, decimals), fine: (ns) => text(ns / data.width, most) };
}

// ---- sums of a range ----

// By row: what began and ended in intervals from <= i < to.
function rowsOf(table, from, to) {
  const sums = new Map(), cells = table.cells;
  for (let i = 0; i < cells.length; i += 5) {
    if (cells[i + 1] < from || cells[i + 2] >= to)
      continue;
    const sum = sums.get(cells[i]);
    if (sum) {
      sum.count += cells[i + 3];
      sum.amount += cells[i + 4];
    } else {
      sums.set(cells[i], { count: cells[i + 3], amount: cells[i + 4] });
    }
  }
  return sums;
}

function byName(data, key, from, to) {
  const table = data.tables[key], names = new Map();
  for (const [row, sum] of rowsOf(table, from, to)) {
    const name = data.names[table.names[row - 1]], before = names.get(name) || { count: 0, amount: 0 };
    names.set(name, { count: before.count + sum.count, amount: before.amount + sum.amount });
  }
  return names;
}

// Objects are counted in parts of one, as those that are sampled stand for some.
const objects = (count) => Math.round(count / 1024);

// By interval: what began in it.
function perInterval(data, table, value) {
  const values = new Array(data.bins).fill(0), cells = table.cells;
  for (let i = 0; i < cells.length; i += 5)
    values[cells[i + 1]] += cells[i + value];
  return values;
}

// ---- plots ----

// Of the rows of a table those with the largest sums, each over time; the rest is one.
function largest(data, key, value) {
  const table = data.tables[key], sums = byName(data, key, 0, data.bins), field = value === 3 ? 'count' : 'amount';
  const names = [...sums].sort((a, b) => b[1][field] - a[1][field]).map(([name]) => name).slice(0, STACKED);
  const values = new Map(names.map((name) => [name, new Array(data.bins).fill(0)]));
  const rest = new Array(data.bins).fill(0);
  for (let i = 0; i < table.cells.length; i += 5)
    (values.get(data.names[table.names[table.cells[i] - 1]]) || rest)[table.cells[i + 1]] += table.cells[i + value];
  const all = [...values].map(([name, list]) => ({ name, values: list }));
  return rest.some((v) => v) ? [...all, { name: 'others', isRest: true, values: rest }] : all;
}

// A level that grows: by how much in each interval.  It is stated now and then, in steps of a size: of a block of
// memory, say.  So its growth is spread over the time in which it took STEPS of such steps, or over a part of the plot
// of 1 / PARTS.  Of the steps a tenth is smaller: those at the ends of threads and collections.
const STEPS = 8, PARTS = 64;

function growth({ values, before }) {
  const grown = new Array(values.length).fill(0), most = Math.ceil(values.length / PARTS);
  const stated = [];
  let level = before;
  values.forEach((value, i) => {
    if (value === null || value <= level)
      return;
    stated.push([i, value, value - level]);
    level = value;
  });
  const steps = stated.map(([, , grew]) => grew).sort((a, b) => a - b), least = STEPS * steps[Math.floor(steps.length / 10)];
  let from = -1, base = before, last = -1;
  const spread = (to, value) => {
    grown.fill((value - base) / (to - from || 1), from + 1, to + 1);
    [from, base] = [to, value];
  };
  level = before;
  for (const [i, value] of stated) {
    if (i - last > most)
      spread(last, level);
    [last, level] = [i, value];
    if (value - base >= least || i - from >= most)
      spread(i, value);
  }
  spread(last, level);
  return grown;
}

// The parts of each process's memory, and what is none of them.
function memoryOf(data) {
  const processes = new Map();
  for (const s of data.series.filter((s) => s.is_memory)) {
    const [process, part] = s.name.split('Memory: ');
    processes.set(process, [...(processes.get(process) || []), { ...s, name: part }]);
  }
  return [...processes].map(([process, all]) => {
    const parts = all.filter((s) => s.name !== 'resident' && s.values.some((v) => v));
    const resident = all.find((s) => s.name === 'resident') || { values: new Array(data.bins).fill(0) };
    const rest = resident.values.map((v, bin) => Math.max(0, parts.reduce((left, s) => left - s.values[bin], v)));
    return { title: `${process}Memory of the process`, unit: 'bytes', isStacked: true,
      series: [...parts, { name: 'rest', isRest: true, values: rest }] };
  });
}

function plotsOf(data) {
  const plots = [], any = (values) => values.some((v) => v);
  const seconds = data.width / 1e9, rate = (values) => values.map((v) => v / seconds);
  if (data.tables.allocations.cells.length)
    plots.push({ title: 'Allocated in a second, by type', unit: 'bytes', isStacked: true,
      series: largest(data, 'allocations', 4).map((s) => ({ ...s, values: rate(s.values) })) });
  const grown = data.series.filter((s) => s.grows);
  if (grown.length)
    plots.push({ title: 'Allocated in a second', unit: 'bytes', isStacked: true,
      series: grown.map((s) => ({ name: s.name.replace(/: allocated$/, ''), values: rate(growth(s)) })) });
  for (const { title, times, series } of data.heaps) {
    plots.push({ title, times, unit: 'bytes', isStacked: true, series });
    const growing = series.filter((s) => s.grows);
    if (growing.length)
      plots.push({ title: `${title}: what grows`, times, unit: 'bytes', series: growing.map((s) => ({ ...s, showsWay: true })) });
  }
  for (const [title, isHeap] of [['Heap', true], ['Sizes in counters', false]]) {
    const sizes = data.series.filter((s) => !s.grows && !s.is_memory && s.is_heap === isHeap && any(s.values));
    if (sizes.length)
      plots.push({ title, unit: 'bytes', series: sizes });
  }
  plots.push(...memoryOf(data));
  const { created = [], converted = [], fizzled = [], remaining = [] } = data.sparks;
  if (any(created) || any(converted) || any(fizzled)) {
    plots.push({ title: 'Sparks in a second', unit: '', series: [['created', created], ['converted', converted], ['fizzled', fizzled]]
      .filter(([, values]) => any(values)).map(([name, values]) => ({ name, values: rate(values) })) });
    if (any(remaining))
      plots.push({ title: 'Sparks in the pools', unit: '', series: [{ name: 'sparks', values: remaining }] });
  }
  if (data.pauses.length)
    plots.push({ title: 'Pauses', unit: 'ns', isDots: true, series: [] });
  for (const [key, title, isWhole] of [['stacks', 'Calls in an interval', true], ['exceptions', 'Exceptions in an interval, by type'],
    ['monitors', 'Waits for locks in an interval, by class']])
    if (data.tables[key].cells.length)
      plots.push({ title, unit: '', isStacked: !isWhole, series: isWhole
        ? [{ name: 'calls', values: perInterval(data, data.tables[key], 3) }] : largest(data, key, 3) });
  return plots;
}

// Sums from the first series on; the largest is drawn first.
function stacked(series) {
  const sums = [];
  series.forEach((s, i) => sums.push({ ...s, own: s.values, values: s.values.map((v, bin) => v + (i ? sums[i - 1].values[bin] : 0)) }));
  return sums.reverse();
}

// Colours are looked up at each drawing: a page may become dark.
const colourOfPage = (name) => getComputedStyle(document.body).getPropertyValue(name);

function axes(unit, timeText, style) {
  const grid = { stroke: () => colourOfPage('--line'), width: 1 }, stroke = () => colourOfPage('--quiet');
  const font = `11px ${style.fontFamily}`;
  return [
    { stroke, grid, font, ticks: { show: false }, size: 24, values: (_, all) => all.map(timeText) },
    { stroke, grid, font, ticks: { show: false }, size: 64, space: 26, values: (_, all) => all.map((v) => (v === null ? '' : amount(v, unit))) },
  ];
}

// Makes the line of a legend a switch: a click shows or hides what it is of, one with Shift leaves only that.
function addChoice(item, s, choose) {
  item.setAttribute('role', 'button');
  item.setAttribute('aria-pressed', String(!s.isHidden));
  item.tabIndex = 0;
  item.title = 'A click shows or hides this, with Shift all others';
  item.dataset.series = s.number;
  item.addEventListener('click', (event) => choose(s.number, event.shiftKey));
  item.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ')
      return;
    event.preventDefault();
    choose(s.number, event.shiftKey);
  });
}

// The lines of a plot, with their values at the pointer; `at` is the place of it: its ns, and their text.  Those that
// are hidden have no values.
function legendOf(drawn, unit, colourOf, at, { isReversed, hidden = [], choose } = {}) {
  const legend = document.createElement('p'), place = document.createElement('span');
  legend.className = 'legend';
  place.className = 'at';
  const itemOf = (s, colour) => {
    const item = document.createElement('span'), mark = document.createElement('i'), value = document.createElement('b');
    mark.style.background = colour;
    value.dataset.value = '';
    item.append(mark, s.grows ? `${s.name} (grows) ` : `${s.name} `, value);
    if (choose)
      addChoice(item, s, choose);
    return { item, value };
  };
  const values = drawn.map((s, i) => {
    const { item, value } = itemOf(s, colourOf(i));
    legend[isReversed ? 'prepend' : 'append'](item);
    if (s.way && s.showsWay)
      item.after(wayOf(s));
    return value;
  });
  for (const s of hidden)
    legend.insertBefore(itemOf(s, 'none').item, [...legend.children].find((item) => item.dataset.series > s.number) || null);
  const show = (idx) => {
    const isShown = idx !== null && idx !== undefined;
    place.textContent = isShown ? `at ${at(idx).text}` : '';
    legend.dataset.ns = isShown ? at(idx).ns : '';
    values.forEach((value, i) => {
      const shown = isShown ? (drawn[i].own || drawn[i].values)[idx] : null;
      value.textContent = shown === null ? '' : amount(shown, unit);
      value.dataset.value = shown === null ? '' : shown;
    });
  };
  return { legend, place, show };
}

// How a root leads to a suspected leak.
function wayOf(s) {
  const way = document.createElement('small');
  way.className = 'way';
  way.textContent = `suspected leak: ${s.way}`;
  return way;
}

function frameOf(title, { legend, place: at }) {
  const figure = document.createElement('figure'), caption = document.createElement('figcaption'), place = document.createElement('div');
  caption.append(title, at);
  figure.append(caption, place, legend);
  return { figure, place };
}

// A plot that is made when it is drawn first, and is as wide as its place.
function drawn(place, options, columns) {
  let chart = null, colour = '';
  const draw = () => {
    const before = colour;
    colour = colourOfPage('--quiet');
    if (!chart)
      chart = new uPlot({ ...options, width: place.clientWidth, height: HEIGHT }, columns, place);
    else if (chart.width !== place.clientWidth)
      chart.setSize({ width: place.clientWidth, height: HEIGHT });
    else if (colour !== before)
      chart.redraw(false);
    return chart;
  };
  draw.destroy = () => chart && chart.destroy();
  return draw;
}

function dotsOf(data, time) {
  const dots = [];
  for (let i = 0; i < data.pauses.length; i += 3)
    dots.push([(data.begin + data.pauses[i]) / time.factor, data.pauses[i + 1]]);
  dots.sort((a, b) => a[0] - b[0]);
  return { columns: [dots.map((d) => d[0]), dots.map((d) => Math.max(d[1], 1))],
    lines: [{ label: 'pauses', stroke: colours.gc, fill: colours.gc, paths: () => null, points: { show: true, size: 5, fill: colours.gc } }] };
}

// Values with none beside them, if they are few: a step of one interval is hard to see.
function loneValues(values) {
  const lone = values.flatMap((v, i) => (v && !values[i - 1] && !values[i + 1] ? [i] : []));
  return lone.length <= LONE ? lone : [];
}

// The values that are at points of time, by index; null is between two that are further apart than GAP of the usual
// distances: nobody looked there.
const GAP = 4;

function placesOf(times) {
  const distances = times.slice(1).map((ns, i) => ns - times[i]).sort((a, b) => a - b);
  const most = GAP * distances[Math.floor(distances.length / 2)];
  return times.flatMap((ns, i) => (i && ns - times[i - 1] > most ? [null, i] : [i]));
}

// Values of intervals are steps, the last one up to the end; others are at points of time, between which lines are drawn.
// What is behind the last value is of it, too.
function linesOf(data, plot, all, colourOf, time) {
  const places = plot.times ? placesOf(plot.times) : Array.from({ length: data.bins + 1 }, (_, i) => Math.min(i, data.bins - 1));
  const count = plot.times ? places.length : data.bins;
  const nsAt = (place, i) => (!plot.times ? data.begin + i * data.width
    : place === null ? (plot.times[places[i - 1]] + plot.times[places[i + 1]]) / 2 : plot.times[place]);
  const shown = (values) => places.map((place) => (place === null ? null : values[place]));
  const pointsOf = (s) => (plot.times && places.length < 60 ? { show: true } : { show: false, filter: () => loneValues(shown(s.own || s.values).slice(0, count)) });
  return { places, columns: [places.map((place, i) => nsAt(place, i) / time.factor), ...all.map((s) => shown(s.values))],
    lines: all.map((s, i) => ({ label: s.name, stroke: colourOf(i), width: plot.isStacked ? 0 : 1.5,
      fill: plot.isStacked ? colourOf(i) : undefined, paths: plot.times ? undefined : uPlot.paths.stepped({ align: 1 }),
      points: { ...pointsOf(s), size: 4, fill: colourOf(i), stroke: colourOf(i) } })) };
}

// ---- scales ----

// Plots of one title in several logs have one scale, as long as that is requested.
const scales = { areShared: true, most: new Map(), plots: [] };

const keyOf = (plot) => `${plot.title} ${plot.unit}`;

function mostOf(plot) {
  const all = plot.isStacked ? stacked(plot.series) : plot.series;
  return all.reduce((most, s) => s.values.reduce((m, v) => Math.max(m, v || 0), most), 0);
}

// The plots of a log that is drawn later.  Returns whether another log has one of them, too.
function addScales(plots) {
  const others = new Set(scales.most.keys());
  for (const plot of plots.filter((one) => !one.isDots))
    scales.most.set(keyOf(plot), Math.max(scales.most.get(keyOf(plot)) || 0, mostOf(plot)));
  return plots.some((plot) => others.has(keyOf(plot)));
}

function shareScales(areShared) {
  scales.areShared = areShared;
  for (const rescale of scales.plots)
    rescale();
}

// ---- marks ----

const LABELLED = 12, NEAR = 4;

// What a program marked, in order of time: the names of those that are at one place.
function marksAt(data, from, to) {
  const names = [];
  for (let i = 0; i < data.marks.length; i += 2)
    if (data.marks[i] >= from && data.marks[i] <= to)
      names.push(data.names[data.marks[i + 1]]);
  return [...new Set(names)];
}

// Lines over a plot, one for each place; if they are few, with their names.
function drawMarks(u, data, factor) {
  const { ctx } = u, places = new Map(), { left, top, width, height } = u.bbox, ratio = window.devicePixelRatio || 1;
  for (let i = 0; i < data.marks.length; i += 2) {
    const x = Math.round(u.valToPos((data.begin + data.marks[i]) / factor, 'x', true));
    if (!places.has(x))
      places.set(x, data.names[data.marks[i + 1]]);
  }
  const all = [...places].filter(([x]) => x >= left && x <= left + width).sort((a, b) => a[0] - b[0]);
  ctx.save();
  ctx.strokeStyle = colourOfPage('--quiet');
  ctx.fillStyle = colourOfPage('--text');
  ctx.lineWidth = ratio;
  ctx.globalAlpha = 0.55;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  ctx.font = `${10 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
  ctx.beginPath();
  for (const [x] of all) {
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
  let free = left;
  for (const [x, name] of all.length <= LABELLED ? all : []) {
    const text = name.length > 20 ? `${name.slice(0, 19)}…` : name, wide = ctx.measureText(text).width + 6 * ratio;
    if (x < free || x + wide > left + width)
      continue;
    ctx.fillText(text, x + 3 * ratio, top + 10 * ratio);
    free = x + wide;
  }
  ctx.restore();
}

// The names of marks near the pointer.
function marksNear(u, data, factor) {
  const x = u.cursor.left, at = (left) => u.posToVal(left, 'x') * factor - data.begin;
  return x < 0 ? [] : marksAt(data, at(x - NEAR), at(x + NEAR));
}

// ---- shares ----

// The same series as shares of what they are together, in percents.
function sharesOf(series) {
  const sums = series[0].values.map((_, i) => series.reduce((sum, s) => sum + (s.values[i] || 0), 0));
  return series.map((s) => ({ ...s, values: s.values.map((v, i) => (sums[i] ? 100 * (v || 0) / sums[i] : 0)) }));
}

// A plot whose lines are chosen in its legend; of parts a button beside the title shows shares.
function choiceView(data, plot, view) {
  const button = document.createElement('button'), figure = document.createElement('div');
  const all = plot.series.map((s, number) => ({ ...s, number, colour: s.isRest ? REST : palette[number % palette.length] }));
  const hidden = new Set();
  let shown = null, areShares = false;
  figure.className = 'parts';
  button.type = 'button';
  button.textContent = 'Shares';
  const choose = (number, isOnly) => {
    const others = all.map((s) => s.number).filter((n) => n !== number);
    if (isOnly && others.every((n) => hidden.has(n)))
      hidden.clear();
    else if (isOnly)
      others.forEach((n) => hidden.add(n));
    if (isOnly || hidden.has(number))
      hidden.delete(number);
    else if (others.some((n) => !hidden.has(n)))
      hidden.add(number);
    build();
    figure.querySelector(`[data-series="${number}"]`).focus();
  };
  function build() {
    if (shown)
      shown.destroy();
    const drawn = all.filter((s) => !hidden.has(s.number));
    const one = areShares ? { ...plot, unit: '%', series: sharesOf(drawn) } : { ...plot, series: drawn, isAlone: plot.isAlone || hidden.size > 0 };
    shown = plotView(data, { ...one, choose, hidden: all.filter((s) => hidden.has(s.number)).map((s) => ({ ...s, isHidden: true })) }, view);
    button.setAttribute('aria-pressed', String(areShares));
    figure.replaceChildren(shown.figure);
    if (plot.isStacked)
      shown.figure.querySelector('figcaption').append(button);
    if (figure.isConnected)
      shown.draw();
  }
  button.addEventListener('click', () => {
    areShares = !areShares;
    build();
    button.focus();
  });
  build();
  return { figure, draw: () => shown.draw() };
}

const viewOf = (data, plot, view) => (plot.series.length > 1 ? choiceView : plotView)(data, plot, view);

function plotView(data, plot, view) {
  const all = plot.isStacked ? stacked(plot.series) : plot.series, time = clock(data);
  const colourOf = (i) => all[i].colour || (all[i].isRest ? REST : palette[0]);
  const nsAt = (i) => (plot.times ? plot.times[i] : data.begin + i * data.width);
  const legend = legendOf(all, plot.unit, colourOf,
    (i) => ({ ns: nsAt(i), text: time.text((nsAt(i) - data.begin) / data.width) }), { ...plot, isReversed: plot.isStacked });
  const { figure, place } = frameOf(plot.title, legend);
  const { places, columns, lines } = plot.isDots ? dotsOf(data, time) : linesOf(data, plot, all, colourOf, time);
  // A plot moves its mark when its size changes, so it is put where the range is after each drawing, too.
  function mark(u) {
    const isWhole = view.from === 0 && view.to === data.bins;
    const left = isWhole ? 0 : u.valToPos((data.begin + view.from * data.width) / time.factor, 'x');
    const right = isWhole ? 0 : u.valToPos((data.begin + view.to * data.width) / time.factor, 'x');
    u.setSelect({ left, top: 0, width: right - left, height: u.over.clientHeight }, false);
  }
  const from = data.begin / time.factor, to = (data.begin + data.bins * data.width) / time.factor;
  const options = {
    legend: { show: false },
    scales: { x: { time: false, range: [from, to] },
      y: plot.isDots ? { distr: 3 } : plot.unit === '%' ? { range: [0, 100] }
        : { range: (_, low, high) => [Math.min(0, low), (scales.areShared && !plot.isAlone && scales.most.get(keyOf(plot)) || high) * 1.05 || 1] } },
    axes: axes(plot.unit, (v) => `${v} ${time.name}`, getComputedStyle(document.body)), series: [{}, ...lines],
    cursor: { sync: { key: 'timeline' }, drag: { x: true, y: false, setScale: false }, points: { show: !plot.isDots } },
    hooks: {
      draw: [(u) => drawMarks(u, data, time.factor), mark],
      setCursor: [(u) => {
        if (!plot.isDots)
          legend.show(places[u.cursor.idx] ?? null);
        const near = marksNear(u, data, time.factor);
        if (near.length)
          legend.place.textContent += `${legend.place.textContent ? ', ' : ''}mark ${near.join(', ')}`;
      }],
      setSelect: [(u) => {
        if (u.select.width < 2)
          return;
        const binAt = (left) => (u.posToVal(left, 'x') * time.factor - data.begin) / data.width;
        view.select(Math.max(0, Math.floor(binAt(u.select.left))),
          Math.min(data.bins, Math.ceil(binAt(u.select.left + u.select.width))));
      }],
    },
  };
  const chart = drawn(place, options, columns), rescale = () => chart().setData(columns);
  scales.plots.push(rescale);
  const destroy = () => {
    scales.plots.splice(scales.plots.indexOf(rescale), 1);
    chart.destroy();
  };
  return { figure, draw: () => mark(chart()), destroy };
}

// The share of a window of time that pauses leave at least, by the length of the window.
function curveView(data) {
  const windows = [], left = [];
  for (let i = 0; i < data.utilisation.length; i += 2) {
    windows.push(data.utilisation[i]);
    left.push(Math.max(0, 100 * (1 - data.utilisation[i + 1] / data.utilisation[i])));
  }
  const legend = legendOf([{ name: 'not paused in any window of this length, at least', values: left }], '%', () => colours.run,
    (i) => ({ ns: windows[i], text: amount(windows[i], 'ns') }));
  const { figure, place } = frameOf('Mutator utilisation, by length of the window', legend);
  const isDecade = (v) => Number.isInteger(Math.round(Math.log10(v) * 1e6) / 1e6);
  const options = {
    legend: { show: false },
    scales: { x: { time: false, distr: 3 }, y: { range: [0, 105] } },
    axes: axes('%', (v) => (v && isDecade(v) ? amount(v, 'ns') : ''), getComputedStyle(document.body)),
    series: [{}, { stroke: colours.run, width: 1.5, points: { show: true, size: 4, fill: colours.run } }],
    cursor: { drag: { x: false, y: false } },
    hooks: { setCursor: [(u) => legend.show(u.cursor.idx)] },
  };
  return { figure, draw: drawn(place, options, [windows, left]) };
}

return { amount, clock, colours, palette, rowsOf, byName, objects, perInterval, plotsOf, marksAt, viewOf, curveView, addScales, shareScales };
})();
