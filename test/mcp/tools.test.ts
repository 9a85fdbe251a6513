import { beforeAll, describe, expect, it } from 'vitest';
import { usePeople } from '../http/people.js';
import { signedIn } from '../http/person.js';
import { eagerWorld } from '../http/service.js';
import { callTool, connected, send } from './connected.js';
import { wrong } from './wrong-arguments.js';

/** The tools as clients call them, on one service. */
describe('the tools of MCP', () => {
  const people = usePeople({ MCP_SEARCH_FETCH: 'on', ALLOW_PRIVATE_URLS: '1' }, eagerWorld);
  const owner = (method: string, path: string, body?: object) => people.as('owner').call(method, path, body);
  const agentId = `agn_${'k'.repeat(32)}`;
  let keys: { all: string; other: string; reader: string; elsewhere: string };
  let other: string;
  const ferry = 'The ferry to Procida leaves at nine.';
  beforeAll(async () => {
    other = await people.namespaceNamed('other');
    const { id } = (await owner('POST', '/v1/agents', { agent_id: agentId })).json;
    const key = async (body: object) =>
      (await owner('POST', `/v1/agents/${id}/keys`, { name: 'desk', ...body })).json.key;
    keys = {
      all: await key({}),
      other: await key({ namespace_ids: [other] }),
      reader: await key({ scopes: ['memory.read'] }),
      elsewhere: await keyElsewhere(),
    };
    await people.service().call('POST', '/v1/memories', { content: ferry, metadata: { n: 1 }, source: 'harbour "A"' });
    await owner('POST', '/v1/memories', { content: 'Secret of the other namespace.', namespace: other });
    await people.settled();
  });
  /** A key of an agent of another workspace. */
  const keyElsewhere = async (): Promise<string> => {
    const { workspaceId } = await people.admin().workspace();
    const admin = await signedIn(people.service(), await people.admin().member(workspaceId, 'admin'));
    const { id } = (await admin.call('POST', '/v1/agents', { agent_id: agentId })).json;
    return (await admin.call('POST', `/v1/agents/${id}/keys`, { name: 'desk' })).json.key;
  };
  const by = (key: keyof typeof keys, name: string, args: unknown, meta?: object) =>
    callTool(people.service(), keys[key], name, args, meta);
  const ask = (key: keyof typeof keys, method: string, params: unknown = {}) =>
    send(people.service(), keys[key], method, params);
  const theMemory = async () =>
    (await people.service().call('POST', '/v1/memories/search', { query: 'ferry' })).json.data[0];

  // @covers MCPT-RECALL-AS-REST MCPT-RESULT-CHARACTERS
  it('recall answers as REST search does', async () => {
    const client = await connected(people.service(), keys.all);
    const { structuredContent, content } = await client.callTool({
      name: 'recall',
      arguments: { query: 'ferry', k: 3 },
    });
    const { json } = await people.service().call('POST', '/v1/memories/search', { query: 'ferry', k: 3 });
    const { receipt_id: _, receipt_hash: hash, ...rest } = json;
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(structuredContent).toMatchObject(rest);
    expect(JSON.stringify(content)).toContain(json.data[0].receipt_hash.slice(0, 12));
    await client.close();
  });

  // @covers MCPT-CONTEXT-RESULT
  it('get_context answers a block whose search is on record', async () => {
    const { structured, text } = await by('all', 'get_context', {
      query: 'When does the ferry leave?',
      limit: 1,
      max_tokens: 300,
    });
    expect(structured).toMatchObject({ max_tokens: 300, sources: [{ number: 1, truncated: false }] });
    expect(structured.context).toContain(`source="harbour &#34;A&#34;"`);
    expect(structured.context).toContain(`\n${ferry}\n</memory-`);
    expect(text.startsWith(structured.context)).toBe(true);
    const receipt = await people.service().call('GET', `/v1/receipts/${structured.receipt_id}`);
    expect(receipt.json).toMatchObject({ kind: 'memory.recall', hash: structured.receipt_hash });
    expect(receipt.json.actor).toMatchObject({ via: 'mcp', agent_id: agentId });
  });

  // @covers MCPT-SUBSCRIBE MCPT-SUBSCRIPTIONS MCPT-UNSUBSCRIBE
  it('subscriptions belong to the agent of the key', async () => {
    const meta = { 'counterfoil/idempotencyKey': 'subscribe-1' };
    const args = { webhook_url: 'http://127.0.0.1:9/in', name: 'ferries', pattern: { contains: 'ferry' } };
    const made = await by('all', 'subscribe', args, meta);
    const { secret, message, ...webhook } = made.structured;
    expect(secret).toMatch(/^whsec_/);
    expect(message).toContain('only this once');
    for (const part of [secret, webhook.id, message]) expect(made.text).toContain(part);
    const again = (await by('all', 'subscribe', args, meta)).structured;
    expect([again.id, again.secret]).toEqual([webhook.id, null]);
    const list = await by('all', 'list_subscriptions', {});
    expect(list.structured).toEqual({ data: [webhook] });
    expect(list.text).toContain(webhook.id);
    const headers = { 'x-service-agent': agentId };
    expect((await people.service().call('GET', '/v1/webhooks', undefined, headers)).json).toEqual(list.structured);
    const gone = await by('all', 'unsubscribe', { subscription_id: webhook.id });
    expect(gone.structured).toEqual({ id: webhook.id, deleted: true });
    const missing = await by('all', 'unsubscribe', { subscription_id: webhook.id });
    expect([missing.isError, missing.text]).toEqual([true, expect.stringMatching(/^webhook_not_found: /)]);
    expect((await by('all', 'list_subscriptions', {})).structured).toEqual({ data: [] });
  });

  const id = '0192f0c4-8000-7000-8000-00000000000a';

  // @covers MCPT-ARGUMENTS MCPT-ARGUMENT-UNKNOWN
  it.each(
    wrong.map((row, n) => [n, ...row] as const),
  )('wrong arguments %i of %s', async (_n, name, args, code, path, sentence) => {
    const { error, text } = await by('all', name, args);
    expect(text).toBe('');
    expect(error).toMatchObject({ code: -32602, data: { code } });
    const issue = error.data.issues.find((one: { path: string }) => one.path === path);
    expect(issue?.message).toMatch(sentence);
    expect(error.message).toBe(error.data.issues[0].message);
  });

  // @covers MCPT-ARGUMENTS
  it('all wrong arguments are named at once, the unknown ones first', async () => {
    const { error } = await by('all', 'recall', { k: 0, token_budget: 1, depth: 3 });
    expect(error.data.issues.map(({ path }: { path: string }) => path)).toEqual([
      'depth',
      'query',
      'k',
      'token_budget',
    ]);
  });

  // @covers MCPT-ARGUMENT-ORDER
  it('rights are refused before arguments', async () => {
    const refused = await by('reader', 'subscribe', { colour: 'red' });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^insufficient_scope: /)]);
  });

  // @covers MCPT-RESOURCES-READ MCPT-RESOURCES-LIST
  it('memories and receipts are resources, and reading them writes no receipt', async () => {
    const memory = await theMemory();
    const client = await connected(people.service(), keys.all);
    const count = async () => (await people.service().call('GET', '/v1/receipts?limit=1')).json.data[0].seq;
    const before = await count();
    const { resources } = await client.listResources();
    expect(resources).toEqual([
      {
        uri: `memory://${memory.memory_id}`,
        name: memory.memory_id,
        title: ferry,
        description: expect.stringContaining('from harbour "A"'),
        mimeType: 'text/plain',
      },
    ]);
    const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(templates).toEqual(['memory://{id}', 'receipt://{receipt_id}']);
    const { contents } = await client.readResource({ uri: `memory://${memory.memory_id}` });
    const whole = await people.service().call('GET', `/v1/memories/${memory.memory_id}`);
    expect(contents.map((one) => [one.mimeType, 'text' in one && one.text])).toEqual([
      ['text/plain', ferry],
      ['application/json', whole.text],
    ]);
    const receipt = await client.readResource({ uri: `receipt://${memory.receipt_id}` });
    const ofRest = await people.service().call('GET', `/v1/receipts/${memory.receipt_id}`);
    expect(receipt.contents).toMatchObject([{ mimeType: 'application/json', text: ofRest.text }]);
    expect(await count()).toBe(before);
    await client.close();
    for (const uri of ['memory://x', `memory://${id}`, 'receipt://rcp_x', 'file:///etc/passwd', 'memory://', ''])
      expect((await ask('all', 'resources/read', { uri })).error, uri).toMatchObject({ code: -32602 });
    expect((await ask('all', 'resources/list', { cursor: 'x' })).error).toMatchObject({
      code: -32602,
      data: { code: 'invalid_cursor' },
    });
  });

  // @covers MCPT-COMPLETION
  it('ids are completed by their beginning and by words', async () => {
    const { memory_id, receipt_id } = await theMemory();
    const complete = async (uri: string, name: string, value: string) =>
      (await ask('all', 'completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name, value } }))
        .result?.completion.values;
    for (const value of [
      '',
      memory_id.slice(0, 3),
      memory_id.slice(0, 20).toUpperCase(),
      memory_id,
      memory_id.slice(-12),
      memory_id.slice(-12, -4).toUpperCase(),
      'FERRY',
      'procida leaves',
    ])
      expect(await complete('memory://{id}', 'id', value), value).toEqual([memory_id]);
    for (const value of ['ffff', 'train', `${memory_id}0`, '\0', 'x'.repeat(5000)])
      expect(await complete('memory://{id}', 'id', value), value).toEqual([]);
    expect(await complete('receipt://{receipt_id}', 'receipt_id', 'ferry')).toEqual([receipt_id]);
    expect(await complete('receipt://{receipt_id}', 'receipt_id', receipt_id.slice(0, 9))).toEqual([receipt_id]);
    expect(await complete('memory://{id}', 'other', '')).toEqual([]);
    expect(await complete('file://{id}', 'id', '')).toBeUndefined();
  });

  // @covers MCPT-PROMPT
  it('with_memory is a user message with the context, and its search is on record', async () => {
    const client = await connected(people.service(), keys.all);
    const { messages } = await client.getPrompt({
      name: 'with_memory',
      arguments: { question: 'When does the ferry leave?', max_tokens: '300' },
    });
    expect(messages).toMatchObject([
      { role: 'user', content: { text: expect.stringMatching(`${ferry}\n</memory-[a-z]{3}>\n\nQuestion: When does`) } },
    ]);
    const { data } = (await people.service().call('GET', '/v1/receipts?kind=memory.recall&limit=1')).json;
    expect(data[0].actor).toMatchObject({ via: 'mcp', agent_id: agentId });
    const nothing = await client.getPrompt({ name: 'with_memory', arguments: { question: 'zzzz qqqq' } });
    expect(JSON.stringify(nothing.messages)).toContain('No stored memory matches');
    await client.close();
    for (const max_tokens of ['199', '32001', 'many', '1.5', '']) {
      const { error } = await ask('all', 'prompts/get', {
        name: 'with_memory',
        arguments: { question: 'x', max_tokens },
      });
      expect(error).toMatchObject({ code: -32602, data: { issues: [{ path: 'max_tokens' }] } });
    }
    const { error } = await ask('all', 'prompts/get', { name: 'with_memory', arguments: { question: ' ' } });
    expect(error.data.issues).toMatchObject([{ path: 'question' }]);
  });

  // @covers MCPT-RESOURCES-ISOLATION
  it('a key of another namespace or workspace reaches nothing of it', async () => {
    const { memory_id, receipt_id } = await theMemory();
    const listed = JSON.stringify((await ask('other', 'resources/list')).result);
    expect(listed).toContain('Secret of the other');
    expect(JSON.stringify((await ask('elsewhere', 'resources/list')).result)).toBe('{"resources":[]}');
    for (const key of ['other', 'elsewhere'] as const) {
      expect(listed).not.toContain(memory_id);
      for (const uri of [`memory://${memory_id}`, `receipt://${receipt_id}`]) {
        const { error, result } = await ask(key, 'resources/read', { uri });
        expect([error?.code, result]).toEqual([expect.any(Number), undefined]);
        expect(JSON.stringify(error)).not.toContain('Procida');
      }
      for (const value of ['', 'ferry', memory_id, memory_id.slice(0, 8)]) {
        const ref = { type: 'ref/resource', uri: 'memory://{id}' };
        const { result } = await ask(key, 'completion/complete', { ref, argument: { name: 'id', value } });
        expect(result.completion.values).not.toContain(memory_id);
      }
      for (const name of ['recall', 'get_context', 'search'])
        expect((await by(key, name, { query: 'ferry Procida' })).text).not.toContain('Procida leaves');
      const named = await by(key, 'recall', { query: 'ferry', namespace_ids: [people.first().namespaceId] });
      expect(named.text).toMatch(/^namespace_out_of_scope: /);
      const scope = key === 'other' ? 'memory_out_of_scope' : 'memory_not_found';
      expect((await by(key, 'fetch', { id: memory_id })).text).toMatch(new RegExp(`^${scope}: `));
      const { structured } = await by('all', 'subscribe', {
        webhook_url: 'http://127.0.0.1:9/',
        pattern: { contains: 'x' },
      });
      if (key === 'elsewhere') {
        expect((await by(key, 'list_subscriptions', {})).structured).toEqual({ data: [] });
        expect((await by(key, 'unsubscribe', { subscription_id: structured.id })).text).toMatch(/^webhook_not_found: /);
      }
    }
  });

  // @covers MCPT-SEARCH-FETCH
  it('search and fetch have the shapes of connectors, the same in the text', async () => {
    const { memory_id, receipt_id } = await theMemory();
    const found = await by('all', 'search', { query: 'ferry' });
    const address = `http://127.0.0.1:8080/m/${memory_id}`;
    expect(found.structured.results).toEqual([{ id: memory_id, title: ferry, url: address }]);
    expect(JSON.parse(found.text)).toEqual(found.structured);
    const receipt = await people.service().call('GET', `/v1/receipts/${found.structured.receipt_id}`);
    expect(receipt.json.kind).toBe('memory.recall');
    const fetched = await by('all', 'fetch', { id: memory_id });
    expect(fetched.structured).toMatchObject({ id: memory_id, title: ferry, text: ferry, url: address });
    expect(fetched.structured.metadata).toMatchObject({ source: 'harbour "A"', receipt_id, metadata: { n: 1 } });
    expect(JSON.parse(fetched.text)).toEqual(fetched.structured);
    expect((await by('all', 'fetch', { id: 'x' })).text).toMatch(/^memory_not_found: /);
  });

  // @covers MCPT-PAGE
  it('the page of a memory is for people who may read it', async () => {
    const { memory_id } = await theMemory();
    const origin = people.service().app.server.listeningOrigin;
    const open = (path: string, cookie = '') => fetch(`${origin}${path}`, { redirect: 'manual', headers: { cookie } });
    const page = await open(`/m/${memory_id}`, people.as('reader').cookie());
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await page.text();
    expect(text).toContain(ferry);
    expect(text).toContain('harbour &quot;A&quot;');
    expect(text.match(/<script[^>]*>/gi)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/files\/live\.\w+\.js">$/),
    ]);
    const away = await open(`/m/${memory_id}`);
    expect([away.status, away.headers.get('location')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(`/m/${memory_id}`)}`,
    ]);
    const absent = await Promise.all(
      [`/m/${id}`, '/m/x', '/m/%3Cscript%3E'].map((path) => open(path, people.as('owner').cookie())),
    );
    expect(absent.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
