import { beforeAll, describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../src/maintenance/rebuildable.js';
import { code, usePeople } from '../../http/people.js';
import { eagerWorld } from '../../http/service.js';
import { stores } from '../../support/stores.js';
import { eventually } from '../../support/until.js';

const week = 7 * 24 * 3_600_000;
const phone = '+49 30 901820';

/** The excerpts of writes that a rule holds. The same on every store. */
describe.each(stores)('held writes on %s', () => {
  const people = usePeople({}, eagerWorld);
  let key: string;
  beforeAll(async () => {
    ({ key } = await people.newKey({ name: 'the desk' }));
    const rules = { pause_all: false, sensitive: 'redact', ask_owner: [{ source: 'desk' }] };
    expect((await people.as('owner').call('PUT', '/v1/rules', rules)).status).toBe(200);
  });
  const write = (body: object) => people.withKey(key, 'POST', '/v1/memories', { source: 'desk', ...body });
  const heldBy = async (body: object): Promise<string> => {
    const reply = await write(body);
    expect(code(reply)).toEqual([409, 'approval_required']);
    return reply.json.error.details.approval_id;
  };
  const shown = (id: string, by = 'admin') => people.as(by).call('GET', `/v1/approvals/${id}`);
  const decide = (id: string, word: string) => people.as('owner').call('POST', `/v1/approvals/${id}/${word}`);
  const stored = (words: string) =>
    people
      .service()
      .app.database.read((tx) =>
        tx.query(`select 1 from vault where content like '%' || $1 || '%' or others like '%' || $1 || '%'`, [words]),
      );

  // @covers APPROVAL-EXCERPT
  it('are shown to owners and admins, redacted, until the decision', async () => {
    const content = `The ferry office has ${phone}. ${'Cabins are booked there. '.repeat(20)}Pelican.`;
    const metadata = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`key ${String(n).padStart(2, '0')}`, n]));
    const id = await heldBy({ content, metadata });
    const { held } = (await shown(id)).json;
    expect(held).toMatchObject({ source: 'desk', metadata_key_count: 25 });
    expect(held.metadata_keys).toHaveLength(20);
    expect(held.excerpt).toMatch(/^The ferry office has \[redacted\]\. Cabins/);
    expect(Array.from(held.excerpt)).toHaveLength(281);
    expect(held.bytes).toBe(content.length - phone.length + '[redacted]'.length);
    const list = (await people.as('owner').call('GET', '/v1/approvals?status=pending')).json.data;
    expect(list.find((one: { id: string }) => one.id === id).held).toEqual(held);
    const own = await people.withKey(key, 'GET', `/v1/approvals/${id}`);
    expect([own.status, own.json.held]).toEqual([200, undefined]);
    for (const by of ['member', 'reader']) expect(code(await shown(id, by))).toEqual([404, 'approval_not_found']);
    expect(await stored('ferry office')).toHaveLength(1);
    const decided = await decide(id, 'approve');
    expect([decided.status, decided.json.held]).toEqual([200, undefined]);
    expect((await shown(id)).json).not.toHaveProperty('held');
    expect(await stored('ferry office')).toEqual([]);
    const receipts = (await people.as('owner').call('GET', '/v1/receipts?kind=approval.excerpt')).json.data;
    expect(JSON.stringify(receipts)).not.toContain('ferry');
    const differs = await write({ content: `${content}!`, metadata, approval_id: id });
    expect(code(differs)).toEqual([403, 'approval_invalid']);
    expect(differs.json.error.details).toEqual({ differs: ['bytes'] });
    expect((await write({ content, metadata, approval_id: id })).status).toBe(202);
  });

  // @covers APPROVAL-EXCERPT
  it('leave nothing of the text when they are rejected', async () => {
    const id = await heldBy({ content: 'Never moor at the north quay.' });
    expect((await shown(id)).json.held).toMatchObject({ excerpt: 'Never moor at the north quay.', bytes: 29 });
    expect((await decide(id, 'reject')).status).toBe(200);
    expect((await shown(id)).json).not.toHaveProperty('held');
    expect(await stored('north quay')).toEqual([]);
  });

  // @covers APPROVAL-EXCERPT
  it('are shown only as they were committed to, and lose the text when they expire', async () => {
    const id = await heldBy({ content: 'Stow the blue crates first.' });
    const { database } = people.service().app;
    const paint = (from: string, to: string) =>
      database.transaction((tx) =>
        tx.query(`update vault set content = replace(content, $1, $2) where content like '%' || $1 || ' crates%'`, [
          from,
          to,
        ]),
      );
    await paint('blue', 'grey');
    expect((await shown(id)).json).not.toHaveProperty('held');
    await paint('grey', 'blue');
    expect((await shown(id)).json.held.excerpt).toBe('Stow the blue crates first.');
    people.ahead(week + 1000);
    try {
      await eventually(async () => (await stored('blue crates')).length === 0);
    } finally {
      people.ahead(0);
    }
    const checked = await fsck(database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined });
    expect(checked.faults).toBeNull();
  }, 180_000);
});
