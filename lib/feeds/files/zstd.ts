/**
 * Unpacks Zstandard, which Node.js has only since 22.15: frames of blocks, of which each has literals, packed with a
 * Huffman code, and sequences of literals and repetitions, packed with three codes of finite states (FSE).
 * @see https://www.rfc-editor.org/rfc/rfc8878
 */

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const MAX_BLOCK_BYTES = 128 * 1024;

/** Unpacks frames into `length` bytes. Throws an Error for damaged ones. */
export function unpackZstd(packed: Uint8Array, length: number): Uint8Array {
  const target = new Uint8Array(length);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let [at, end] = [0, 0];
  while (at < packed.length) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === SKIPPABLE >>> 4) at += 8 + view.getUint32(at + 4, true);
    else if (magic === FRAME) [at, end] = unpackFrame(packed, at + 4, target, end);
    else throw new Error("Zstandard: no frame");
  }
  if (at !== packed.length || end !== length) throw new Error("Zstandard: the frames have another length");
  return target;
}

/** Returns the ends of what was read and of what was written. */
function unpackFrame(packed: Uint8Array, start: number, target: Uint8Array, to: number): [number, number] {
  const flags = packed[start] ?? 0;
  const isSingle = (flags & 0x20) !== 0;
  if ((flags & 3) !== 0) throw new Error("Zstandard: a dictionary is missing");
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
  const frame = new Frame(target, to);
  let at = start + 1 + (isSingle ? 0 : 1) + sizeBytes;
  for (let isLast = false; !isLast;) {
    if (at + 3 > packed.length) throw new Error("Zstandard: a block is missing");
    const head = readLittle(packed, at, 3);
    at += 3;
    isLast = (head & 1) === 1;
    const size = head >>> 3;
    const type = (head >> 1) & 3;
    const bytes = packed.subarray(at, at + (type === RUN ? 1 : size));
    if (size > MAX_BLOCK_BYTES || bytes.length !== (type === RUN ? 1 : size))
      throw new Error("Zstandard: a wrong block");
    at += bytes.length;
    if (type === RAW) frame.write(bytes);
    else if (type === RUN) frame.write(new Uint8Array(size).fill(bytes[0] as number));
    else if (type === PACKED) frame.unpackBlock(bytes);
    else throw new Error("Zstandard: a block of an unknown type");
  }
  return [at + ((flags & 4) !== 0 ? 4 : 0), frame.to];
}

/** How a block, literals, or a code of sequences are stored. A code may also be REPEATED from the block before. */
const RAW = 0;
const RUN = 1;
const PACKED = 2;
const REPEATED = 3;

/** A code of finite states: for each state its symbol, and how the next state is read. */
interface StateTable {
  readonly accuracy: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** A Huffman code: the symbol of each text of `most` bits, and how many of them are its own. */
interface Huffman {
  readonly most: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
}

/** What the blocks of a frame share: their output, their codes and the last three distances of repetitions. */
class Frame {
  to: number;
  readonly #target: Uint8Array;
  readonly #start: number;
  readonly #distances = [1, 4, 8];
  #huffman: Huffman | null = null;
  readonly #tables: (StateTable | null)[] = [null, null, null];

  constructor(target: Uint8Array, to: number) {
    this.#target = target;
    this.#start = to;
    this.to = to;
  }

