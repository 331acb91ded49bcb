// Numbers for people, and plots of them.

const HEIGHT = 120;

function short(value, unit) {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  let i = 0;
  while (i + 1 < prefixes.length && (value >= 9999.5 || ((i > 0 || unit) && value >= 999.5))) {
    value /= 1000;
    i++;
  }
  const digits = i === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  const end = prefixes[i] + unit;
  return value.toFixed(digits) + (end ? ' ' + end : '');
}

// By the kinds of values that there are in tables and plots.
export const show = {
  rate: (v) => (v > 0 && v < 10 ? v.toFixed(1) : short(v, '')) + '/s',
  count: (v) => short(v, ''),
  bytes: (v) => short(v, 'B'),
  byte_rate: (v) => short(v, 'B') + '/s',
  share: (v) => (v * 100).toFixed(1) + ' %',
  ms: (v) => v.toFixed(1) + ' ms',
};

// Values of figures; null: unknown.  Of the first figures the time in which they came is unknown, too.
export const rate = (f, count) => (f.interval_ns ? (count * 1e9) / f.interval_ns : null);
export const share = (f, ns) => (f.interval_ns ? ns / f.interval_ns : null);
export const pausedShare = (f) => (f.interval_ns ? Math.min(share(f, f.pause_ns), 1) : null); // a long one is reported at its end
export const processorShare = (f) => (f.process_memory_bytes ? share(f, f.process_cpu_ns) : null);
export const known = (value) => (value ? value : null); // 0: not in the log

export function element(name, properties = {}, ...children) {
  const e = document.createElement(name);
  Object.assign(e, properties);
  e.append(...children);
  return e;
}

function ago(seconds) {
  return seconds < 1 ? 'now' : seconds < 120 ? Math.round(seconds) + ' s ago'
    : Math.round(seconds / 60) + ' min ago';
}

// Of types in a plot; the last is of all others.
const TYPE_COLOURS = ['#3b76c4', '#c9711f', '#3f9d5a', '#9a58b5', '#b5a12e', '#7a8ba3'];

// Lines across all plots: collections of the old generation, and marks, which have names.
function drawMoments(chart, points) {
  const { ctx, bbox } = chart, style = getComputedStyle(document.body);
  ctx.save();
  ctx.font = `${10 * devicePixelRatio}px ${style.fontFamily}`;
  let end = 0; // of the last text: those that would cover it are left to the point's own
  for (const point of points) {
    const x = Math.round(chart.valToPos(point.time, 'x', true)), marks = point.figures.mark_names;
    const lines = [[point.figures.collections.some((n, generation) => n && generation), '--collection'], [marks.length, '--mark']];
    for (const [isThere, colour] of lines) {
      ctx.fillStyle = style.getPropertyValue(colour);
      if (isThere)
        ctx.fillRect(x, bbox.top, devicePixelRatio, bbox.height);
    }
    if (marks.length && x > end) {
      const text = point.figures.marks === 1 ? marks[0].slice(0, 24) : `${point.figures.marks} marks`;
      ctx.fillText(text, x + 3 * devicePixelRatio, bbox.top + 10 * devicePixelRatio);
      end = x + ctx.measureText(text).width + 6 * devicePixelRatio;
    }
  }
  ctx.restore();
}

// The names of a point's marks, for a sentence.
function marksOf(point) {
  const { mark_names: names, marks } = point.figures;
  return names.length ? ', marks: ' + names.join(', ') + (marks > names.length ? ` and ${marks - names.length} more` : '') : '';
}

// A plot of up to two series: {name, of: point -> number or null, isDots}.
export class Plot {
  constructor(title, kind, series) {
    this.title = title;
    this.show = show[kind];
    this.series = series;
    this.points = [];
    this.span = 60;
    this.isKnown = false; // there was a value: what the log or its runtime does not have is no plot
    this.chosen = null; // the place of a point that is pointed at
    this.chart = null;
    this.build();
  }

