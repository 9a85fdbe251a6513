import { namedFaults, type OnFault } from '../../src/base/faults.js';
import type { Transaction } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';

/**
 * Finds deliveries whose memory or webhook does not exist. It is one statement, so that it sees either all or nothing of a
 * concurrent deletion.
 */
export async function deliveryFaults(tx: Transaction, found: OnFault): Promise<void> {
  const deliveries = await tx.query<{ id: string; memory: boolean }>(
    `select d.id::text, m.id is not null as memory from deliveries d
       left join ${memoryRows} m on m.id = d.memory_id left join webhooks w on w.id = d.webhook_id
      where m.id is null or w.id is null order by d.id limit ${namedFaults + 1}`,
  );
  for (const { id, memory } of deliveries) {
    found('deliveries', `The delivery ${id} of the table deliveries belongs to no ${memory ? 'webhook' : 'memory'}.`);
  }
  const health = await tx.query<{ id: string }>(
    `select h.webhook_id::text as id from webhook_health h left join webhooks w on w.id = h.webhook_id
      where w.id is null order by 1 limit ${namedFaults + 1}`,
  );
  for (const { id } of health) found('deliveries', `The row ${id} of the table webhook_health belongs to no webhook.`);
}
