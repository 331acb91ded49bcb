// peer-speedscope.mjs -- the rows of speedscope's table against our folded stacks.
// Usage: node peer-speedscope.mjs ROWS UNIT FOLDED
// ROWS is JSON: [total, self, name] of each row that it shows, as in ["37.62ms (35%)", "4.65ms (4.4%)", "main"].
// UNIT is that of the stacks: nanoseconds, bytes or none.  Values agree within the last digit that is shown.
import { readFileSync } from 'node:fs';

const [rowsPath, unit, foldedPath] = process.argv.slice(2);
const self = new Map(), total = new Map();

// Folded stacks have ':' for ';' and '?' for controls, a browser shows no controls, and one blank for several.
const plain = (name) => name.replace(/[\s;:?\p{C}\ufffd]+/gu, ' ').trim();

for (const line of readFileSync(foldedPath, 'utf8').split('\n')) {
  const at = line.lastIndexOf(' ');
  if (at < 0) continue;
  const frames = line.slice(0, at).split(';').map(plain), value = Number(line.slice(at + 1));
  self.set(frames.at(-1), (self.get(frames.at(-1)) ?? 0) + value);
  for (const name of new Set(frames)) total.set(name, (total.get(name) ?? 0) + value);
}

const scales = {
  nanoseconds: { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 },
  bytes: { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 },
  none: { '': 1 },
}[unit];

// Whether this text is the value.
function isShown(text, value) {
  const minutes = /^(\d+):(\d\d)/.exec(text);
  if (minutes && unit === 'nanoseconds')
    return Math.abs(value / 1e9 - 60 * minutes[1] - minutes[2]) < 1;
  const [, digits, decimals, name] = /^([\d,]+)(?:\.(\d+))?\s?([A-Za-zµ]*)/.exec(text) ?? [];
  if (digits === undefined || !(name in scales)) return false;
  const shown = Number(digits.replaceAll(',', '') + '.' + (decimals ?? ''));
  return Math.abs(value / scales[name] - shown) <= 0.5001 * 10 ** -(decimals ?? '').length;
}

let wrong = 0, compared = 0;
for (const [shownTotal, shownSelf, shownName] of JSON.parse(readFileSync(rowsPath))) {
  const name = plain(shownName);
  compared++;
  if (isShown(shownTotal, total.get(name)) && isShown(shownSelf, self.get(name) ?? 0)) continue;
  if (wrong++ < 10) console.log(`${name}: ${shownTotal}, ${shownSelf}, not ${total.get(name)}, ${self.get(name)}`);
}
console.log(`${compared} of ${total.size} functions compared, ${wrong} wrong`);
process.exitCode = wrong === 0 && compared >= Math.min(total.size, 20) ? 0 : 1;
