// trace-processor.mjs -- Perfetto's trace_processor as a browser has it, out of the folder of its
// WebAssembly build with what talks to that.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// What columns of results are.
export const NUM = 0, NUM_NULL = 1, STR = 'str';

// The engine is made to run as a browser's worker: here it gets what it expects there.  Its build
// for 32 bits is the one that comes with the package.
export async function open(folder) {
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
    // A whole trace, piece by piece.
    async read(path) {
      const file = openSync(path);
      for (;;) {
        const piece = new Uint8Array(32 << 20);
        const n = readSync(file, piece);
        if (n === 0) break;
        await this.parse(piece.subarray(0, n));
      }
      closeSync(file);
      await this.notifyEof();
    }
    // Calls for each row.
    async each(sql, row, call) {
      const result = await this.query(sql);
      for (const it = result.iter(row); it.valid(); it.next()) call(it);
    }
  }
  const engine = new Engine();
  port1.onmessage = (message) => engine.onRpcResponseBytes(message.data);
  await new Promise((r) => setTimeout(r, 500)); // nothing shows the end of its beginning
  self.onmessage({ data: port2 });
  return engine;
}
