import { gunzipSync } from 'node:zlib';
import { createCollector, type ReadExport } from '../../domain/otlp/export.js';
import { readJson } from './json.js';
import { readProtobuf } from './wire.js';

/** How the body of an export is written. */
export interface Encoding {
  readonly format: 'protobuf' | 'json';
  readonly gzip: boolean;
}

export interface EncodedExport extends Encoding {
  readonly body: Uint8Array;
  /** The most bytes after decompression. */
  readonly limit: number;
}

/** An export, or why it cannot be read. */
export type ReadOrNot = ReadExport | { readonly unreadable: string } | { readonly tooLarge: true };

/** Reads an export. Its time and memory are linear in the size after decompression, of which the limit is known. */
export function readExport({ body, format, gzip, limit }: EncodedExport): ReadOrNot {
  try {
    const bytes = gzip && body.length > 0 ? gunzipSync(body, { maxOutputLength: limit }) : body;
    const collector = createCollector();
    (format === 'json' ? readJson : readProtobuf)(bytes, collector);
    return collector.result();
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      return { tooLarge: true };
    }
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}
