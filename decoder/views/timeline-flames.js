// The flame graph of a page: of costs whose stacks the timeline has, of a range of it, and of others of the whole log.
const timelineFlames = (() => {
'use strict';

const { rowsOf } = timelinePlots;

const costs = [
  { key: 'samples', value: 'amount', unit: 'ns', title: 'Processor time of samples' },
  { key: 'samples', value: 'count', unit: 'hits', title: 'Samples' },
  { key: 'waits', value: 'amount', unit: 'ns', title: 'Waiting of samples' },
  { key: 'stacks', value: 'amount', unit: 'ns', title: 'Self time of calls' },
  { key: 'stacks', value: 'count', unit: 'calls', title: 'Calls' },
];

function hasSums(table, value) {
  for (let i = 0; i < table.cells.length; i += 5)
    if (table.cells[i + value])
      return true;
  return false;
}

function flameView(data) {
  const available = [...costs.filter(({ key, value }) => hasSums(data.tables[key], value === 'count' ? 3 : 4)), ...data.flames];
  if (!available.length)
    return null;
  const figure = document.createElement('figure'), choice = document.createElement('select');
  const query = document.createElement('input'), invert = document.createElement('button'), whole = document.createElement('button');
  const own = document.createElement('button');
  const controls = document.createElement('form'), status = document.createElement('p'), canvas = document.createElement('canvas');
  const found = document.createElement('output'), ofWhole = document.createElement('span');
  choice.setAttribute('aria-label', 'Cost of the flame graph');
  choice.append(...available.map(({ title }) => new Option(title)));
  query.type = 'search';
  query.placeholder = 'Search a name';
  query.setAttribute('aria-label', 'Search a name in the flame graph');
  for (const [button, text] of [[invert, 'Invert'], [own, 'Own code'], [whole, 'Zoom out']]) {
    button.type = 'button';
    button.textContent = text;
  }
  own.title = 'What the library and the runtime cost is their caller\'s';
  ofWhole.className = 'of-whole';
  ofWhole.textContent = '(of the whole log)';
  status.className = 'status';
  canvas.className = 'flame';
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'Flame graph: arrows move, Enter zooms, Escape shows all');
  controls.append(choice, ofWhole, query, invert, own, whole, found);
  figure.className = 'flames';
  figure.append(controls, status, canvas);

  let graph = null, range = [0, data.bins];
  function columnsOf(cost) {
    const table = data.tables[cost.key], selves = new Array(table.parents.length).fill(0);
    let all = 0, hits = 0;
    for (const [row, sum] of rowsOf(table, ...range)) {
      selves[row - 1] = sum[cost.value];
      all += sum[cost.value];
      hits += sum.count;
    }
    const { names: frames, library, words } = data;
    const sample = cost.key !== 'stacks' && hits ? [all / hits, 0] : null;  // what one stands for; calls are all there
    return { unit: cost.unit, frames, library, words, parents: table.parents, names: table.names, selves, sample };
  }
  function load() {
    const cost = available[choice.selectedIndex], columns = cost.data ? { sample: null, ...cost.data } : columnsOf(cost);
    ofWhole.hidden = !cost.data || (range[0] === 0 && range[1] === data.bins);
    if (graph) {
      Object.assign(graph.data, columns);
      graph.load();
    } else {
      graph = flameGraph(canvas, columns, (text) => { status.textContent = text; });
    }
    own.hidden = !graph.hasLibrary();
    graph.describe(graph.root);
    search();
  }
  function search() {
    const match = graph.search(query.value);
    found.textContent = match ? `${graph.amount(match.total)}, ${graph.share(match.total)}` : '';
    found.dataset.total = match ? match.total : '';
    figure.dataset.total = graph.root.total;
  }
  choice.addEventListener('change', load);
  query.addEventListener('input', search);
  invert.addEventListener('click', () => { invert.setAttribute('aria-pressed', graph.invert()); search(); });
  own.addEventListener('click', () => { own.setAttribute('aria-pressed', graph.toggleOwn()); search(); });
  whole.addEventListener('click', () => graph.zoom(graph.root));
  controls.addEventListener('submit', (event) => event.preventDefault());
  // The text of another field: what is found, in words.
  const searchText = (text) => {
    query.value = text;
    search();
    return text && Number(found.dataset.total) ? `${found.textContent} in the flame graph` : '';
  };
  return { figure, draw: () => graph && graph.draw(), select: (from, to) => { range = [from, to]; load(); }, searchText };
}

return { flameView };
})();
