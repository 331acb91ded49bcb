'use strict';
// A flame graph on a canvas: a row for each depth, the root above; the width is the cost.
//
// The data are columns: of node i + 1 its parent, the place of its name in `frames`, its cost by itself, and in a
// comparison its cost in the earlier log; `library` has the places of names that are not of the program, and `words`
// what people read for some; `sample` what a sample stands for in both logs, where costs are estimates.  `show` gets a sentence about the frame under the pointer.
const ROW = 18, NARROWEST = 0.4;
// Pixels of a canvas: a higher one stays empty in some browsers.
const HIGHEST = 32767;

function flameGraph(canvas, data, show) {
  // ---- the trees ----

  function newNode(frame, parent) {
    return { frame, parent, depth: parent ? parent.depth + 1 : 0, total: 0, self: 0, before: 0, start: 0,
      children: [], byFrame: new Map() };
  }

  function childOf(parent, frame) {
    let child = parent.byFrame.get(frame);
    if (!child) {
      child = newNode(frame, parent);
      parent.byFrame.set(frame, child);
      parent.children.push(child);
    }
    return child;
  }

  // The cost of a stack, and in a comparison its cost in the earlier log.
  function addSelf(node, i) {
    const weight = data.selves[i], before = data.before ? data.before[i] : 0;
    node.self += weight;
    for (let n = node; n; n = n.parent) {
      n.total += weight;
      n.before += before;
    }
  }

  const hasCost = (i) => data.selves[i] || (data.before && data.before[i]);

  // Children stand in the order of their names.
  function order(root) {
    const waiting = [root];
    while (waiting.length) {
      const node = waiting.pop();
      node.children.sort((a, b) => (data.frames[a.frame] < data.frames[b.frame] ? -1 : 1));
      waiting.push(...node.children);
    }
    return root;
  }

  function place(root) {
    const waiting = [root];
    while (waiting.length) {
      const node = waiting.pop();
      let at = node.start;
      for (const child of node.children) {
        child.start = at;
        at += child.total;
        waiting.push(child);
      }
    }
    return root;
  }

  // Threads may be the outermost frames; without them their stacks are together.
  let showsThreads = Boolean(data.has_threads);
  // Of own code alone, what the library and the runtime cost is their caller's.
  let showsOwn = false, library;
  const isHidden = (i) => (data.has_threads && data.parents[i] === 0 ? !showsThreads : showsOwn && library.has(data.names[i]));

  // The nodes of all stacks, without costs: they are made once for all costs of the same stacks.
  let stacks = null;

  function nodesOfStacks() {
    if (stacks && stacks.parents === data.parents && stacks.showsThreads === showsThreads && stacks.showsOwn === showsOwn)
      return stacks;
    const root = newNode(-1, null), nodes = [root];
    for (let i = 0; i < data.parents.length; i++)
      nodes.push(isHidden(i) ? nodes[data.parents[i]] : childOf(nodes[data.parents[i]], data.names[i]));
    stacks = { parents: data.parents, showsThreads, showsOwn, root: order(root), nodes, each: [...new Set(nodes)] };
    return stacks;
  }

  // A caller is before its callees, so costs are passed on from the last node to the first.
  function topDown() {
    const { root, nodes, each } = nodesOfStacks();
    for (const node of each)
      node.self = node.total = node.before = node.start = 0;
    for (let i = 0; i < data.parents.length; i++) {
      const node = nodes[i + 1], before = data.before ? data.before[i] : 0;
      node.self += data.selves[i];
      node.total += data.selves[i];
      node.before += before;
    }
    for (let i = each.length - 1; i > 0; i--) {
      each[i].parent.total += each[i].total;
      each[i].parent.before += each[i].before;
    }
    return place(root);
  }

  // The innermost frame first, and its callers below.
  function bottomUp() {
    const root = newNode(-1, null);
    for (let i = 0; i < data.parents.length; i++) {
      if (!hasCost(i))
        continue;
      let node = root;
      for (let at = i + 1; at; at = data.parents[at - 1])
        node = isHidden(at - 1) ? node : childOf(node, data.names[at - 1]);
      addSelf(node, i);
    }
    return place(order(root));
  }

  const trees = { down: null, up: null };
  let root, zoomed, focused, matches = null;

  // Of the costs that the data has now.
  function load() {
    const isInverted = root && root === trees.up;
    library = new Set(data.library);
    trees.down = topDown();
    trees.up = isInverted ? bottomUp() : null;
    root = zoomed = focused = isInverted ? trees.up : trees.down;
  }

  // ---- texts ----

  function amount(value) {
    if (data.unit !== 'ns')
      return value.toLocaleString('en') + ' ' + data.unit;
    for (const [name, factor] of [['h', 3.6e12], ['s', 1e9], ['ms', 1e6], ['us', 1e3]])
      if (value >= factor)
        return (value / factor).toPrecision(Math.max(3, String(Math.trunc(value / factor)).length)) + ' ' + name;
    return value + ' ns';
  }

  const share = (value) => (root.total ? (100 * value / root.total).toFixed(1) : '0.0') + ' %';
  const nameOf = (node) => (node.frame < 0 ? 'all' : data.words[node.frame] || data.frames[node.frame]);

  // The change since the earlier log, of the larger cost: from -1 to 1.
  const changeOf = (node) => (node.total - node.before) / Math.max(node.total, node.before, 1);
  const isSame = (node) => Math.abs(changeOf(node)) < 0.005;

  // Errors are those of 95 %: of a sum it is that of as many samples, of a share Wilson's.
  const Z = 1.96;
  const isChance = (node) => Boolean(data.sample && data.sample[0] && data.sample[1]) &&
    Math.abs(node.total - node.before) <= Z * Math.sqrt(node.total * data.sample[0] + node.before * data.sample[1]);

  function errorOfShare(value) {
    const n = data.sample ? root.total / data.sample[0] : 0, part = root.total ? value / root.total : 0;
    const error = n ? Z / (1 + Z * Z / n) * Math.sqrt(part * (1 - part) / n + Z * Z / (4 * n * n)) : 0;
    return error > part / 10 ? ` (± ${(100 * error).toFixed(1)})` : '';
  }

  function changeText(node) {
    if (isSame(node))
      return '=';
    const percent = (100 * (node.total - node.before) / node.before).toFixed(0);
    const text = !node.before ? 'new' : !node.total ? 'gone' : (node.total > node.before ? '+' : '') + percent + ' %';
    return isChance(node) ? `(${text})` : text;
  }

  function describe(node) {
    const before = data.before ? `; before ${amount(node.before)}, ${changeText(node)}` : '';
    const full = data.words[node.frame] ? ` [${data.frames[node.frame]}]` : '';
    show(`${nameOf(node)}${full} - ${amount(node.total)}, ${share(node.total)}${errorOfShare(node.total)}; ` +
      `self ${amount(node.self)}, ${share(node.self)}${errorOfShare(node.self)}${before}`);
  }

  // ---- search ----

  // Of nested matches the outermost counts.
  function matchedTotal() {
    let sum = 0;
    const waiting = [root];
    while (waiting.length) {
      const node = waiting.pop();
      if (node.frame >= 0 && matches.has(node.frame))
        sum += node.total;
      else
        waiting.push(...node.children);
    }
    return sum;
  }

  // The frames with this text in their names, and the cost of the stacks that have one; of no text null.
  function search(text) {
    const part = text.toLowerCase();
    matches = null;
    if (part) {
      matches = new Set();
      data.frames.forEach((name, i) => {
        if ([name, data.words[i] || ''].some((text) => text.toLowerCase().includes(part)))
          matches.add(i);
      });
    }
    draw();
    return matches && { frames: matches.size, total: matchedTotal() };
  }

  // What a search found, or nothing.
  function foundText(match) {
    return match ? `${match.frames} ${match.frames === 1 ? 'frame matches' : 'frames match'}: ${amount(match.total)}, ${share(match.total)}` : '';
  }

  // ---- drawing ----

  // Red is more, blue less, yellow new, grey the same.
  function colourOfChange(node) {
    if (isSame(node) || isChance(node))
      return 'hsl(215 13% 81%)';
    const change = changeOf(node);
    return node.before ? `hsl(${change > 0 ? 4 : 215} 85% ${90 - 24 * Math.abs(change)}%)` : 'hsl(48 95% 62%)';
  }

  function colour(node) {
    if (data.before)
      return colourOfChange(node);
    if (node.frame < 0)
      return '#9aa4b0';
    const name = data.frames[node.frame], isNative = !name.includes(':') || name.endsWith('[native]');
    let hash = 0;
    for (const c of name.split(':')[0])
      hash = (hash * 31 + c.charCodeAt(0)) % 997;
    const [hue, strength] = isNative ? [205 + hash % 25, 45] : library.has(node.frame) ? [80 + hash % 50, 38] : [12 + hash % 44, 80];
    return `hsl(${hue} ${strength}% ${62 + hash % 12}%)`;
  }

  function deepest(node) {
    let most = node.depth;
    const waiting = [node];
    while (waiting.length) {
      const n = waiting.pop();
      most = Math.max(most, n.depth);
      waiting.push(...n.children.filter((c) => c.total));
    }
    return most;
  }

  let shown = []; // { node, x, y, width }

  function visible(width) {
    const scale = zoomed.total ? width / zoomed.total : 0, list = [];
    for (let n = zoomed.parent; n; n = n.parent)
      list.push({ node: n, x: 0, y: n.depth * ROW, width });
    const waiting = [zoomed];
    while (waiting.length) {
      const node = waiting.pop();
      const w = node.total * scale;
      if (w < NARROWEST)
        continue;
      list.push({ node, x: (node.start - zoomed.start) * scale, y: node.depth * ROW, width: w });
      waiting.push(...node.children);
    }
    return list;
  }

  // The most of a name that has room: all, without arguments, without its namespace, the method alone.
  function label(name, letters) {
    const bare = name.replace(/ \(.*$/, ''), short = bare.replace(/^.*?([^.:]*:)/, '$1');
    for (const text of [name, bare, short, short.replace(/^.*:/, '')])
      if (text && text.length <= letters)
        return text;
    const text = short || name;
    return text.slice(0, letters - 1) + '…';
  }

  // In a comparison the change stands before the name.
  function labelOf(node, letters) {
    if (!data.before)
      return label(nameOf(node), letters);
    const change = changeText(node), room = letters - change.length - 1;
    return room >= 3 ? change + ' ' + label(nameOf(node), room) : change.slice(0, letters);
  }

  function drawFrame(context, text, { node, x, y, width }) {
    const isDim = matches && !matches.has(node.frame);
    context.globalAlpha = isDim ? 0.35 : 1;
    context.fillStyle = matches && matches.has(node.frame) ? '#d58cf0' : colour(node);
    context.fillRect(x, y, Math.max(width - 0.6, NARROWEST), ROW - 1);
    if (node === focused) {
      context.strokeStyle = text;
      context.strokeRect(x + 0.5, y + 0.5, Math.max(width - 1.6, 1), ROW - 2);
    }
    const letters = Math.floor((width - 6) / 6.7);
    if (letters >= 3) {
      context.globalAlpha = isDim ? 0.7 : 1;
      context.fillStyle = isDim ? text : '#1b1f24';
      context.fillText(labelOf(node, letters), x + 3, y + ROW - 5);
    }
    context.globalAlpha = 1;
  }

  function draw() {
    const width = canvas.clientWidth, height = (deepest(zoomed) + 1) * ROW;
    const ratio = Math.min(window.devicePixelRatio || 1, HIGHEST / height);
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.height = height + 'px';
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    context.font = '11px ui-monospace, monospace';
    const text = getComputedStyle(document.body).color;
    shown = visible(width);
    for (const rectangle of shown)
      drawFrame(context, text, rectangle);
  }

  // ---- pointer and keys ----

  function at(event) {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    return shown.find((r) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + ROW);
  }

  function zoom(node) {
    zoomed = focused = node;
    describe(node);
    draw();
  }

  function focus(node) {
    if (!node)
      return;
    focused = node;
    describe(node);
    draw();
  }

  function sibling(node, step) {
    const all = node.parent ? node.parent.children.filter((n) => n.total) : [];
    return all[all.indexOf(node) + step];
  }

  function invert() {
    trees.up = trees.up || bottomUp();
    root = root === trees.down ? trees.up : trees.down;
    zoom(root);
    return root === trees.up;
  }

  function toggleThreads() {
    showsThreads = !showsThreads;
    load();
    zoom(root);
    return showsThreads;
  }

  const hasLibrary = () => library.size > 0 && library.size < data.frames.length;

  function toggleOwn() {
    showsOwn = !showsOwn;
    load();
    zoom(root);
    return showsOwn;
  }

  function widest(node) {
    return node.children.reduce((most, n) => (n.total > (most ? most.total : 0) ? n : most), null);
  }

  const keys = {
    ArrowUp: () => focus(focused.parent),
    ArrowDown: () => focus(widest(focused)),
    ArrowLeft: () => focus(sibling(focused, -1)),
    ArrowRight: () => focus(sibling(focused, 1)),
    Enter: () => zoom(focused),
    Escape: () => zoom(root),
  };

  canvas.addEventListener('mousemove', (event) => describe((at(event) || { node: focused }).node));
  canvas.addEventListener('click', (event) => { const r = at(event); if (r) zoom(r.node); });
  canvas.addEventListener('keydown', (event) => {
    if (keys[event.key]) {
      keys[event.key]();
      event.preventDefault();
    }
  });

  load();
  return {
    canvas, data, trees, load, describe, search, foundText, draw, zoom, focus, invert, toggleThreads, hasLibrary, toggleOwn, nameOf, labelOf, colour, isSame, amount, share,
    get root() { return root; },
    get zoomed() { return zoomed; },
    get focused() { return focused; },
    get shown() { return shown; },
  };
}
