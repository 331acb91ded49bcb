// heap-memlab.mjs -- has memlab find what each object of a .heapsnapshot retains.
// Usage: node heap-memlab.mjs PEERS SNAPSHOT
// Prints the bytes that roots keep alive.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [peers, path] = process.argv.slice(2);
const require = createRequire(resolve(peers, 'package.json'));
const { analysis, config, utils } = require('@memlab/core');
config.muteConsole = true;
config.isContinuousTest = true;

const snapshot = await utils.getSnapshotFromFile(path, { buildNodeIdIndex: true });
analysis.preparePathFinder(snapshot);
let bytes = 0; // its root retains what is not reached, too
snapshot.nodes.forEach((node) => {
  if (node.pathEdge) bytes += node.self_size;
});
console.log(bytes);
