import { gunzipSync } from 'node:zlib';
import { createCollector, type ExportForm, type ReadOrNot } from '../../domain/otlp/export.js';
import { readJson } from './json.js';
import { TooManyValues } from './too-many-values.js';
import { readProtobuf } from './wire.js';

interface EncodedExport extends ExportForm {
  readonly body: Uint8Array;
  readonly most: {
    /** After decompression. */
    readonly bytes: number;
    readonly values: number;
  };
}

/** Reads an export. Its time and memory are linear in its bytes after decompression and its values, which have limits. */
export function readExport({ body, format, gzip, most }: EncodedExport): ReadOrNot {
  try {
    const bytes = gzip && body.length > 0 ? gunzipSync(body, { maxOutputLength: most.bytes }) : body;
    const collector = createCollector();
    (format === 'json' ? readJson : readProtobuf)(bytes, collector, most.values);
    return collector.result();
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      return { tooLarge: true };
    }
    if (error instanceof TooManyValues) return { unreadable: error.message, hasTooManyValues: true };
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}
