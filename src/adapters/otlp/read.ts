import { gunzipSync } from 'node:zlib';
import { createCollector, type ExportForm, type ReadOrNot } from '../../domain/otlp/export.js';
import { readJson } from './json.js';
import { readProtobuf } from './wire.js';

export interface EncodedExport extends ExportForm {
  readonly body: Uint8Array;
  /** The most bytes after decompression. */
  readonly limit: number;
}

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
