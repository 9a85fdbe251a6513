import type { WrappedPdfiumModule } from '@embedpdf/pdfium';

/** Reads and writes the memory of the library. */
export interface Memory {
  /** Copies bytes into it. @returns their address. They stay there. */
  put(bytes: Uint8Array): number;
  /** A place of 64 bytes for what a call writes, the same at every call. */
  readonly place: number;
  doubleAt(address: number): number;
  floatAt(address: number): number;
  intAt(address: number): number;
  /**
   * The text that a call of the library writes: `write` gets the address and size of a place, and returns how many bytes the text
   * takes with its end. It is called with no place first, to ask for the size.
   */
  text(write: (address: number, bytes: number) => number): string;
}

/** A longer text of a field or note, in bytes, is left out: no page has room for it. */
const maxTextBytes = 4 * 1024 * 1024;

/** The views of the memory. The library replaces them when the memory grows, so they are never stored. */
interface Views {
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;
}

/** The types of the package name them only together with another package, whose global types conflict with those of the database. */
const hasViews = (module: object): module is Views =>
  ['HEAPU8', 'HEAP32', 'HEAPF32', 'HEAPF64'].every((name) => name in module);

export function createMemory({ pdfium }: WrappedPdfiumModule): Memory {
  const { malloc, free } = pdfium.wasmExports;
  const module: object = pdfium;
  if (!hasViews(module)) throw new Error('This version of @embedpdf/pdfium does not show its memory.');
  return {
    put(bytes) {
      const address = malloc(Math.max(1, bytes.length));
      module.HEAPU8.set(bytes, address);
      return address;
    },
    place: malloc(64),
    doubleAt: (address) => module.HEAPF64[address >> 3] ?? 0,
    floatAt: (address) => module.HEAPF32[address >> 2] ?? 0,
    intAt: (address) => module.HEAP32[address >> 2] ?? 0,
    text(write) {
      const size = write(0, 0);
      if (size <= 2 || size > maxTextBytes) return '';
      const address = malloc(size);
      try {
        write(address, size);
        return Buffer.from(module.HEAPU8.subarray(address, address + size - 2)).toString('utf16le');
      } finally {
        free(address);
      }
    },
  };
}
