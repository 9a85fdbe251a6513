import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatTilePath, type TilePath } from '../tlog/tile-path.js';
import type { LogSource, SuccessorSource } from '../verifier/log-tiles.js';
import { noteLimits } from '../verifier/note.js';
import { boundedFetch, Unavailable } from './bounded-fetch.js';

const tileWidth = 256;
/** An entry has a length of two bytes and at most 65,535 bytes after it. */
const maxBytes = { hashes: tileWidth * 32, entries: tileWidth * (2 + 65_535) };

export interface LogSourceOptions {
  /** The time limit for one request. */
  readonly timeoutMs?: number;
  /** The longest Retry-After that is accepted; a longer one is an error. */
  readonly longestWaitMs?: number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** The number of attempts for one file while the log limits the rate of requests. */
const tries = 20;

/** Where a service has the files of its log. */
const ofService = '/v1/ledger';

/** The root and a proof have 54 hashes at most. */
const maxGrowthBytes = 64 * 32;

/**
 * Opens the public files of a log: at `URL/checkpoint` and `URL/tile/…`, or in a directory with the same names, with the logs before
 * it in `was/1` and so on. The URL may also be that of a service, whose log is below `/v1/ledger`. Its functions throw Unavailable
 * with the file that could not be read and the reason.
 */
export function openLogSource(where: string, options: LogSourceOptions = {}): SuccessorSource {
  const base = where.replace(/\/+$/, '');
  const read = /^https?:\/\//.test(where) ? atLog(base, options) : fromDirectory(where);
  return {
    ...sourceOf(where, read),
    former: (log) => sourceOf(`${base}/was/${log}`, (path, most) => read(`was/${log}/${path}`, most)),
    growth: (index, from) => read(`growth/${index}/${from}`, maxGrowthBytes),
  };
}

function sourceOf(where: string, read: Read): LogSource {
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
      // A log may remove a partial tile when the complete one exists (C2SP tlog-tiles).
      const partial = width === tileWidth ? undefined : await read(formatTilePath(tile), most);
      return partial ?? required(formatTilePath({ ...tile, width: tileWidth }), most);
    },
  };
}

/** Reads a file of at most `most` bytes; undefined when it does not exist. */
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

/** The log at an address, or that of the service at the address; the checkpoint says which. */
function atLog(base: string, options: LogSourceOptions): Read {
  const [given, below] = [overHttp(base, options), overHttp(`${base}${ofService}`, options)];
  const find = async (): Promise<Read> => {
    if (base.endsWith(ofService) || (await given('checkpoint', noteLimits.bytes))) return given;
    return (await below('checkpoint', noteLimits.bytes)) ? below : given;
  };
  let found: Promise<Read> | undefined;
  return async (path, most) => {
    found ??= find();
    // A log that could not be reached is looked for again.
    found.catch(() => {
      found = undefined;
    });
    return (await found)(path, most);
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
        throw new Unavailable(`${url}: it asks to retry after ${Math.ceil(retryAfterMs / 1000)} s`);
      }
      await wait(retryAfterMs);
    }
  };
}
