import { scanCode } from './scan-code.js';

/** Rows that are summed up at once: with 64 columns, what is copied for them stays in the cache of a processor. */
export const tileRows = 8192;
/** An eighth of the components that a code has at most. */
const mostColumns = 256;

/** The bytes of a column: each holds the levels of two rows. */
const columnBytes = tileRows / 2;
/** Where things lie in the memory of the module: weights, then sums, then columns. The module has 17 pages of 64 KiB. */
const sumsAt = 1024;
const columnsAt = sumsAt + 2 * tileRows;

/** Sums up columns of bytes, each multiplied by its weight. */
export interface Kernel {
  /** Signed bytes, one for each column. */
  readonly weights: Int8Array;
  /** Where the levels of a column are written before they are summed up, packed as in `Slab.column`. */
  column(k: number): Uint8Array;
  /** The sums of a scan, modulo 2^16. */
  readonly sums: Uint16Array;
  /** Sums up the first `rows` rows of the first `count` columns. */
  scan(count: number, rows: number, start: number): void;
}

function openKernel(): Kernel {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(scanCode, 'base64')));
  const { memory, scan } = exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof scan !== 'function')
    throw new Error('scan.wat has other exports');
  const { buffer } = memory;
  const columns = Array.from(
    { length: mostColumns },
    (_, k) => new Uint8Array(buffer, columnsAt + k * columnBytes, columnBytes),
  );
  return {
    weights: new Int8Array(buffer, 0, mostColumns),
    column: (k) => columns[k] ?? new Uint8Array(),
    sums: new Uint16Array(buffer, sumsAt, tileRows),
    scan: (count, rows, start) => scan(0, count, columnsAt, columnBytes, sumsAt, rows, start),
  };
}

let opened: Kernel | undefined;

/** There is one: a scan is never interrupted, so the next one uses the same memory again. */
export function kernel(): Kernel {
  opened ??= openKernel();
  return opened;
}
