// Numbers for people, and plots of them.

const WIDTH = 400, HEIGHT = 100, TOP = 8;

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

export function element(name, properties = {}, ...children) {
  const e = document.createElement(name);
  Object.assign(e, properties);
  e.append(...children);
  return e;
}

function svg(name, attributes) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes))
    e.setAttribute(key, value);
  return e;
}

function ago(seconds) {
  return seconds < 1 ? 'now' : seconds < 120 ? Math.round(seconds) + ' s ago'
    : Math.round(seconds / 60) + ' min ago';
}

// A plot of up to two series: {name, of: point -> number or null}.
export class Plot {
  constructor(title, kind, series) {
    this.title = title;
    this.show = show[kind];
    this.series = series;
    this.points = [];
    this.span = 60;
    this.chosen = null; // a point that is pointed at
    this.build();
  }

  build() {
    const classes = ['first', 'second'];
    this.now = element('b');
    this.legend = element('div', { className: 'legend' });
    this.values = this.series.map((s, i) => {
      const value = element('span');
      this.legend.append(element('span', {}, element('i', { className: classes[i] }), s.name + ' ', value));
      return value;
    });
    this.highest = element('span', { className: 'top' });
    this.begin = element('span');
    this.end = element('span', { textContent: 'now' });
    this.svg = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    for (const y of [TOP, (HEIGHT + TOP) / 2])
      this.svg.append(svg('line', { class: 'grid', x1: 0, x2: WIDTH, y1: y, y2: y }));
    this.cross = svg('line', { class: 'cross', y1: 0, y2: HEIGHT, visibility: 'hidden' });
    this.paths = this.series.map((s, i) => svg('path', { class: classes[i] }));
    this.svg.append(this.cross, ...this.paths);
    const area = element('div', { className: 'plot' }, this.svg, this.highest);
    this.figure = element('figure', { tabIndex: 0 },
      element('figcaption', {}, this.title, this.now), this.legend, area,
      element('div', { className: 'axis' }, this.begin, this.end));
    this.figure.setAttribute('role', 'group');
    area.addEventListener('pointermove', (e) => this.point(e));
    area.addEventListener('pointerleave', () => this.choose(null));
    this.figure.addEventListener('keydown', (e) => this.key(e));
    this.figure.addEventListener('blur', () => this.choose(null));
  }

  choose(point) {
    this.chosen = point;
    this.draw();
  }

  point(event) {
    const box = this.svg.getBoundingClientRect();
    const time = this.last() - (1 - (event.clientX - box.left) / box.width) * this.span;
    let nearest = null;
    for (const p of this.visible())
      if (nearest === null || Math.abs(p.time - time) < Math.abs(nearest.time - time))
        nearest = p;
    this.choose(nearest);
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key === 'Escape')
      this.choose(null);
    if (!(event.key in steps))
      return;
    const visible = this.visible();
    const at = this.chosen === null ? visible.length : visible.indexOf(this.chosen);
    const next = visible[Math.min(Math.max(at + steps[event.key], 0), visible.length - 1)];
    if (next)
      this.choose(next);
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

  draw() {
    const points = this.visible(), last = this.last();
    if (!points.length)
      return;
    if (this.chosen !== null && !points.includes(this.chosen))
      this.chosen = null;
    const values = points.flatMap((p) => this.series.map((s) => s.of(p) ?? 0));
    const highest = Math.max(...values);
    const x = (p) => WIDTH - ((last - p.time) / this.span) * WIDTH;
    const y = (v) => HEIGHT - (highest > 0 ? v / highest : 0) * (HEIGHT - TOP);
    this.series.forEach((s, i) => {
      const known = points.filter((p) => s.of(p) !== null);
      const places = known.map((p) => `${x(p).toFixed(1)} ${y(s.of(p)).toFixed(1)}`);
      // A single point is a dot.
      this.paths[i].setAttribute('d', places.length ? 'M' + places.join('L') + (places.length === 1 ? 'h0' : '') : '');
    });
    this.highest.textContent = this.show(highest);
    this.begin.textContent = ago(this.span);
    this.describe(this.chosen ?? points[points.length - 1], last);
    this.cross.setAttribute('visibility', this.chosen ? 'visible' : 'hidden');
    if (this.chosen) {
      this.cross.setAttribute('x1', x(this.chosen));
      this.cross.setAttribute('x2', x(this.chosen));
    }
    this.figure.setAttribute('aria-label',
      `${this.title}: ${this.now.textContent}, at most ${this.show(highest)} in view. Arrow keys read single points.`);
  }

  // The numbers of a point: of one series in the title, of two in the legend.
  describe(point, last) {
    const texts = this.series.map((s) => {
      const value = s.of(point);
      return value === null ? '-' : this.show(value);
    });
    this.now.textContent = texts[0] + (this.chosen ? ', ' + ago(last - point.time) : '');
    this.legend.hidden = this.series.length === 1;
    this.values.forEach((value, i) => { value.textContent = texts[i]; });
  }
}
