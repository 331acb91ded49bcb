'use strict';
// The cells of a heat map: inflates the pieces of a page, a layer at a time, and adds up what rectangles have.
//
// A layer has pieces of one weight and of one or all programs.  A rectangle has whole columns and rows: { from, to, top,
// bottom }, of which `to` and `bottom` are beyond it.
const heatCells = (() => {
// ---- pieces ----

function bytesOf(text) {
  if (Uint8Array.fromBase64)
    return Uint8Array.fromBase64(text);
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++)
    bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Numbers are LEB128; amounts may have more than 32 bits.
function reader(bytes) {
  let at = 0;
  function number() {
    let value = 0, factor = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 0x7f) * factor;
      factor *= 128;
    } while (byte & 0x80);
    return value;
  }
  return {
    number,
    byte: () => bytes[at++],
    fill: (array) => {
      for (let i = 0; i < array.length; i++)
        array[i] = number();
      return array;
    },
  };
}

// The places of the stacks of entries among those of their piece.
function readPlaces(from, entries, stacks) {
  const places = new (stacks.length > 65536 ? Uint32Array : Uint16Array)(entries), rare = [];
  for (let i = 0; i < entries; i++)
    if ((places[i] = from.byte()) === 255)
      rare.push(i);
  for (const factor of [1, 256, 65536])
    for (const i of rare)
      places[i] += from.byte() * factor;
  return places;
}

async function unpack(piece, rows, isCounted) {
  const from = reader(await inflate(piece.data));
  const counts = from.fill(new Uint32Array(piece.columns * rows)), starts = new Uint32Array(piece.columns + 1);
  for (let column = 0; column < piece.columns; column++) {
    starts[column + 1] = starts[column];
    for (let row = 0; row < rows; row++)
      starts[column + 1] += counts[column * rows + row];
  }
  const stacks = from.fill(new Uint32Array(from.number())), places = readPlaces(from, piece.entries, stacks);
  return {
    program: piece.program,
    from: piece.from,
    columns: piece.columns,
    counts: Uint16Array.from(counts),
    starts,
    stacks,
    places,
    amounts: isCounted ? null : from.fill(new Float64Array(piece.entries)),
    spans: isCounted ? null : from.fill(new Uint32Array(piece.entries)),
  };
}

// ---- layers ----

// Calls visit (cell, amount, stack, span) for the entries of the cells of a rectangle.
function visitEntries(layer, rectangle, visit) {
  const { rows } = layer;
  for (const piece of layer.pieces) {
    const first = Math.max(rectangle.from, piece.from), last = Math.min(rectangle.to, piece.from + piece.columns);
    for (let column = first; column < last; column++) {
      let entry = piece.starts[column - piece.from];
      for (let row = 0; row < rectangle.bottom; row++) {
        const next = entry + piece.counts[(column - piece.from) * rows + row];
        for (; entry < next; entry++)
          if (row >= rectangle.top)
            visit(column * rows + row, piece.amounts ? piece.amounts[entry] : 1, piece.stacks[piece.places[entry]],
              piece.spans ? piece.spans[entry] : 0);
      }
    }
  }
}

// What lasts is drawn where it was: its amount is divided among the cells in which it went on.
function addShades(layer) {
  const { shades, columns, rows, isBackward } = layer, whole = { from: 0, to: columns, top: 0, bottom: rows };
  visitEntries(layer, whole, (cell, amount, stack, span) => {
    const begin = isBackward ? Math.max(cell - span, 0) : cell;
    const end = isBackward ? cell + 1 : Math.min(cell + span + 1, shades.length);
    layer.seconds[Math.floor(cell / rows)] += amount;
    for (let i = begin; i < end; i++)
      shades[i] += amount / (span + 1);
  });
}

// `program` may be null: all of them.  `shades` has what each cell is drawn with, `seconds` the sum of each column.
async function load(data, weight, program) {
  const { columns, rows } = data;
  const pieces = data.pieces.filter((piece) => piece.weight === weight && (program === null || piece.program === program));
  const layer = { weight, program, columns, rows, isBackward: data.weights[weight].backward, pieces: [], shades: new Float64Array(columns * rows),
    seconds: new Float64Array(columns) };
  for (const piece of pieces)
    layer.pieces.push(await unpack(piece, rows, data.weights[weight].counts));
  addShades(layer);
  return layer;
}

// Does what begins in this cell end in the range of time that the cell is in?  A rectangle of full height is one range,
// others have one in each column.  What stands where it ended counts there.
function endsWithin(layer, rectangle, cell, span) {
  if (layer.isBackward)
    return true;
  const isWhole = rectangle.top === 0 && rectangle.bottom === layer.rows;
  return isWhole ? cell + span < rectangle.to * layer.rows : cell % layer.rows + span < rectangle.bottom;
}

// The sum of a rectangle, and of each stack in it: `selves`, by the number of the stack less 1.
function sum(layer, rectangle, stacks) {
  const selves = new Float64Array(stacks);
  let total = 0;
  visitEntries(layer, rectangle, (cell, amount, stack, span) => {
    if (!endsWithin(layer, rectangle, cell, span))
      return;
    selves[stack - 1] += amount;
    total += amount;
  });
  return { selves, total };
}

return { load, sum };
})();
