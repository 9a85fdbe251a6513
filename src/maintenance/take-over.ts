import { z } from 'zod';
import { type Cosigning, confirmingWitnesses } from '../tlog/anchoring/cosigning.js';
import { WitnessObjects } from '../tlog/anchoring/sources.js';
import { takeOver, toTakeOver } from '../tlog/hand-over.js';
import { RefusesToSign } from '../tlog/signer.js';
import type { SigningParts } from '../tlog/signing.js';
import { sinceHeld } from '../workers/lease.js';
import type { MaintenanceCommand } from './command.js';

/** The tree that would be taken over: the answer of the command without arguments, as JSON in its text. */
export const takeOverPlan = z.strictObject({
  size: z.int().nonnegative(),
  root: z.string(),
  /** Witnesses that have signed this store's newest checkpoint and nothing larger. */
  witnesses: z.array(z.string()),
});

interface TakeOverParts extends Pick<Cosigning, 'database' | 'witnesses'> {
  readonly signing: SigningParts;
}

/**
 * Takes over the right to sign the log. Without arguments it says what would be taken; with the size and root that it has said,
 * it does it.
 */
export function takingOver(parts: TakeOverParts): MaintenanceCommand {
  const { signing, database } = parts;
  return async ([size, root]) => {
    const found = await toTakeOver(signing).catch(refused);
    if (typeof found === 'string') return { ok: false, text: found };
    if (found === null) return { ok: false, text: `The directory ${signing.keys.place} may sign the log already.` };
    const since = await database.read((tx) => sinceHeld(tx, 'signing'));
    if (since !== null && since < 0) {
      return {
        ok: false,
        text: 'A process that may sign the log, or that knows more of it than this store, was running a few seconds ago. Stop it: it gives the right to another process. If it was killed, repeat the command in 15 seconds.',
      };
    }
    if (size === undefined) {
      const witnesses = await confirmingWitnesses(parts).catch(refused);
      if (typeof witnesses === 'string') return { ok: false, text: witnesses };
      return { ok: true, text: JSON.stringify({ ...found, witnesses }) };
    }
    if (await takeOver(signing, { size: Number(size), root: root ?? '' })) {
      return { ok: true, text: `The directory ${signing.keys.place} signs the log from now on.` };
    }
    return { ok: false, text: 'The log has changed meanwhile. Nothing was taken over; repeat the command.' };
  };
}

/** The sentence of a refusal. */
function refused(error: unknown): string {
  if (error instanceof RefusesToSign) return error.message;
  if (error instanceof WitnessObjects)
    return `${error.message}. This store lacks what was signed, so nothing was taken over.`;
  throw error;
}
