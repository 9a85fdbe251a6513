import type { RecordedOf } from '../../contracts/entries/recorded.js';
import { memberTexts } from '../../src/base/json-text.js';
import { insertRows, type Projection, together } from '../projection.js';

/**
 * The webhooks of agents. Address and secret stay in the vault, where the delivery worker finds them; what is shown of them
 * again and again, the host and the pattern, stands here too.
 */
export const webhooksProjection: Projection = {
  name: 'webhooks',
  version: 2,
  tables: ['webhooks'],
  reveals: { webhooks: 'rows' },
  forgets: [`update webhooks set host = '', pattern = '{}' where id = any(erased_subjects)`],
  ddl: `
    create table webhooks (
      id uuid primary key,
      workspace_id uuid not null,
      agent_id text collate "C" not null,
      name text,
      host text not null,
      pattern text not null,
      namespace_ids uuid[],
      creator_type text not null,
      creator_id text collate "C",
      receipt_id text collate "C" not null,
      created_at timestamptz not null
    );
    alter table webhooks alter column host set statistics 0;
    alter table webhooks alter column pattern set statistics 0;
    create index on webhooks (workspace_id, agent_id, id);
  `,
  fold: together({
    begin: (): Changes => ({ deleted: [], created: [] }),
    on: {
      'webhook.deleted': ({ deleted }, { entry }) => deleted.push(entry.body.webhook_id),
      'webhook.created': ({ created }, one) => created.push(...webhookRows(one)),
    },
    async write(tx, { deleted, created }) {
      if (deleted.length > 0) await tx.query('delete from webhooks where id = any($1::uuid[])', [deleted]);
      const gone = new Set(deleted);
      await insertRows(
        tx,
        'webhooks',
        created.filter(({ id }) => !gone.has(id)),
      );
    },
  }),
};

interface Changes {
  readonly deleted: string[];
  readonly created: ReturnType<typeof webhookRows>;
}

/** The secret part of a webhook, which is in the vault as JSON. */
export interface Target {
  readonly url: string;
  readonly secret: string;
}

function webhookRows({ entry, deposit }: RecordedOf<'webhook.created'>) {
  if (deposit === null) return [];
  const content = deposit.texts.content ?? '{}';
  const { url }: Target = JSON.parse(content);
  const { webhook_id: id, agent_id, name, namespace_ids } = entry.body;
  return [
    {
      id,
      workspace_id: entry.workspace_id,
      agent_id,
      name,
      namespace_ids,
      creator_type: entry.actor.type,
      creator_id: entry.actor.id,
      host: new URL(url).host,
      // Its text, because JSON.parse rounds numbers.
      pattern: memberTexts(content).get('pattern') ?? '{}',
      receipt_id: entry.receipt_id,
      created_at: entry.recorded_at,
    },
  ];
}
