import type { Transaction } from '../../src/adapters/database/database.js';
import { memoryRows } from '../memory/rows.js';

/**
 * Finds a delivery whose memory or webhook does not exist. It is one statement, so that it sees either all or nothing of a
 * concurrent deletion.
 */
export async function deliveryFault(tx: Transaction): Promise<string | null> {
  const [delivery] = await tx.query<{ id: string; memory: boolean }>(
    `select d.id::text, m.id is not null as memory from deliveries d
       left join ${memoryRows} m on m.id = d.memory_id left join webhooks w on w.id = d.webhook_id
      where m.id is null or w.id is null order by d.id limit 1`,
  );
  if (delivery) {
    return `The delivery ${delivery.id} of the table deliveries belongs to no ${delivery.memory ? 'webhook' : 'memory'}.`;
  }
  const [health] = await tx.query<{ id: string }>(
    `select h.webhook_id::text as id from webhook_health h left join webhooks w on w.id = h.webhook_id
      where w.id is null order by 1 limit 1`,
  );
  return health ? `The row ${health.id} of the table webhook_health belongs to no webhook.` : null;
}