  build() {
    this.now = element('b');
    this.legend = element('div', { className: 'legend' });
    this.values = this.series.map((s, i) => {
      const value = element('span');
      this.legend.append(element('span', {}, element('i', { className: ['first', 'second'][i] ?? '' }), s.name + ' ', value));
      return value;
    });
    this.area = element('div', { className: 'plot' });
    this.figure = element('figure', { tabIndex: 0 }, element('figcaption', {}, this.title, this.now), this.legend, this.area);
    this.figure.setAttribute('role', 'group');
    this.figure.addEventListener('keydown', (e) => this.key(e));
    this.figure.addEventListener('blur', () => this.choose(null));
  }

  // Colours are those of the page, which knows whether the screen is dark.
  makeChart(data) {
    const style = getComputedStyle(document.body), colour = (name) => style.getPropertyValue(name);
    const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false },
      font: `11px ${style.fontFamily}` };
    const lines = this.drawn().map((s, i) => {
      if (s.fill)
        return { stroke: s.fill, fill: s.fill, width: 0, paths: uPlot.paths.stepped({ align: -1 }), points: { show: false } };
      const stroke = s.colour ?? colour(['--first', '--second'][i]);
      return s.isDots ? { stroke, fill: stroke, paths: () => null, points: { show: true, size: 5 } }
        : { stroke, width: 2, points: { show: (u, at) => countKnown(u.data[at]) === 1, size: 5 } };
    });
    return new uPlot({
      width: Math.max(this.area.clientWidth, 100), height: HEIGHT, legend: { show: false },
      scales: { x: { time: false, range: () => [this.last() - this.span, this.last()] },
        y: { range: (_, low, high) => [0, high > 0 ? high * 1.05 : 1] } },
      axes: [{ ...axis, size: 22, splits: () => [5 / 6, 1 / 2, 1 / 6].map((part) => this.last() - part * this.span), values: (_, all) => all.map((v) => ago(this.last() - v)) },
        { ...axis, size: 70, space: 26, values: (_, all) => all.map((v) => this.show(v)) }],
      series: [{}, ...lines],
      cursor: { drag: { x: false, y: false }, y: false },
      hooks: {
        setCursor: [(u) => this.pointAt(u.cursor.left >= 0 ? u.cursor.idx : null)],
        drawClear: [(u) => drawMoments(u, this.visible())],
      },
    }, data, this.area);
  }

  pointAt(index) {
    this.chosen = index;
    this.describe();
  }

  choose(index) {
    if (!this.chart)
      return;
    this.chart.setCursor({ left: index === null ? -10 : this.chart.valToPos(this.chart.data[0][index], 'x'), top: 10 });
    this.pointAt(index);
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key === 'Escape')
      this.choose(null);
    if (!(event.key in steps) || !this.visible().length)
      return;
    const last = this.visible().length - 1;
    this.choose(Math.min(Math.max((this.chosen ?? last + 1) + steps[event.key], 0), last));
    event.preventDefault();
  }

  last() {
    return this.points.length ? this.points[this.points.length - 1].time : 0;
  }

  visible() {
    const first = this.last() - this.span;
    return this.points.filter((p) => p.time >= first);
  }

  set(points, span) {
    this.points = points;
    this.span = span;
    this.draw();
  }

  // The series in the order of drawing, and their values.
  drawn() {
    return this.series;
  }

  // Whether there is nothing in view to be drawn.
  isEmpty() {
    return false;
  }

  // Of a point: that of the title, if not the first one.
  total(point) {
    return this.series[0].of(point);
  }

  columns(points) {
    return this.series.map((s) => points.map(s.of));
  }

  draw() {
    const points = this.visible();
    if (!points.length)
      return;
    const data = [points.map((p) => p.time), ...this.columns(points)];
    this.isKnown ||= data.slice(1).some(countKnown);
    this.figure.hidden = !this.isKnown || this.isEmpty();
    if (this.chart)
      this.chart.setData(data);
    else
      this.chart = this.makeChart(data);
    if (this.area.clientWidth && this.chart.width !== this.area.clientWidth)
      this.chart.setSize({ width: this.area.clientWidth, height: HEIGHT });
    this.figure.dataset.points = points.length;
    if (this.chosen !== null && this.chosen >= points.length)
      this.chosen = null;
    this.describe();
  }

  // The numbers of a point: of one series in the title, of two in the legend.
  describe() {
    const points = this.visible(), point = points[this.chosen ?? points.length - 1];
    if (!point)
      return;
    const text = (value) => (value === null ? '-' : this.show(value)), texts = this.series.map((s) => text(s.of(point)));
    const highest = Math.max(0, ...points.flatMap((p) => [this.total(p) ?? 0, ...this.series.map((s) => s.of(p) ?? 0)]));
    this.now.textContent = text(this.total(point)) + (this.chosen !== null ? ', ' + ago(this.last() - point.time) + marksOf(point) : '');
    this.legend.hidden = this.series.length === 1;
    this.values.forEach((value, i) => { value.textContent = texts[i]; });
    this.figure.dataset.isChosen = this.chosen !== null;
    this.figure.setAttribute('aria-label',
      `${this.title}: ${this.now.textContent}, at most ${this.show(highest)} in view. Arrow keys read single points.`);
  }
}

