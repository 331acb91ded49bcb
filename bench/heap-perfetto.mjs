// heap-perfetto.mjs -- has Perfetto's trace_processor find what each object of a HeapGraph retains.
// Usage: node heap-perfetto.mjs PEERS TRACE
// Prints the bytes that roots keep alive.
import { NUM, open } from '../tests/peers/trace-processor.mjs';

const [peers, path] = process.argv.slice(2);
const engine = await open(`${peers}/trace-processor`);
await engine.read(path);
await engine.query('include perfetto module android.memory.heap_graph.dominator_tree');
await engine.each(`select sum(dominated_size_bytes) as bytes
                   from heap_graph_dominator_tree where idom_id is null`,
  { bytes: NUM }, (it) => console.log(it.bytes));
engine.close();
