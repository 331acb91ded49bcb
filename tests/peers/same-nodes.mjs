// same-nodes.mjs -- whether `proflog heap dominators --format json` has the nodes of `peer-graph`.
// Usage: node same-nodes.mjs NODES JSON
import { readFileSync } from 'node:fs';
import { Judge, read } from './ours.mjs';

const [nodes, path] = process.argv.slice(2);
const ours = await read(nodes);
const judge = new Judge(ours);
const numbers = new Map(ours.address.map((address, number) => [address, number]));
const listed = JSON.parse(readFileSync(path)).nodes;
for (const node of listed) {
  const i = numbers.get(node.address);
  const dominator = node.dominator === null ? -1 : numbers.get(node.dominator);
  judge.same('type', i, node.type, ours.type[i]);
  judge.same('bytes', i, node.bytes, ours.bytes[i]);
  judge.same('retained', i, node.retained_bytes, ours.retained[i]);
  judge.same('dominator', i, dominator, ours.dominator[i]);
}
judge.same('nodes', -1, listed.length, ours.dominator.filter((d) => d !== -2).length);
judge.end('proflog heap dominators');
