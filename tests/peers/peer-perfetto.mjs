// peer-perfetto.mjs -- Perfetto's trace_processor on a HeapGraph.
// Usage: node peer-perfetto.mjs ENGINE NODES TRACE
// ENGINE is the folder of its WebAssembly build, with what talks to that.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Judge, read } from './ours.mjs';

const [folder, nodes, path] = process.argv.slice(2);

// The engine is made to run as a browser's worker: here it gets what it looks for there.  Its build
// for 32 bits is the one that comes with the package.
async function open() {
  let code = readFileSync(`${folder}/engine_bundle.node.js`, 'utf8');
  const replace = (what, by) => {
    if (!code.includes(what)) throw new Error(`the engine has no '${what}'`);
    code = code.replace(what, by);
  };
  replace('locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: self.wasmBinary,');
  replace('function hasMemory64Support() {', 'function hasMemory64Support() { return false;');
  replace('printErr: (line) => this.appendAndLogErr(line)', 'printErr: () => {}');
  const self = { location: { href: '' }, wasmBinary: readFileSync(`${folder}/trace_processor.wasm`) };
  new Function('self', 'process', 'WorkerGlobalScope', code)(self, undefined, Object);
  const { EngineBase } = await import(pathToFileURL(`${folder}/engine.mjs`).href);
  const { port1, port2 } = new MessageChannel();
  class Engine extends EngineBase {
    id = 'peer';
    rpcSendRequestBytes(data) {
      port1.postMessage(data);
    }
    close() {
      port1.close();
    }
  }
  const engine = new Engine();
  port1.onmessage = (message) => engine.onRpcResponseBytes(message.data);
  await new Promise((r) => setTimeout(r, 500)); // its beginning tells nobody when it is done
  self.onmessage({ data: port2 });
  return engine;
}

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

const NUM = 0, NUM_NULL = 1, STR = 'str';
const ours = await read(nodes);
const judge = new Judge(ours);
const engine = await open();
const bytes = readFileSync(path);
for (let at = 0; at < bytes.length; at += 32 << 20)
  await engine.parse(new Uint8Array(bytes.subarray(at, at + (32 << 20))));
await engine.notifyEof();
async function each(sql, row, call) {
  const result = await engine.query(sql);
  for (const it = result.iter(row); it.valid(); it.next()) call(it);
}

await each(`select name, value from stats where severity in ('error', 'data_loss') and value > 0`,
  { name: STR, value: NUM }, (it) => judge.same(it.name, -1, it.value, 0));
const numbers = order(bytes);
const reached = new Uint8Array(ours.address.length);
let objects = 0;
await each(`select o.id as id, o.self_size as bytes, o.reachable as reachable,
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
await each(`select id, idom_id as dominator, dominated_size_bytes as retained
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
