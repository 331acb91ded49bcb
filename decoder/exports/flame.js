// The page of a flame graph: its graph, the search, the buttons and keys.

const query = document.getElementById('query');
const matchedText = document.getElementById('matched');
const status = document.getElementById('status');
const graph = flameGraph(document.getElementById('graph'), JSON.parse(document.getElementById('data').textContent),
  (text) => { status.textContent = text; });

function search() {
  const found = graph.search(query.value);
  matchedText.textContent = graph.foundText(found);
  if (found)
    matchedText.dataset.total = found.total;
}

function invert() {
  document.getElementById('invert').setAttribute('aria-pressed', graph.invert());
  search();
}

// Stacks by thread have a button.
const threads = document.getElementById('threads');

function toggleThreads() {
  threads.setAttribute('aria-pressed', graph.toggleThreads());
  search();
}

// So has own code, where there is other code, too.
const own = document.getElementById('own');
own.hidden = !graph.hasLibrary();

function toggleOwn() {
  own.setAttribute('aria-pressed', graph.toggleOwn());
  search();
}

document.addEventListener('keydown', (event) => {
  if (event.target === query)
    return;
  if (event.key === '/') {
    query.focus();
    event.preventDefault();
  } else if (event.key === 'i') {
    invert();
  } else if (event.key === 't' && threads) {
    toggleThreads();
  } else if (event.key === 'o' && !own.hidden) {
    toggleOwn();
  }
});
query.addEventListener('input', search);
document.getElementById('invert').addEventListener('click', invert);
threads?.addEventListener('click', toggleThreads);
own.addEventListener('click', toggleOwn);
document.getElementById('reset').addEventListener('click', () => graph.zoom(graph.root));
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
window.addEventListener('resize', graph.draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', graph.draw);

// A link may have a search after '#'; a percent sign in it need not be encoded.
function searchOf(link) {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

query.value = searchOf(location.hash.slice(1));
graph.describe(graph.root);
search();
