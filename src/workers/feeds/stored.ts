import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { encode, encodeAll } from '../../adapters/market/encode.js';
import type { Database } from '../../database/database.js';
import { type FeedName, feedNames } from '../../domain/market/feeds/all.js';
import type { EncodedFeeds, NewestFeeds } from '../../domain/market/feeds/served.js';

/** The row of the indices, beside those of the feeds. */
const indicesRow = 'indices';

/** Stores feeds, unless those of a later moment are stored. */
export async function storeFeeds({ transaction }: Pick<Database, 'transaction'>, newest: NewestFeeds): Promise<void> {
  const { t, feeds, indices } = newest;
  const rows: (readonly [string, Uint8Array])[] = [
    ...feedNames.map((name) => [name, feeds[name].br.bytes] as const),
    [indicesRow, encode(indices, 'br').bytes],
  ];
  await transaction((tx) =>
    Promise.all(
      rows.map(([name, bytes]) =>
        tx.query(
          `insert into stored_feeds as s values ($1, $2, $3)
           on conflict (name) do update set ms = excluded.ms, bytes = excluded.bytes where s.ms < excluded.ms`,
          [name, t, bytes],
        ),
      ),
    ),
  );
}

/** The feeds that were stored last, in all encodings; null where there are none. */
export async function storedFeeds({ read }: Pick<Database, 'read'>): Promise<NewestFeeds | null> {
  const rows = await read((tx) =>
    tx.query<{ name: string; ms: number; bytes: Uint8Array }>('select name, ms, bytes from stored_feeds'),
  );
  const texts = new Map<string, string>();
  for (const { name, bytes } of rows) texts.set(name, (await promisify(brotliDecompress)(bytes)).toString('utf8'));
  const indices = texts.get(indicesRow);
  const feeds = feedsOf((name) => {
    const text = texts.get(name);
    return text === undefined ? null : encodeAll(text);
  });
  const [first] = rows;
  if (first === undefined || indices === undefined || feeds === null) return null;
  return { t: first.ms, asOf: new Date(first.ms).toISOString(), feeds, indices };
}

function feedsOf(feed: (name: FeedName) => EncodedFeeds | null): NewestFeeds['feeds'] | null {
  const [terminal, discovery, disputes, trading, treasury, attribution] = feedNames.map(feed);
  if (!terminal || !discovery || !disputes || !trading || !treasury || !attribution) return null;
  return { terminal, discovery, 'standards/disputes': disputes, trading, treasury, attribution };
}
