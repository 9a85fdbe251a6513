import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatTilePath, type TilePath } from '../tlog/tile-path.js';
import type { LogSource } from '../verifier/log-tiles.js';
import { noteLimits } from '../verifier/note.js';
import { boundedFetch, Unavailable } from './bounded-fetch.js';

const tileWidth = 256;
/** Entries have at most 65,535 bytes behind their length of two. */
const maxBytes = { hashes: tileWidth * 32, entries: tileWidth * (2 + 65_535) };

export interface LogSourceOptions {
  /** For one request. */
  readonly timeoutMs?: number;
  /** For one time that the log asks to be waited for; longer ones are an error. */
  readonly longestWaitMs?: number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** How often one resource is asked for when the log says that it was asked too much. */
const tries = 20;

/**
 * The public files of a log: at `URL/checkpoint` and `URL/tile/…`, or in a directory in which they lie by the same names.
 * Its functions throw Unavailable that says which file could not be had and why.
 */
export function openLogSource(where: string, options: LogSourceOptions = {}): LogSource {
  const read = /^https?:\/\//.test(where) ? overHttp(where.replace(/\/+$/, ''), options) : fromDirectory(where);
  const required = async (path: string, most: number) => {
    const found = await read(path, most);
    if (found) return found;
    throw new Unavailable(`${where} has no ${path}`);
  };
  return {
    checkpoint: () => required('checkpoint', noteLimits.bytes),
    async tile(level, index, width) {
      const most = level === 'entries' ? maxBytes.entries : maxBytes.hashes;
      const tile: TilePath = { level, index, width };
      // A log may give up a partial tile once the complete one is there (C2SP tlog-tiles).
      const partial = width === tileWidth ? undefined : await read(formatTilePath(tile), most);
      return partial ?? required(formatTilePath({ ...tile, width: tileWidth }), most);
    },
  };
}

/** Bytes of a file, of which there may be at most `most`; undefined when there is none. */
type Read = (path: string, most: number) => Promise<Uint8Array | undefined>;

function fromDirectory(directory: string): Read {
  return async (path, most) => {
    try {
      const bytes = new Uint8Array(await readFile(join(directory, path)));
      if (bytes.length > most) throw new Unavailable(`${path} in ${directory} has more than ${most} bytes`);
      return bytes;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

function overHttp(base: string, { timeoutMs = 30_000, longestWaitMs = 300_000, ...rest }: LogSourceOptions): Read {
  const wait = rest.sleep ?? sleep;
  return async (path, most) => {
    const url = `${base}/${path}`;
    for (let left = tries; ; left -= 1) {
      const { status, body, retryAfterMs } = await boundedFetch(url, { timeoutMs, maxBytes: most }).catch((error) => {
        throw error instanceof Unavailable ? new Unavailable(`${url}: ${error.message}`) : error;
      });
      if (status === 200) return body;
      if (status === 404) return undefined;
      if ((status !== 429 && status !== 503) || retryAfterMs === null || left === 1) {
        throw new Unavailable(`${url}: it answered ${status}`);
      }
      if (retryAfterMs > longestWaitMs) {
        throw new Unavailable(`${url}: it wants to be asked again in ${Math.ceil(retryAfterMs / 1000)} s`);
      }
      await wait(retryAfterMs);
    }
  };
}
