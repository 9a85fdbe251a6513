import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { logState } from '../../projections/log/queries.js';
import { keyStore } from '../../src/adapters/signing-keys.js';
import { realWorld } from '../../src/base/world.js';
import { recordInLog } from '../../src/commands/record-in-log.js';
import { createTransparencyLog, type TransparencyLog } from '../../src/tlog/log.js';
import type { LogEvent } from '../../src/tlog/record.js';
import type { KeyStore } from '../../src/tlog/signer.js';
import { parseHeader, shownHash } from '../../src/verifier/bitcoin.js';
import { toBase64, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { parseNote } from '../../src/verifier/note.js';
import type { Chain } from '../anchoring/bitcoin.js';
import { timestamp } from '../verifier/bundles.js';
import type { Store } from './store.js';

/** The public log of a store, and what a test does to it. */
export interface StoreLog extends TransparencyLog {
  readonly keys: KeyStore;
  readonly directory: string;
  /** Writes to the log's chain without asking whether it is right. */
  record(event: LogEvent): Promise<void>;
  /** Brings the newest checkpoint into the next block of the chain, and records that. */
  anchor(chain: Chain): Promise<void>;
}

export function openLog({ database, run, directory: storeDirectory }: Store): StoreLog {
  const directory = join(storeDirectory, 'keys');
  const keys = keyStore(directory, 'log.example.org', realWorld.now);
  const recordAt = recordInLog(run, realWorld);
  const record = async (event: LogEvent) => recordAt((await database.read(logState)).head, event);
  const log = createTransparencyLog({ database, record: recordAt, keys });
  return {
    ...log,
    keys,
    directory,
    record,
    async anchor(chain) {
      const latest = await log.latest();
      if (!latest) throw new Error('the log has no checkpoint');
      const { size } = latest;
      const digest = createHash('sha256')
        .update(parseNote(toUtf8(latest.note)).text)
        .digest();
      const { ots, height } = timestamp(chain, digest);
      const header = chain.block(height)?.header ?? new Uint8Array();
      const { hash, time } = parseHeader(header);
      const block = { block_hash: shownHash(hash), block_time: new Date(time * 1000).toISOString() };
      await record({ kind: 'anchor.submitted', body: { size, digest: digest.toString('hex'), ots: toBase64(ots) } });
      await record({ kind: 'anchor.attested', body: { size, ots: toBase64(ots), heights: [height] } });
      await record({ kind: 'anchor.confirmed', body: { size, height, header: toHex(header), ...block } });
    },
  };
}
