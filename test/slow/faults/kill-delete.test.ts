import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bare, program, type Service, start } from '../../faults/service-process.js';
import { quickStore } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';

/** How often the service is killed while it deletes what one approval allows. */
const kills = repeats('SELECTION_KILLS');
/** Of each call, the part that the service deletes at most. */
const inPart = 1000;
const key = 'ak_kill00000000000000000000000000000';
const owner = { email: 'owner@example.org', password: 'a password of the owner' };
const filter = { filters: { source: 'den' } };
const run = promisify(execFile);

const deletedPart = z.object({
  deleted: z.array(z.object({ id: z.string(), receipt_id: z.string() })),
  left: z.number(),
});
const refused = z.object({ error: z.object({ code: z.string(), details: z.record(z.string(), z.string()) }) });
const receiptsPage = z.object({
  data: z.array(z.object({ receipt_id: z.string(), body: z.object({ memory_id: z.string() }) })),
  next_cursor: z.string().nullable(),
});

test(`kill -9 during a delete by a filter, ${kills} times, deletes each memory once`, async () => {
  const directory = await quickStore();
  const env = {
    DATA_DIR: directory,
    BOOTSTRAP_API_KEY: key,
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    OTS_CALENDARS: 'off',
  };
  let service = await start(env);
  const post = async (path: string, body: unknown, headers: Record<string, string> = bearer) => {
    const response = await fetch(`${service.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  try {
    const parts = kills + 2;
    for (let part = 0; part < parts; part += 1) {
      const memories = Array.from({ length: inPart }, (_, n) => ({ content: `marten ${part} ${n}`, source: 'den' }));
      expect((await post('/v1/memories/batch', { memories })).status).toBe(200);
    }
    await post('/v1/memories', { content: 'another marten', source: 'elsewhere' });
    const { error } = refused.parse((await post('/v1/memories/delete', filter)).json);
    const cookie = await signIn(service);
    const approved = await post(`/v1/approvals/${error.details.approval_id}/approve`, {}, { cookie });
    const body = { ...filter, approval_receipt_id: approved.json.receipt_id };
    const answered = new Map<string, string>();
    // The first part shows how long one takes, and no kill meets the last one.
    const from = performance.now();
    note(answered, (await post('/v1/memories/delete', body)).json);
    const took = performance.now() - from;
    for (let round = 0; round < kills; round += 1) {
      const deleting = post('/v1/memories/delete', body).then(
        ({ json }) => note(answered, json),
        () => undefined,
      );
      await pause(took * (0.3 + Math.random()));
      await service.kill();
      await deleting;
      service = await start(env);
    }
    for (let left = 1; left > 0; ) left = note(answered, (await post('/v1/memories/delete', body)).json);
    const total = parts * inPart;
    const receipts = await deletions(service);
    expect(receipts.length).toBe(total);
    const receiptOf = new Map(receipts.map(({ body: { memory_id }, receipt_id }) => [memory_id, receipt_id]));
    expect(receiptOf.size).toBe(total);
    for (const [id, receiptId] of answered) expect(receiptOf.get(id)).toBe(receiptId);
    const again = await post('/v1/memories/delete', body);
    expect([again.status, again.json.error.code]).toEqual([403, 'approval_invalid']);
    const left = await fetch(`${service.origin}/v1/memories?limit=10`, { headers: bearer });
    expect(JSON.parse(await left.text()).data).toMatchObject([{ source: 'elsewhere' }]);
    const checked = await run(process.execPath, [...program, 'fsck'], { env: { ...bare, ...env } });
    expect(checked.stdout).toContain('No fault');
    console.log(`${kills} kills, ${total} memories, each deleted once; ${answered.size} of the deletes were answered`);
  } finally {
    await service.kill();
    rmSync(directory, { recursive: true, force: true });
  }
});

const bearer = { authorization: `Bearer ${key}` };

async function signIn({ origin }: Service): Promise<string> {
  const session = await fetch(`${origin}/v1/session`, { method: 'POST', body: JSON.stringify(owner) });
  return session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** @returns how many memories were not dealt with yet */
function note(answered: Map<string, string>, json: unknown): number {
  const { deleted, left } = deletedPart.parse(json);
  for (const { id, receipt_id } of deleted) answered.set(id, receipt_id);
  return left;
}

/** All receipts of deletes, page by page. */
async function deletions({ origin }: Service): Promise<z.infer<typeof receiptsPage>['data']> {
  const all: z.infer<typeof receiptsPage>['data'] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await fetch(`${origin}/v1/receipts?kind=memory.delete&limit=100${after}`, { headers: bearer });
    const page = receiptsPage.parse(JSON.parse(await response.text()));
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}
