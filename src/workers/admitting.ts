import { admittedMemories, takeAdmissions } from '../../projections/webhooks/admissions.js';
import { nextAdmission } from '../../projections/webhooks/due.js';
import { webhooksOver } from '../../projections/webhooks/queries.js';
import type { World } from '../base/world.js';
import type { Vault } from '../commands/vault.js';
import type { Database } from '../database/database.js';
import type { DueJob } from './lookout.js';
import { queueForWebhooks } from './notifying.js';

/** Memories of one transaction, for which others wait on the embedded database. Their texts have 4 KiB at most. */
const atOnce = 16;
/** How often to look for work without being woken. */
const lookMs = 1000;

interface AdmittingParts {
  readonly database: Pick<Database, 'transaction'>;
  readonly vault: Vault;
  readonly world: World;
  readonly wakeDeliveries: () => void;
}

/**
 * Queues the deliveries about memories that were indexed with their append. A memory is taken off the list in the transaction that
 * queues them, so a killed process leaves both or neither.
 */
export function admitting({ database, vault, world, wakeDeliveries }: AdmittingParts): DueJob {
  return {
    name: 'admissions',
    due: nextAdmission,
    napMs: lookMs,
    async work() {
      const { taken, isQueued } = await database.transaction(async (tx) => {
        const ids = await takeAdmissions(tx, atOnce);
        if (ids.length === 0) return { taken: 0, isQueued: false };
        // The webhooks before the memories, as an append takes them: see there.
        const webhooks = await webhooksOver(tx, ids, world.now());
        const memories = webhooks.length === 0 ? [] : await vault.genuine(await admittedMemories(tx, ids));
        const contents = new Map(memories.map(({ id, content }) => [id, content]));
        return { taken: ids.length, isQueued: await queueForWebhooks(tx, webhooks, contents, world) };
      });
      if (isQueued) wakeDeliveries();
      return taken === atOnce;
    },
  };
}