// How many values there are.
function countKnown(values) {
  return values.filter((v) => v !== null).length;
}

// A sum by its parts, those that have most in view; `partsOf` a point is a Map from names to values, null of before the
// page was there.
export class PartsPlot extends Plot {
  constructor(title, kind, partsOf, sumOf) {
    super(title, kind, TYPE_COLOURS.map((fill, i) => ({ name: '', fill, of: (p) => (partsOf(p) ? this.valuesOf(p)[i] : null) })));
    this.partsOf = partsOf;
    this.sumOf = sumOf;
    this.names = [];
    this.legend.querySelectorAll('i').forEach((mark, i) => { mark.style.background = TYPE_COLOURS[i]; });
  }

  // Of the parts in the legend, then of all others.
  valuesOf(point) {
    const values = this.names.map((name) => this.partsOf(point).get(name) ?? 0);
    const others = this.sumOf(point) - values.reduce((sum, value) => sum + value, 0);
    return [...values, ...Array(TYPE_COLOURS.length - 1 - values.length).fill(0), Math.max(others, 0)];
  }

  // The largest area first, as the others lie before it.
  drawn() {
    return [...this.series].reverse();
  }

  total(point) {
    return this.partsOf(point) ? this.sumOf(point) : null;
  }

  chooseNames(points) {
    const sums = new Map();
    for (const point of points)
      for (const [name, value] of this.partsOf(point) ?? [])
        sums.set(name, (sums.get(name) ?? 0) + value);
    this.names = [...sums].filter(([, sum]) => sum).sort((a, b) => b[1] - a[1]).slice(0, TYPE_COLOURS.length - 1).map(([name]) => name);
    [...this.legend.children].forEach((place, i) => {
      place.childNodes[1].data = (this.names[i] ?? 'others') + ' ';
      place.hidden = i >= this.names.length && i < TYPE_COLOURS.length - 1;
    });
  }

  isEmpty() {
    return !this.names.length;
  }

  // Each area reaches down to 0: the sum of all lies below that of all but the last, and so on.
  columns(points) {
    this.chooseNames(points);
    const values = points.map((p) => (this.partsOf(p) ? this.valuesOf(p) : null));
    return this.series.map((_, i) => values.map((v) => v && v.slice(0, this.series.length - i).reduce((sum, value) => sum + value, 0)));
  }
}

// A figure of each source: a line each, of the first places.  A point has the figures by number as `sources`; a
// place has the numbers of the sources that are its line, the latest first.
export class SourcesPlot extends Plot {
  constructor(title, kind, of) {
    super(title, kind, TYPE_COLOURS.map((colour, i) => ({ name: '', colour, of: (p) => {
      const number = this.places[i]?.numbers.find((n) => p.sources.has(n));
      return number === undefined ? null : of(p.sources.get(number));
    } })));
    this.places = [];
    this.legend.querySelectorAll('i').forEach((mark, i) => { mark.style.background = TYPE_COLOURS[i]; });
  }

  setPlaces(points, span, places) {
    this.places = places;
    this.set(points, span);
  }

  // Nothing is the sum of all.
  describe() {
    super.describe();
    const left = this.places.slice(this.series.length).filter(Boolean).length;
    this.now.textContent = left > 0 ? `${left} more sources have no line` : '';
    [...this.legend.children].forEach((line, i) => {
      line.childNodes[1].data = (this.places[i]?.name ?? '') + ' ';
      line.hidden = !this.places[i];
    });
  }
}