  write(bytes: Uint8Array): void {
    if (this.to + bytes.length > this.#target.length) throw new Error("Zstandard: too many bytes");
    this.#target.set(bytes, this.to);
    this.to += bytes.length;
  }

  unpackBlock(bytes: Uint8Array): void {
    const { literals, end } = this.#readLiterals(bytes);
    let at = end;
    const first = bytes[at++] ?? 0;
    let count = first;
    if (first === 255) {
      count = readLittle(bytes, at, 2) + 0x7f00;
      at += 2;
    } else if (first >= 128) count = ((first - 128) << 8) + (bytes[at++] ?? 0);
    if (count === 0) return this.write(literals);
    const modes = bytes[at++] ?? 0;
    for (let i = 0; i < CODES.length; i++) at = this.#readTable(i, (modes >> (6 - 2 * i)) & 3, bytes, at);
    this.#runSequences(literals, bytes.subarray(at), count);
  }

  #readLiterals(bytes: Uint8Array): { literals: Uint8Array; end: number } {
    const first = bytes[0] ?? 0;
    const type = first & 3;
    const format = (first >> 2) & 3;
    if (type === RAW || type === RUN) {
      const headBytes = format === 3 ? 3 : format === 1 ? 2 : 1;
      const size = readLittle(bytes, 0, headBytes) >>> (headBytes === 1 ? 3 : 4);
      const end = headBytes + (type === RUN ? 1 : size);
      if (size > MAX_BLOCK_BYTES || end > bytes.length) throw new Error("Zstandard: wrong literals");
      if (type === RAW) return { literals: bytes.subarray(headBytes, end), end };
      return { literals: new Uint8Array(size).fill(bytes[headBytes] as number), end };
    }
    const headBytes = format < 2 ? 3 : format + 2;
    const sizeBits = [10, 10, 14, 18][format] as number;
    const sizes = new Bits(bytes.subarray(0, headBytes));
    const size = sizes.peek(4, sizeBits);
    const end = headBytes + sizes.peek(4 + sizeBits, sizeBits);
    if (size > MAX_BLOCK_BYTES || end > bytes.length) throw new Error("Zstandard: wrong literals");
    let at = headBytes;
    if (type === PACKED) [this.#huffman, at] = readHuffman(bytes.subarray(0, end), at);
    if (this.#huffman === null) throw new Error("Zstandard: a Huffman code is missing");
    const literals = new Uint8Array(size);
    if (format === 0) readHuffmanStream(this.#huffman, bytes.subarray(at, end), literals);
    else readHuffmanStreams(this.#huffman, bytes.subarray(at, end), literals);
    return { literals, end };
  }

  /** Returns where the table ends. */
  #readTable(index: number, mode: number, bytes: Uint8Array, at: number): number {
    const { most, usual } = CODES[index] as Code;
    if (mode === RAW) this.#tables[index] = usual;
    else if (mode === RUN) {
      const symbol = Uint8Array.of(bytes[at] ?? 0);
      this.#tables[index] = { accuracy: 0, symbols: symbol, bits: new Uint8Array(1), bases: new Uint16Array(1) };
      return at + 1;
    } else if (mode === PACKED) {
      const [table, end] = readStateTable(bytes, at, most);
      this.#tables[index] = table;
      return end;
    } else if (mode === REPEATED && this.#tables[index] === null) throw new Error("Zstandard: a code is missing");
    return at;
  }

  #runSequences(literals: Uint8Array, bytes: Uint8Array, count: number): void {
    const [ofLiterals, ofDistances, ofRepeats] = this.#tables as [StateTable, StateTable, StateTable];
    const stream = Bits.backward(bytes);
    let literalState = stream.read(ofLiterals.accuracy);
    let distanceState = stream.read(ofDistances.accuracy);
    let repeatState = stream.read(ofRepeats.accuracy);
    let used = 0;
    for (let left = count; left > 0; left--) {
      const distanceCode = ofDistances.symbols[distanceState] as number;
      if (distanceCode > 31) throw new Error("Zstandard: a wrong distance");
      const value = 2 ** distanceCode + stream.read(distanceCode);
      const repeatCode = ofRepeats.symbols[repeatState] as number;
      const repeats = (REPEAT_BASES[repeatCode] ?? NaN) + stream.read(REPEAT_BITS[repeatCode] ?? 0);
      const literalCode = ofLiterals.symbols[literalState] as number;
      const own = (LITERAL_BASES[literalCode] ?? NaN) + stream.read(LITERAL_BITS[literalCode] ?? 0);
      if (!(used + own <= literals.length)) throw new Error("Zstandard: literals are missing");
      this.write(literals.subarray(used, used + own));
      used += own;
      this.#repeat(this.#chooseDistance(value, own), repeats);
      if (left === 1) break;
      literalState = nextState(ofLiterals, literalState, stream);
      repeatState = nextState(ofRepeats, repeatState, stream);
      distanceState = nextState(ofDistances, distanceState, stream);
    }
    if (stream.at !== 0) throw new Error("Zstandard: sequences have another length");
    this.write(literals.subarray(used));
  }

  /** One to three stand for the last distances; without literals before, for the second, the third and one less. */
  #chooseDistance(value: number, literals: number): number {
    const last = this.#distances;
    const [one = 1, two = 4] = last;
    if (value > 3) {
      last.splice(0, 3, value - 3, one, two);
      return value - 3;
    }
    const index = value - 1 + (literals === 0 ? 1 : 0);
    const chosen = index === 3 ? one - 1 : (last[index] as number);
    if (index > 1) last.splice(0, 3, chosen, one, two);
    else if (index === 1) last.splice(0, 2, chosen, one);
    return chosen;
  }

  #repeat(distance: number, length: number): void {
    const target = this.#target;
    const end = this.to + length;
    if (!(distance > 0 && distance <= this.to - this.#start && end <= target.length))
      throw new Error("Zstandard: a wrong repetition");
    if (distance >= length) target.copyWithin(this.to, this.to - distance, end - distance);
    // Byte by byte, because the repetition overlaps what it repeats.
    else for (let i = this.to; i < end; i++) target[i] = target[i - distance] as number;
    this.to = end;
  }
}

function nextState({ bits, bases }: StateTable, state: number, stream: Bits): number {
  return (bases[state] as number) + stream.read(bits[state] as number);
}

function readLittle(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value += (bytes[at + i] ?? 0) * 2 ** (8 * i);
  return value;
}

/** Bits, the lowest of each byte first. Streams of codes are read from their end backward. */
class Bits {
  /** The bits before the current position. */
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** At the end, which the highest bit that is set marks. */
  static backward(bytes: Uint8Array): Bits {
    const last = bytes.at(-1) ?? 0;
    if (last === 0) throw new Error("Zstandard: a stream has no end");
    const bits = new Bits(bytes);
    bits.at = 8 * bytes.length - 8 + highestBit(last);
    return bits;
  }

  /** Up to 32 bits from a position on. Bits before the first one, and behind the last, are zero. */
  peek(from: number, count: number): number {
    if (from < 0) return from + count <= 0 ? 0 : this.peek(0, from + count) * 2 ** -from;
    if (count > 24) return this.peek(from, 16) + this.peek(from + 16, count - 16) * 65_536;
    const bytes = this.#bytes;
    const at = from >> 3;
    const word =
      (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    return (word >>> (from & 7)) & ((1 << count) - 1);
  }

  /** Reads backward. The position may fall below zero, once. */
  read(count: number): number {
    this.at -= count;
    return this.peek(this.at, count);
  }
}

function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}

/** Reads the probabilities of a code. Returns its table, and where it ends. */
function readStateTable(bytes: Uint8Array, start: number, most: number): [StateTable, number] {
  const stream = new Bits(bytes.subarray(start));
  const accuracy = stream.peek(0, 4) + 5;
  if (accuracy > most) throw new Error("Zstandard: a code is too fine");
  const shares: number[] = [];
  let at = 4;
  let left = 1 << accuracy;
  while (left > 0) {
    if (shares.length > 255) throw new Error("Zstandard: a code has too many symbols");
    const width = highestBit(left + 1) + 1;
    const low = (1 << (width - 1)) - 1;
    const threshold = (1 << width) - 2 - left;
    let value = stream.peek(at, width);
    at += width;
    if ((value & low) < threshold) {
      value &= low;
      at--;
    } else if (value > low) value -= threshold;
    const share = value - 1;
    left -= Math.abs(share);
    shares.push(share);
    for (let more = share === 0 ? 3 : 0; more === 3; at += 2) {
      more = stream.peek(at, 2);
      for (let i = 0; i < more; i++) shares.push(0);
    }
  }
  const end = start + Math.ceil(at / 8);
  if (left !== 0 || end > bytes.length) throw new Error("Zstandard: a wrong code");
  return [buildStateTable(shares, accuracy), end];
}

/** @param shares of each symbol among all states; -1 for one that is less than a state, which gets one */
function buildStateTable(shares: readonly number[], accuracy: number): StateTable {
  const size = 1 << accuracy;
  const symbols = new Uint8Array(size);
  let high = size;
  shares.forEach((share, symbol) => {
    if (share === -1) symbols[--high] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  shares.forEach((share, symbol) => {
    for (let i = 0; i < share; i++) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  });
  if (at !== 0) throw new Error("Zstandard: a wrong code");
  const next = shares.map((share) => Math.abs(share));
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] as number;
    const own = next[symbol] as number;
    next[symbol] = own + 1;
    const width = accuracy - highestBit(own);
    bits[state] = width;
    bases[state] = (own << width) - size;
  }
  return { accuracy, symbols, bits, bases };
}

const MOST_HUFFMAN_BITS = 11;
const MOST_WEIGHT_ACCURACY = 6;

function readHuffman(bytes: Uint8Array, start: number): [Huffman, number] {
  const head = bytes[start] ?? 0;
  const first = start + 1;
  if (head >= 128) {
    const count = head - 127;
    const weights = Array.from(
      { length: count },
      (_, i) => ((bytes[first + (i >> 1)] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15,
    );
    return [buildHuffman(weights), first + Math.ceil(count / 2)];
  }
  const end = first + head;
  return [buildHuffman(readWeights(bytes.subarray(first, end))), end];
}

/** Weights are packed with one code, whose two states take turns until the bits are used up. */
function readWeights(bytes: Uint8Array): number[] {
  const [table, start] = readStateTable(bytes, 0, MOST_WEIGHT_ACCURACY);
  const stream = Bits.backward(bytes.subarray(start));
  const states: [number, number] = [stream.read(table.accuracy), stream.read(table.accuracy)];
  const weights: number[] = [];
  for (let turn: 0 | 1 = 0; weights.length < 255; turn = turn === 0 ? 1 : 0) {
    weights.push(table.symbols[states[turn]] as number);
    states[turn] = nextState(table, states[turn], stream);
    if (stream.at >= 0) continue;
    weights.push(table.symbols[states[turn === 0 ? 1 : 0]] as number);
    return weights;
  }
  throw new Error("Zstandard: a Huffman code has too many symbols");
}

/** @param weights of all symbols but the last, whose weight completes a power of two */
function buildHuffman(weights: number[]): Huffman {
  const sum = weights.reduce((total, weight) => total + (weight === 0 ? 0 : 2 ** (weight - 1)), 0);
  const most = sum === 0 ? 0 : highestBit(sum) + 1;
  const left = (1 << most) - sum;
  if (most === 0 || most > MOST_HUFFMAN_BITS || (left & (left - 1)) !== 0)
    throw new Error("Zstandard: a wrong Huffman code");
  weights.push(highestBit(left) + 1);
  const symbols = new Uint8Array(1 << most);
  const bits = new Uint8Array(1 << most);
  let at = 0;
  for (let weight = 1; weight <= most; weight++) {
    weights.forEach((each, symbol) => {
      if (each !== weight) return;
      const end = at + (1 << (weight - 1));
      symbols.fill(symbol, at, end);
      bits.fill(most + 1 - weight, at, end);
      at = end;
    });
  }
  return { most, symbols, bits };
}

function readHuffmanStreams(huffman: Huffman, bytes: Uint8Array, literals: Uint8Array): void {
  const sizes = [readLittle(bytes, 0, 2), readLittle(bytes, 2, 2), readLittle(bytes, 4, 2)];
  const part = Math.ceil(literals.length / 4);
  let at = 6;
  for (let i = 0; i < 4; i++) {
    const end = i === 3 ? bytes.length : at + (sizes[i] as number);
    readHuffmanStream(
      huffman,
      bytes.subarray(at, end),
      literals.subarray(i * part, i === 3 ? literals.length : (i + 1) * part),
    );
    at = end;
  }
}

function readHuffmanStream({ most, symbols, bits }: Huffman, bytes: Uint8Array, literals: Uint8Array): void {
  const stream = Bits.backward(bytes);
  for (let i = 0; i < literals.length; i++) {
    const text = stream.peek(stream.at - most, most);
    literals[i] = symbols[text] as number;
    stream.at -= bits[text] as number;
  }
  if (stream.at !== 0) throw new Error("Zstandard: literals have another length");
}

/** The base of each code, of which each covers 2 to the power of its bits. */
function toBases(first: number, bits: readonly number[]): readonly number[] {
  let next = first;
  return bits.map((width) => {
    const base = next;
    next += 2 ** width;
    return base;
  });
}

const zeros = (count: number) => new Array<number>(count).fill(0);
const LITERAL_BITS = [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const LITERAL_BASES = toBases(0, LITERAL_BITS);
const REPEAT_BITS = [...zeros(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const REPEAT_BASES = toBases(3, REPEAT_BITS);

interface Code {
  /** Of its table: the greatest accuracy. */
  readonly most: number;
  /** The table of blocks that store none. */
  readonly usual: StateTable;
}

const ones = (count: number) => new Array<number>(count).fill(1);
const twos = (count: number) => new Array<number>(count).fill(2);
const rare = (count: number) => new Array<number>(count).fill(-1);

/** The codes of literals, distances and repetitions, in the order of their tables. */
const CODES: readonly Code[] = [
  { most: 9, usual: buildStateTable([4, 3, ...twos(11), 1, 1, 1, ...twos(9), 3, 2, ...ones(5), ...rare(4)], 6) },
  { most: 8, usual: buildStateTable([...ones(6), 2, 2, 2, ...ones(15), ...rare(5)], 5) },
  { most: 9, usual: buildStateTable([1, 4, 3, ...twos(6), ...ones(37), ...rare(7)], 6) },
];
