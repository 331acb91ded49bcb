// ours.mjs -- what we find in a graph, and the comparison of what a peer finds with that.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

// Reads the lines of `peer-graph ... nodes`: objects by number.  A dominator is a number, -1 for
// the roots, -2 for none: then nothing leads to the object.
export async function read(path) {
  const ours = { address: [], bytes: [], retained: [], dominator: [], steps: [], type: [] };
  const special = { roots: -1, none: -2 };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [, address, bytes, retained, dominator, steps, type] = line.split('\t');
    ours.address.push(address);
    ours.bytes.push(Number(bytes));
    ours.retained.push(Number(retained));
    ours.dominator.push(special[dominator] ?? Number(dominator));
    ours.steps.push(Number(steps));
    ours.type.push(type);
  }
  return ours;
}

// Counts what does not agree, and shows the first of it.
export class Judge {
  constructor(ours) {
    this.ours = ours;
    this.wrong = 0;
    this.checked = 0;
  }

  same(what, number, theirs, ours) {
    this.checked++;
    if (theirs === ours) return;
    if (this.wrong++ < 20)
      console.error(`${this.ours.address[number] ?? ''} ${what}: ${theirs}, and ours is ${ours}`);
  }

  // Prints the result, and ends with a status.
  end(peer) {
    const reached = this.ours.dominator.filter((d) => d !== -2).length;
    console.log(`${peer}: ${this.ours.address.length} objects, ${reached} reached, ` +
      `${this.checked} figures compared, ${this.wrong} wrong`);
    if (reached === 0) console.error('nothing is reached: nothing was compared');
    process.exitCode = this.wrong === 0 && reached > 0 ? 0 : 1;
  }
}
