import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { clients } from '../../../src/pages/connect/clients.js';
import type { Person } from '../../http/person.js';
import type { Service } from '../../http/service.js';
import { startOwned } from '../../pages/owner.js';
import { type Reader, signedInReader, unescaped } from '../../pages/reader.js';

const hostile = '"><script>alert("1")</script>';

describe('the page that connects an agent, without scripts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
  });
  afterAll(() => service.stop());

  const guide = readFileSync(join(packageRoot, 'docs/guides/mcp.md'), 'utf8');
  const without = (text: string) => text.replaceAll(/\s+/g, '');

  it.each(
    clients.map((client) => [client.id, client] as const),
  )('shows for %s what the guide says', async (id, client) => {
    const page = await owner.get(`/connect?client=${id}`);
    expect(page.status).toBe(200);
    const [, baseUrl = ''] = /(http:\/\/[^\s/]+)\/mcp/.exec(page.text) ?? [];
    for (const paste of [client.signsIn, client.withKey]) {
      if (!paste) continue;
      const { text } = paste(baseUrl);
      expect(unescaped(page.text)).toContain(text);
      const inGuide = paste('http://127.0.0.1:8080').text;
      // Programs are longer in the guide, and curl is shown there with another question.
      if (!['curl', 'typescript', 'python', 'claude'].includes(id)) expect(without(guide)).toContain(without(inGuide));
      if (text.startsWith('{')) expect(() => JSON.parse(text)).not.toThrow();
    }
  });

  it('makes an agent with its key in one form, shows the key once, and says when it has called', async () => {
    const page = await owner.send('/connect?client=curl', '/connect', { name: `desk ${hostile}` });
    expect(page.status).toBe(200);
    expect([page.text.includes('<script'), page.headers.get('cache-control')]).toEqual([false, 'no-store']);
    const [, secret = ''] = /COUNTERFOIL_AGENT_KEY=(agk_\w+)/.exec(page.text) ?? [];
    const [, look = ''] = /href="(\/connect\?client=curl&amp;agent=[^"]+)"/.exec(page.text) ?? [];
    const waits = await owner.get(unescaped(look));
    expect(waits.text).toContain('waiting for its first call');
    expect(waits.text).not.toContain(secret);
    const client = clients.find(({ id }) => id === 'curl');
    const command = client?.withKey?.(service.app.server.listeningOrigin).text ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', command.replace('curl ', 'curl -s ')], {
      env: { ...process.env, COUNTERFOIL_AGENT_KEY: secret, no_proxy: '*' },
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
    await expect
      .poll(async () => (await owner.get(unescaped(look))).text, { timeout: 30_000, interval: 500 })
      .toMatch(/called <time datetime="[^"]+">\d\d:\d\d UTC/);
    const { json } = await person.call('GET', '/v1/agents');
    expect(json.data[0]).toMatchObject({
      name: `desk ${hostile}`,
      agent_id: expect.stringMatching(/^agn_[a-z2-7]{32}$/),
    });
  });

  it('makes one agent of a form that is sent twice, and none without a name', async () => {
    const fields = { ...(await owner.get('/connect?client=codex')).hidden('/connect'), name: 'twice' };
    const first = await owner.post('/connect', fields);
    const second = await owner.post('/connect', fields);
    expect([first.text.includes('agk_'), second.text.includes('COUNTERFOIL_AGENT_KEY=agk_')]).toEqual([true, false]);
    expect(second.text).toContain('was sent before');
    const named = async () =>
      (await person.call('GET', '/v1/agents')).json.data.filter(({ name }: { name: string }) => name === 'twice')
        .length;
    expect(await named()).toBe(1);
    const none = await owner.send('/connect?client=codex', '/connect', { name: ' ' });
    expect([none.status, none.text.includes('Give the agent a name')]).toEqual([400, true]);
  });

  it('makes keys for admins only, and is no page of readers', async () => {
    const joined = async (email: string, role: string) => {
      const { json } = await person.call('POST', '/v1/members', { email, role });
      return signedInReader(service, { email, password: json.password });
    };
    const writer = await joined('w@example.org', 'member');
    const page = await writer.get('/connect?client=codex');
    expect([page.status, page.text.includes('name="name"'), page.text.includes('codex mcp add')]).toEqual([
      200,
      false,
      true,
    ]);
    const token = (await owner.get('/connect?client=codex')).hidden('/connect');
    expect((await writer.post('/connect', { ...token, name: 'x' })).status).toBe(403);
    const reads = await joined('r@example.org', 'reader');
    expect((await reads.get('/memories')).text).not.toContain('href="/connect"');
    expect((await owner.get('/memories')).text).toContain('href="/connect"');
    expect((await owner.get('/connect?client=none')).text).toContain('Claude Code: a person signs in');
    expect((await owner.get('/connect?client=codex&agent=00000000-0000-0000-0000-000000000000')).status).toBe(404);
  });
});
