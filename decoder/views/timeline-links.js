// Links to what a page shows: #t=1.2-3.4&thread=NAME&log=2&q=TEXT.  Times are seconds, as --time-range has them; `log` is
// the number of the report on a page of several.
const timelineLinks = (() => {
'use strict';

const NS = 1e9;

// Without an exponent, and without zeros at the end.
const secondsOf = (ns) => (ns / NS).toFixed(9).replace(/\.?0+$/, '');

// Other links on the page are to headings.
const partsOf = () => new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');

// The parts that are set to '' are left out.
function write(changes) {
  const parts = partsOf();
  for (const [name, value] of Object.entries(changes))
    value === '' ? parts.delete(name) : parts.set(name, value);
  if (parts.size || location.hash.includes('='))
    history.replaceState(null, '', parts.size ? `#${parts}` : location.pathname + location.search);
}

// The intervals of a range, as of `view`, or null: it is none, or none of them is on the timeline.  An end may be left out.
function rangeOf(data, text) {
  const match = /^(\d+(?:\.\d+)?)?[-~](\d+(?:\.\d+)?)?$/.exec(text || '');
  if (!match)
    return null;
  const place = (seconds, otherwise) => (seconds === undefined ? otherwise : (seconds * NS - data.begin) / data.width);
  const from = Math.max(0, Math.floor(place(match[1], 0) + 1e-6)), to = Math.min(data.bins, Math.ceil(place(match[2], data.bins) - 1e-6));
  return from < to ? { from, to } : null;
}

const rangeText = (data, { from, to }) => `${secondsOf(data.begin + from * data.width)}-${secondsOf(data.begin + to * data.width)}`;

// The number of the report that a timeline is of: "timeline-2".
const numberOf = (section) => section.dataset.timeline.replace(/\D+/, '');

// Follows the link of the page, and writes what is selected into it.
function follow(section, data, view) {
  const number = numberOf(section), isLinked = (parts) => (parts.get('log') || '1') === number;
  function read() {
    const parts = partsOf();
    if (!parts.size || !isLinked(parts))
      return;
    const text = parts.get('t'), thread = parts.get('thread') || '', range = rangeOf(data, text);
    view.selectThread(thread);
    view.select(...(range ? [range.from, range.to] : [0, data.bins]));
    if (text && !range)
      view.note(`The link has the range ${text}, and the log none like it.`);
    else if (thread && !view.thread)
      view.note(`The link has the thread ${thread}, and the timeline none of this name.`);
    if (text || thread)
      section.scrollIntoView();
  }
  view.wrote = () => {
    const isWhole = view.from === 0 && view.to === data.bins, isPlain = isWhole && !view.thread;
    if (isPlain && !isLinked(partsOf()))
      return;
    write({ t: isWhole ? '' : rangeText(data, view), thread: view.thread, log: isPlain || number === '1' ? '' : number });
  };
  window.addEventListener('hashchange', read);
  read();
}

return { follow, write, partsOf };
})();
