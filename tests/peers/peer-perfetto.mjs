// peer-perfetto.mjs -- Perfetto's trace_processor on a HeapGraph.
// Usage: node peer-perfetto.mjs ENGINE NODES TRACE
// ENGINE is the folder of its WebAssembly build, with what talks to that.
import { readFileSync } from 'node:fs';
import { Judge, read } from './ours.mjs';
import { NUM, NUM_NULL, STR, open } from './trace-processor.mjs';

const [folder, nodes, path] = process.argv.slice(2);

// Reads a protobuf message: calls for each field with its number and what it holds.
function fields(bytes, start, end, take) {
  const varint = () => {
    let value = 0, scale = 1;
    for (;;) {
      const byte = bytes[start++];
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return value;
    }
  };
  while (start < end) {
    const tag = varint();
    if ((tag & 7) === 0) take(tag >> 3, varint());
    else {
      const length = varint();
      take(tag >> 3, start, start + length);
      start += length;
    }
  }
}

// trace_processor numbers objects as they are mentioned first, be it in a reference, and keeps no id
// of ours.  Returns our number of each of its.
function order(bytes) {
  const numbers = new Int32Array(ours.address.length), seen = new Uint8Array(ours.address.length + 1);
  let n = 0;
  const mention = (id) => {
    if (seen[id] === 0) numbers[n++] = id - 1;
    seen[id] = 1;
  };
  const object = (start, end) => fields(bytes, start, end, (field, a, b) => {
    if (field === 1) mention(a);
    else if (field === 5) {
      for (let value = 0, scale = 1, i = a; i < b; i++) {
        value += (bytes[i] & 0x7f) * scale;
        scale *= 128;
        if (bytes[i] < 0x80) {
          mention(value);
          value = 0;
          scale = 1;
        }
      }
    }
  });
  fields(bytes, 0, bytes.length, (field, start, end) =>
    fields(bytes, start, end, (field, start, end) => {
      if (field === 56) fields(bytes, start, end, (field, start, end) => {
        if (field === 2) object(start, end);
      });
    }));
  return numbers;
}

const ours = await read(nodes);
const judge = new Judge(ours);
const engine = await open(folder);
const bytes = readFileSync(path);
await engine.read(path);
await engine.each(`select name, value from stats where severity in ('error', 'data_loss') and value > 0`,
  { name: STR, value: NUM }, (it) => judge.same(it.name, -1, it.value, 0));
const numbers = order(bytes);
const reached = new Uint8Array(ours.address.length);
let objects = 0;
await engine.each(`select o.id as id, o.self_size as bytes, o.reachable as reachable,
              o.root_distance as steps, c.name as type
            from heap_graph_object o join heap_graph_class c on o.type_id = c.id order by o.id`,
  { id: NUM, bytes: NUM, reachable: NUM, steps: NUM, type: STR }, (it) => {
    const i = numbers[it.id];
    objects++;
    judge.same('name', i, it.type, ours.type[i]);
    judge.same('bytes', i, it.bytes, ours.bytes[i]);
    judge.same('reached', i, it.reachable, ours.dominator[i] === -2 ? 0 : 1);
    if (it.reachable === 1) judge.same('steps', i, it.steps, ours.steps[i]);
  });
judge.same('objects', -1, objects, ours.address.length);
await engine.query('include perfetto module android.memory.heap_graph.dominator_tree');
await engine.each(`select id, idom_id as dominator, dominated_size_bytes as retained
            from heap_graph_dominator_tree`,
  { id: NUM, dominator: NUM_NULL, retained: NUM }, (it) => {
    const i = numbers[it.id];
    reached[i] = 1;
    judge.same('dominator', i, it.dominator === null ? -1 : numbers[it.dominator], ours.dominator[i]);
    judge.same('retained', i, it.retained, ours.retained[i]);
  });
for (let i = 0; i < ours.address.length; i++)
  judge.same('in the tree', i, reached[i] === 1, ours.dominator[i] !== -2);
engine.close();
judge.end('trace_processor');
