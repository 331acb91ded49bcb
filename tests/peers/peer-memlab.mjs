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
const steps = new Map();
function distance(node) {
  const way = [];
  while (!steps.has(node.id) && node.nodeIndex >= first && node.hasPathEdge) {
    way.push(node.id);
    node = node.pathEdge.fromNode;
  }
  let d = steps.get(node.id) ?? 0;
  for (const id of way.reverse()) steps.set(id, ++d);
  return d;
}
for (let i = 0; i < ours.address.length; i++) {
  const node = snapshot.nodes.get(first + i);
  judge.same('name', i, node.name, ours.type[i]);
  judge.same('bytes', i, node.self_size, ours.bytes[i]);
  if (ours.dominator[i] === -2) continue;
  judge.same('retained', i, node.retainedSize, ours.retained[i]);
  const dominator = node.dominatorNode.nodeIndex;
  judge.same('dominator', i, dominator < first ? -1 : dominator - first, ours.dominator[i]);
  if (ours.distance !== undefined) judge.same('path', i, distance(node), ours.distance[i]);
}
judge.end('memlab');
