import { NotAppended } from '../ledger/ledger.js';
import { LogMoved, whileLogMoves } from './record.js';
import { RefusesToSign } from './signer.js';
import { hold, requireExtension, type SigningParts } from './signing.js';
import { hashesOf, hashOfTurn, type StoredRecord, standingOf } from './turn.js';

/**
 * Makes this directory ready to be given the turn: it remembers a nonce of its own, and the largest tree that was signed.
 * @returns SHA-256 of the nonce, by which a signer names it; null when it may sign by itself, or must keep what it has
 * @throws RefusesToSign when the store lacks what the record has
 */
export function becomeHeir(parts: SigningParts): Promise<string | null> {
  const { keys, chain } = parts;
  return keys.exclusively(async () => {
    const record = keys.record();
    const state = await chain.state();
    await requireExtension(parts, record, state);
    // Without a newest turn nobody could give one.
    if (state.newest === null || standingOf(record, state) !== 'without') return null;
    const isNamed = await chain.anyTurn(hashesOf(record));
    const nonce = nonceOf(record);
    if (nonce !== null && !isNamed) return hashOfTurn(nonce);
    // A turn that this chain has never named belongs to another state of the store, which may come back.
    if (hasSigned(record) && !isNamed) return null;
    const before = keys.newTurn();
    const size = Math.max(state.newest.size, record?.size ?? 0);
    keys.write({ size, root: Buffer.from(await chain.rootAt(size)).toString('hex'), turn: null, before });
    return hashOfTurn(before);
  });
}

const nonceOf = (record: StoredRecord | null): string | null =>
  record?.turn === null && typeof record.before === 'string' ? record.before : null;

const hasSigned = (record: StoredRecord | null): boolean =>
  typeof record?.turn === 'string' && typeof record.before === 'string';

/**
 * Gives the turn away: first this directory forgets it, then the chain names the heir. After a crash between the two nobody
 * has the turn, and an operator decides who takes it.
 * @param heirs chooses, among those that are ready, the hash of the nonce of one; null when there is none
 * @returns whether it was given
 */
export function handOver(parts: SigningParts, heir: () => Promise<string | null>): Promise<boolean> {
  const { keys, chain } = parts;
  return keys.exclusively(async () => {
    const held = await hold(parts);
    const { size, root, before } = held;
    const turn = before === null ? null : await heir();
    if (before === null || turn === null) return false;
    keys.write({ size, root, turn: null, before: null });
    try {
      await whileLogMoves(async () => {
        const { head, newest } = await chain.state();
        if (newest?.turn !== hashOfTurn(before)) throw new LostTurn();
        await chain.append(head, { kind: 'log.turn', body: { turn, size, root, reason: 'hand-over' } });
      });
    } catch (error) {
      // The chain surely does not name the heir, so the turn is still this directory's.
      if (error instanceof LogMoved || error instanceof NotAppended) keys.write(held);
      throw error;
    }
    return true;
  });
}

/** Another directory has taken the turn over while this one was giving it away. */
class LostTurn extends Error {
  override name = 'LostTurn';
  override message = 'the turn of the log was taken over meanwhile';
}

/**
 * Takes the turn without being given it. The caller has made sure that nothing larger was signed than this store has: who had
 * the turn may have signed what the store has lost.
 * @returns false when this directory has the turn already
 * @throws RefusesToSign when the store lacks what the record has
 */
export function takeOver(parts: SigningParts): Promise<boolean> {
  const { keys, chain } = parts;
  return keys.exclusively(() =>
    whileLogMoves(async () => {
      const record = keys.record();
      const state = await chain.state();
      await requireExtension(parts, record, state);
      if (standingOf(record, state) !== 'without') return false;
      const size = Math.max(state.newest?.size ?? 0, state.latest?.size ?? 0, record?.size ?? 0);
      const root = Buffer.from(await chain.rootAt(size)).toString('hex');
      const before = keys.newTurn();
      keys.write({ size, root, turn: null, before });
      await chain.append(state.head, {
        kind: 'log.turn',
        body: { turn: hashOfTurn(before), size, root, reason: 'take-over' },
      });
      return true;
    }),
  );
}

/** Whether an error says that another directory has the turn. */
export const isElsewhere = (error: unknown): error is RefusesToSign =>
  error instanceof RefusesToSign && error.reason === 'turn elsewhere';
