import { LogMoved, NotRecorded, whileLogMoves } from './record.js';
import { hold, largest, requireExtension, type SigningParts } from './signing.js';
import { hashesOf, hashOfTurn, type LastSigned, type StoredRecord, standingOf } from './turn.js';

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
    // Before the first turn there is none to be given.
    if (state.newest === null || standingOf(record, state) !== 'without') return null;
    const isNamed = await chain.anyTurn(hashesOf(record));
    const nonce = nonceOf(record);
    if (nonce !== null && !isNamed) return hashOfTurn(nonce);
    // A turn that this chain has never named belongs to another state of the store, which may come back.
    if (hasSigned(record) && !isNamed) return null;
    const before = keys.newTurn();
    keys.write({ ...(await largest(parts, record, state)), turn: null, before });
    return hashOfTurn(before);
  });
}

const nonceOf = (record: StoredRecord | null): string | null =>
  record?.turn === null && typeof record.before === 'string' ? record.before : null;

const hasSigned = (record: StoredRecord | null): boolean =>
  typeof record?.turn === 'string' && typeof record.before === 'string';

/**
 * Gives the turn away: first this directory forgets it, then the chain names the heir. After a crash between the two no
 * directory has the turn, and an operator decides which one takes it.
 * @param heir chooses, among those that are ready, the hash of the nonce of one; null when there is none
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
      if (error instanceof LogMoved || error instanceof NotRecorded) keys.write(held);
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
 * The largest tree that this store knows to be signed, or about to be: who takes the turn over must be sure that nothing larger was.
 * @returns null when this directory may sign already
 * @throws RefusesToSign when the store lacks what the record has
 */
export async function toTakeOver(parts: SigningParts): Promise<LastSigned | null> {
  const { keys, chain } = parts;
  const record = keys.record();
  const state = await chain.state();
  await requireExtension(parts, record, state);
  return standingOf(record, state) === 'without' ? largest(parts, record, state) : null;
}

/**
 * Takes the turn without being given it. The directory that had it must never be used again: to it, a store that was
 * restored to the time before looks like this one.
 * @param seen what `toTakeOver` has returned, and the caller has made sure of
 * @returns false when this directory may sign already, or the store has changed since
 * @throws RefusesToSign when the store lacks what the record has
 */
export function takeOver(parts: SigningParts, seen: LastSigned): Promise<boolean> {
  const { keys, chain } = parts;
  return keys.exclusively(() =>
    whileLogMoves(async () => {
      const { head } = await chain.state();
      const found = await toTakeOver(parts);
      if (found?.size !== seen.size || found.root !== seen.root) return false;
      const before = keys.newTurn();
      keys.write({ ...found, turn: null, before });
      const body = { turn: hashOfTurn(before), ...found, reason: 'take-over' as const };
      await chain.append(head, { kind: 'log.turn', body });
      return true;
    }),
  );
}
