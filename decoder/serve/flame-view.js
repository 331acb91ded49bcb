// The flame graph of the samples up to now, which grows; a zoom and a search stay.
export const FETCH_MS = 2000;

export class FlameView {
  constructor(section) {
    this.section = section;
    this.search = section.querySelector('input');
    this.invert = section.querySelector('.invert');
    this.matched = section.querySelector('output');
    this.graph = null;
    this.isLast = this.isWhole = false;
    this.search.addEventListener('input', () => this.find());
    this.invert.addEventListener('click', () => this.turn());
    section.querySelector('.all').addEventListener('click', () => this.graph.zoom(this.graph.root));
    section.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
    addEventListener('resize', () => this.graph?.draw());
  }

  // The server makes the graph when it is asked, for the next time: of a source that has ended the second
  // answer is of all.
  async update(ended) {
    if (document.hidden || this.isWhole)
      return;
    const isWhole = ended && this.isLast;
    this.isLast = ended;
    try {
      const data = await (await fetch('flame')).json();
      if (data?.parents.length)
        this.show(data);
      this.isWhole = isWhole;
    } catch {
      // The events show whether the server is there.
    }
  }

  show(data) {
    this.section.hidden = false;
    this.section.dataset.total = data.selves.reduce((sum, self) => sum + self, 0);
    if (!this.graph) {
      const status = this.section.querySelector('.status');
      this.graph = flameGraph(this.section.querySelector('canvas'), data, (text) => { status.textContent = text; });
      this.graph.zoom(this.graph.root);
      return;
    }
    const { graph } = this, zoomed = this.path(graph.zoomed), focused = this.path(graph.focused);
    Object.assign(graph.data, data);
    graph.load();
    graph.zoom(this.nodeAt(zoomed));
    graph.focus(this.nodeAt(focused));
    this.find();
  }

  path(node) {
    const names = [];
    for (; node.parent; node = node.parent)
      names.unshift(this.graph.nameOf(node));
    return names;
  }

  // As far as it is there: what is small may be summed now.
  nodeAt(path) {
    let node = this.graph.root;
    for (const name of path) {
      const child = node.children.find((n) => this.graph.nameOf(n) === name);
      if (!child)
        break;
      node = child;
    }
    return node;
  }

  find() {
    this.matched.textContent = this.graph ? this.graph.foundText(this.graph.search(this.search.value)) : '';
  }

  turn() {
    this.invert.setAttribute('aria-pressed', this.graph.invert());
    this.find();
  }
}
