// peer-memlab.mjs -- memlab on a .heapsnapshot.
// Usage: node peer-memlab.mjs MODULES NODES SNAPSHOT
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Judge, read } from './ours.mjs';

const [modules, nodes, path] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'package.json'));
const { analysis, config, utils } = require('@memlab/core');
config.muteConsole = true;
config.isContinuousTest = true;

const ours = await read(nodes);
const snapshot = await utils.getSnapshotFromFile(path, { buildNodeIdIndex: true });
analysis.preparePathFinder(snapshot);

// Objects are the last nodes, in our order.
const judge = new Judge(ours);
const first = snapshot.nodes.length - ours.address.length;
// References on the way that memlab found; the root's own is none of them.
const known = new Int32Array(ours.address.length).fill(-1);
function steps(object) {
  const way = [];
  for (let at = object; at >= 0 && known[at] < 0;) {
    way.push(at);
    at = snapshot.nodes.get(first + at).pathEdge.fromNode.nodeIndex - first;
    if (at >= 0 && known[at] >= 0) way.start = known[at] + 1;
  }
  let n = way.start ?? 0;
  for (const each of way.reverse()) known[each] = n++;
  return known[object];
}
for (let i = 0; i < ours.address.length; i++) {
  const node = snapshot.nodes.get(first + i);
  judge.same('name', i, node.name, ours.type[i]);
  judge.same('bytes', i, node.self_size, ours.bytes[i]);
  if (ours.dominator[i] === -2) continue;
  judge.same('retained', i, node.retainedSize, ours.retained[i]);
  const dominator = node.dominatorNode.nodeIndex;
  judge.same('dominator', i, dominator < first ? -1 : dominator - first, ours.dominator[i]);
  judge.same('steps', i, steps(i), ours.steps[i]);
}
judge.end('memlab');
