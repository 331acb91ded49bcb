// A heat map of what threads do: a column for each second, in it a row for each interval of the timeline.  It is there where
// intervals are short enough; `proflog heatmap` has hours.
const timelineHeat = (() => {
'use strict';

const SECOND = 1e9, ROWS = 5, HEIGHT = 150, AXIS = 18, LABEL = 130, TICK = 90, SECONDS = 10;
const { amount, perInterval } = timelinePlots;
const { ticksOf } = timelineIntervals;

// What is counted: the first of these that the log has.
const sources = [['samples', 3, 'samples'], ['calls', 3, 'calls'], ['allocations', 4, 'allocated bytes']];

function sourceOf(data) {
  return sources.find(([key]) => data.tables[key].cells.length);
}

// Of a log of few seconds, or one whose intervals are long, it would show nothing.
function heatView(data, view, time) {
  const rows = Math.round(SECOND / data.width), source = sourceOf(data);
  if (!source || rows < ROWS || data.bins < SECONDS * rows)
    return null;
  const [key, value, name] = source, values = perInterval(data, data.tables[key], value), most = Math.max(...values, 1);
  const columns = Math.ceil(data.bins / rows), figure = document.createElement('figure');
  const caption = document.createElement('figcaption'), canvas = document.createElement('canvas'), status = document.createElement('p');
  caption.textContent = `Heat map of ${name}: a column is a second, a row in it ${amount(data.width, 'ns')}`;
  figure.className = 'intervals heat';
  canvas.className = 'flame';
  canvas.style.height = `${HEIGHT + AXIS}px`;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${caption.textContent}; a drag selects a range`);
  status.className = 'status';
  status.setAttribute('role', 'status');
  figure.append(caption, canvas, status);
  canvas.dataset.values = values.join(' ');

  const width = () => canvas.clientWidth - LABEL;
  const binAt = (event) => {
    const box = canvas.getBoundingClientRect(), column = Math.floor((event.clientX - box.left - LABEL) / width() * columns);
    const row = Math.max(0, Math.min(rows - 1, Math.floor((event.clientY - box.top) / HEIGHT * rows)));
    return Math.max(0, Math.min(data.bins - 1, Math.max(0, column) * rows + row));
  };

  function draw() {
    const ratio = window.devicePixelRatio || 1, style = getComputedStyle(canvas), context = canvas.getContext('2d');
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    context.scale(ratio, ratio);
    context.font = `12px ${style.fontFamily}`;
    const w = width() / columns, h = HEIGHT / rows, hot = getComputedStyle(document.body).getPropertyValue('--second');
    context.fillStyle = hot;
    values.forEach((n, bin) => {
      const isIn = bin >= view.from && bin < view.to;
      context.globalAlpha = (isIn ? 1 : 0.25) * Math.sqrt(n / most);
      if (n)
        context.fillRect(LABEL + Math.floor(bin / rows) * w, bin % rows * h, Math.max(w - (w > 3), 0.7), Math.max(h - (h > 3), 0.7));
    });
    context.globalAlpha = 1;
    context.fillStyle = style.color;
    for (const { bin, text } of ticksOf(data, time, width() / TICK, 0, data.bins)) {
      const x = LABEL + bin / rows * w, half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(x - half, canvas.clientWidth - 2 * half - 2), HEIGHT + AXIS - 5);
    }
  }

  let anchor = null;
  canvas.addEventListener('pointerdown', (event) => {
    anchor = binAt(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const bin = binAt(event);
    status.textContent = `${time.text(bin)}: ${amount(values[bin], key === 'allocations' ? 'bytes' : '')} ${name}`;
    if (anchor !== null && anchor !== bin)
      view.select(Math.min(anchor, bin), Math.max(anchor, bin) + 1);
  });
  canvas.addEventListener('pointerup', () => { anchor = null; });
  return { figure, draw };
}

return { heatView };
})();
