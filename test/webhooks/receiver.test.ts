import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { signatureHeaders, webhookSecret } from '../../src/domain/webhooks.js';

/** The receiver of the guide to webhooks, as a reader saves it in a file. */
const guide = readFileSync(join(packageRoot, 'docs/guides/webhooks.md'), 'utf8');
const [, source] = /^```js file=receiver.mjs\n(.*?)^```/ms.exec(guide) ?? [];
if (source === undefined) throw new Error('the guide to webhooks has no receiver');
const secret = webhookSecret(Buffer.alloc(30, 7));
const body = JSON.stringify({ id: '1', data: { memory: { excerpt: 'Ölüfsen' }, receipt_hash: 'ab' } });
const directory = mkdtempSync(join(tmpdir(), 'counterfoil-receiver-'));
const port = 20_000 + (process.pid % 20_000);
let child: ReturnType<typeof spawn>;
let said = '';

beforeAll(async () => {
  const file = join(directory, 'receiver.mjs');
  writeFileSync(file, source);
  const env = { PATH: process.env.PATH, SECRET: secret, PORT: String(port) };
  child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout?.on('data', (data) => {
    said += data;
  });
  for (let tries = 0; tries < 4800; tries += 1) {
    const answered = await send({}, '').catch(() => null);
    if (answered === 401) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('the receiver does not start');
});
afterAll(() => {
  child.kill();
  rmSync(directory, { recursive: true, force: true });
});

async function send(headers: Record<string, string>, sent: string): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })).status;
}

it('takes what is signed, and nothing else', async () => {
  const signed = (at: Date, by = secret) => signatureHeaders(by, '1', at, body);
  expect(await send(signed(new Date()), body)).toBe(204);
  // What it prints may come after what it answers.
  await vi.waitFor(() => expect(said).toContain('Ölüfsen ab'));
  expect(await send(signed(new Date()), `${body} `)).toBe(401);
  expect(await send(signed(new Date(), webhookSecret(Buffer.alloc(30, 8))), body)).toBe(401);
  expect(await send(signed(new Date(Date.now() - 600_000)), body)).toBe(401);
  expect(await send({ 'x-service-signature': 't=1,v1=00' }, body)).toBe(401);
  expect(await send({}, body)).toBe(401);
});
