import type { KeyStore } from '../../../src/tlog/signer.js';
import { firstRecord, type SigningRecord, type StoredRecord } from '../../../src/tlog/turn.js';
import { fromUtf8, toHex } from '../../../src/verifier/bytes.js';
import { parseCheckpoint } from '../../../src/verifier/checkpoint.js';
import { verifierKey } from '../../../src/verifier/note.js';
import type { Random, Scheduler } from './scheduler.js';

const key = verifierKey('log.example.org', 'ed25519', new Uint8Array(32));

/** A directory of keys in memory. What was written in it survives a kill; the lock does not. */
export interface Directory {
  readonly keys: KeyStore;
  record: StoredRecord | null;
  locked: boolean;
}

interface DirectoryParts extends Pick<Scheduler, 'step' | 'did'> {
  readonly random: Random;
  /** Whether the keys are made here; otherwise they are copied, without a record. */
  readonly isFirst: boolean;
  /** Receives each tree at the moment at which its signature exists. */
  sign(root: string): void;
}

export function createDirectory({ step, did, random, isFirst, sign }: DirectoryParts): Directory {
  const signer = {
    key,
    sign(message: Uint8Array) {
      sign(toHex(parseCheckpoint(fromUtf8(message)).root));
      did('signature');
      return new Uint8Array(64);
    },
  };
  const newTurn = () => random.bytes(32);
  const directory: Directory = {
    record: isFirst ? firstRecord(newTurn()) : null,
    locked: false,
    keys: {
      place: 'the directory',
      read: () => ({ origin: key.name, keys: [{ signer, leaf: '' }], ended: [], succession: null }),
      create: () => undefined,
      record: () => directory.record,
      write(record: SigningRecord) {
        directory.record = record;
        did('record');
      },
      newTurn,
      async exclusively(work) {
        while (directory.locked) await step();
        directory.locked = true;
        try {
          // Steps of the store are between all others: a kill there leaves what was written before.
          return await work();
        } finally {
          directory.locked = false;
        }
      },
      objections: { open: () => [], record: () => undefined, dismiss: () => undefined },
    },
  };
  return directory;
}
