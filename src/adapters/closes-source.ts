import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { bundleLimits } from '../verifier/bundle.js';
import { boundedFetch, Unavailable } from './bounded-fetch.js';

/** The closed days of a service as everybody can read them. Its functions throw Unavailable. */
export interface ClosesSource {
  /** All days, newest first. */
  list(): Promise<readonly ClosedDayRow[]>;
  /** The bytes of the file of a day. */
  file(day: string): Promise<Uint8Array>;
  /** The entry of a close as the registry shows it. */
  entry(receiptId: string): Promise<PublicEntry>;
  /** The bytes of its proof bundle. */
  proof(receiptId: string): Promise<Uint8Array>;
}

const row = z.object({
  day: z.iso.date(),
  receipt_id: z.string().regex(/^rcp_[0-9a-f]{32}$/),
  facts_hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ClosedDayRow = z.output<typeof row>;

const page = z.object({ data: z.array(row).max(1000), next_cursor: z.string().nullable() });

const entry = z.object({ receipt_id: z.string(), kind: z.string(), hash: z.string(), body: z.unknown() });
export type PublicEntry = z.output<typeof entry>;

/** A file grows with the capabilities and vendors of one day. */
const most = { file: 64 * 1024 * 1024, entry: 1024 * 1024, page: 1024 * 1024 };
const timeoutMs = 60_000;
/** More days than a service can have had. */
const mostPages = 1000;
/** The number of attempts for one request while the service limits their rate. */
const tries = 20;
const longestWaitMs = 120_000;

/** @param url the address of the service, without a path */
export function openClosesSource(url: string, wait: (ms: number) => Promise<unknown> = sleep): ClosesSource {
  const base = url.replace(/\/+$/, '');
  if (!/^https?:\/\/[^\s]+$/.test(base) || !URL.canParse(base)) {
    throw new Error('What --public gives must be an http or https address.');
  }
  const get = async (path: string, maxBytes: number): Promise<Uint8Array> => {
    for (let left = tries; left > 0; left -= 1) {
      const answer = await fetchFrom(base, path, maxBytes);
      if (answer.status === 200) return answer.body;
      const isBusy = answer.status === 429 || answer.status === 503;
      if (!isBusy) throw new Unavailable(`${base}${path} answered ${answer.status}`);
      await wait(Math.min(answer.retryAfterMs ?? 1000, longestWaitMs));
    }
    throw new Unavailable(`${base} asked to wait ${tries} times in a row`);
  };
  return {
    async list() {
      const rows: ClosedDayRow[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null && pages < mostPages; pages += 1) {
        const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
        const found = read(page, await get(`/v1/terminal/closes${query}`, most.page), base);
        rows.push(...found.data);
        cursor = found.next_cursor;
      }
      return rows;
    },
    file: (day) => get(`/v1/terminal/closes/${day}`, most.file),
    entry: async (id) => read(entry, await get(`/v1/registry/receipts/${id}`, most.entry), base),
    proof: (id) => get(`/v1/registry/receipts/${id}/proof`, bundleLimits.bytes),
  };
}

async function fetchFrom(base: string, path: string, maxBytes: number) {
  try {
    return await boundedFetch(`${base}${path}`, { timeoutMs, maxBytes });
  } catch (error) {
    if (error instanceof Unavailable) throw new Unavailable(`${base}${path}: ${error.message}`);
    throw error;
  }
}

function read<T>(shape: z.ZodType<T>, body: Uint8Array, base: string): T {
  try {
    return shape.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    throw new Unavailable(`${base} does not answer as Counterfoil does. Is the address right?`);
  }
}
