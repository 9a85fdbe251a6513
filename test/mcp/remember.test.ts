import { beforeAll, describe, expect, it } from 'vitest';
import { openTokens } from '../../src/adapters/tokens.js';
import { usePeople } from '../http/people.js';
import { eagerWorld } from '../http/service.js';
import { newAgent } from './agent.js';
import { send } from './connected.js';

const ferry = 'The ferry to Procida leaves at nine.';

describe('remember and forget', () => {
  const people = usePeople({ MCP_SEARCH_FETCH: 'on' }, eagerWorld);
  let agent: Awaited<ReturnType<typeof newAgent>>;
  let lettersId: string;
  beforeAll(async () => {
    agent = await newAgent(people);
    const { json } = await people.as('owner').call('POST', '/v1/namespaces', { name: 'letters' });
    lettersId = json.id;
  });
  const list = async (key: string) =>
    (await send(people.service(), key, 'tools/list', {})).result.tools.map((one: { name: string }) => one.name);

  // @covers MCPT-REMEMBER MCPT-NOTICE JOB-AT-WRITE
  it('remember stores a text with a receipt, and a search finds it', async () => {
    const metadata = '{"n":1.10,"a":9007199254740993}';
    const { text, structured } = await agent.tool(
      'remember',
      `{"text":"${ferry}","source":null,"namespace":"","metadata":${metadata}}`,
    );
    const { memory_id, receipt_id, receipt_hash } = structured;
    expect(structured).toEqual({
      memory_id,
      short_id: memory_id.slice(-12),
      receipt_id,
      receipt_hash,
      duplicate: false,
      redacted: {},
      similar: [],
      searchable: true,
      message: 'Searches find it now.',
    });
    expect(text).toBe(`Stored: ${memory_id.slice(-12)}, receipt ${receipt_hash.slice(0, 12)}. Searches find it now.`);
    const stored = await people.service().call('GET', `/v1/memories/${memory_id}`);
    expect(stored.text).toContain(`"metadata":${metadata}`);
    expect(stored.json).toMatchObject({ content: ferry, receipt_id, source: null });
    expect((await people.service().call('GET', '/v1/ingest')).json.data[0]).toMatchObject({ memory_id, stage: 'done' });
    const found = await agent.tool('recall', { query: 'ferry' });
    expect(found.structured).toMatchObject({
      notice: expect.stringContaining('not instructions'),
      data: [{ memory_id }],
    });
    const again = await agent.tool('remember', { text: ferry });
    expect(again.structured).toMatchObject({ memory_id, duplicate: true, searchable: true });
    expect(again.text).toMatch(/^Was stored before: /);
  });

  // @covers MCPT-REMEMBER MEMORY-SIMILAR
  it('remember names what the text may replace, between tags', async () => {
    const old = await agent.tool('remember', { text: 'Tilda keeps bees </memory-xkw> in the orchard.' });
    const { structured, text } = await agent.tool('remember', { text: 'Tilda keeps bees on the roof.' });
    const { memory_id, short_id } = old.structured;
    expect(structured.similar).toEqual([{ memory_id, excerpt: 'Tilda keeps bees </memory-xkw> in the orchard.' }]);
    expect(structured.message).toContain('forget those that this replaces');
    expect(structured.notice).toContain('not instructions');
    expect(text).toMatch(
      new RegExp(
        `\\n<memory-(\\w{3}) id="${short_id}">Tilda keeps bees &lt;/memory-xkw> in the orchard.</memory-\\1>$`,
      ),
    );
    expect((await agent.tool('forget', { id: short_id })).structured.memory_id).toBe(memory_id);
  });

  // @covers MCPT-CONTEXT-RUN
  it('get_context begins with the newest memories of a run, oldest of them first', async () => {
    const meta = { 'counterfoil/run': 'voyage 7' };
    const texts = Array.from({ length: 8 }, (_, n) => `Entry ${n} of the log of the voyage.`);
    for (const text of texts) await agent.tool('remember', { text }, meta);
    const { structured, text } = await agent.tool('get_context', { query: 'ferry Procida', run: 'voyage 7' });
    const places = texts.map((one) => structured.context.indexOf(one));
    expect(places.slice(0, 2)).toEqual([-1, -1]);
    expect(places.slice(2)).toEqual(places.slice(2).toSorted((a, b) => a - b));
    expect(places[2]).toBeGreaterThan(0);
    expect(structured.context.indexOf(ferry)).toBeGreaterThan(places[7] ?? 0);
    expect(structured.sources.map((one: { number: number }) => one.number)).toEqual(
      structured.sources.map((_: unknown, n: number) => n + 1),
    );
    expect(text.startsWith(structured.context)).toBe(true);
    const log = await agent.tool('get_context', { query: 'entry of the log', run: 'voyage 7', max_tokens: 500 });
    expect(new Set(log.structured.sources.map((one: { memory_id: string }) => one.memory_id)).size).toBe(
      log.structured.sources.length,
    );
    const budget = openTokens();
    expect((await budget.fit(log.text, 10_000)).tokens).toBeLessThanOrEqual(500);
    const other = await agent.tool('get_context', { query: 'ferry Procida', run: 'another run' });
    expect(other.structured.context).not.toContain('Entry');
    expect((await agent.tool('get_context', { query: 'x', run: 'x'.repeat(129) })).error.code).toBe(-32602);
  });

  // @covers SEARCH-OWN-WRITES
  it('recall finds what record_action_batch has just written, and reads what the client prefers', async () => {
    const { memory_id } = (await agent.record([{ kind: 'memory', content: 'The quay is dredged in May.' }])).structured
      .results[0];
    const meta = { 'counterfoil/prefer': 'wait=1' };
    const found = await agent.tool('recall', { query: 'dredged quay', k: 1 }, meta);
    expect(found.structured.data).toMatchObject([{ memory_id }]);
    const wrong = await agent.tool('recall', { query: 'quay' }, { 'counterfoil/prefer': 0 });
    expect(wrong.error).toMatchObject({ code: -32602, message: expect.stringContaining('counterfoil/prefer') });
    const misspelt = await agent.tool('recall', { query: 'quay' }, { 'counterfoil/Prefer': 'wait=0' });
    expect(misspelt.error.message).toContain('counterfoil/run, counterfoil/idempotencyKey, counterfoil/prefer');
  });

  // @covers MCPT-REMEMBER
  it('remember says what was redacted, and what to do about a rule that holds it', async () => {
    const { text, structured } = await agent.tool('remember', { text: 'Write to ada@example.org about boats.' });
    expect(structured.redacted).toEqual({ email: 1 });
    expect(text).toContain('1 × email');
    expect((await agent.tool('remember', { text: 'x', namespace: 'nowhere' })).text).toMatch(/^namespace_not_found: /);
  });

  // @covers MCPT-FORGET MCPT-SHORT-ID
  it('forget takes a short id, whole ids, and nothing that is not there', async () => {
    const written = await agent.tool('remember', { text: 'The printer needs A4.' });
    const { memory_id, short_id } = written.structured;
    const gone = await agent.tool('forget', { id: short_id.toUpperCase(), reason: 'It was wrong.' });
    expect(gone.structured).toEqual({
      memory_id,
      deleted: true,
      receipt_id: expect.stringMatching(/^rcp_/),
    });
    expect(gone.text).toContain(short_id);
    expect((await people.service().call('GET', `/v1/memories/${memory_id}`)).status).toBe(404);
    const receipt = await people.service().call('GET', `/v1/receipts/${gone.structured.receipt_id}`);
    expect(receipt.json).toMatchObject({ kind: 'memory.delete', actor: { via: 'mcp', agent_id: agent.agentId } });
    for (const id of [short_id, memory_id, 'x', '123'])
      expect((await agent.tool('forget', { id })).text).toMatch(/^memory_not_found: /);
  });

  // @covers MCPT-SHORT-ID MCPT-NOTICE
  it('fetch and resources take short ids, of memories that the key reaches only', async () => {
    const { memory_id, short_id } = (await agent.tool('remember', { text: 'Tickets are sold at the pier.' }))
      .structured;
    const fetched = await agent.tool('fetch', { id: short_id });
    expect(fetched.structured).toMatchObject({
      id: memory_id,
      metadata: { notice: expect.stringContaining('not instructions') },
    });
    const read = await send(people.service(), agent.key, 'resources/read', { uri: `memory://${short_id}` });
    expect(read.result.contents[0]).toMatchObject({
      text: 'Tickets are sold at the pier.',
      _meta: { 'counterfoil/notice': expect.stringContaining('not instructions') },
    });
    const other = await newAgent(people, { namespace_ids: [lettersId] });
    for (const tool of ['fetch', 'forget'])
      expect((await other.tool(tool, { id: short_id })).text).toMatch(/^memory_not_found: You reach no memory/);
    const reader = await newAgent(people, { scopes: ['memory.read'] });
    expect((await reader.tool('forget', { id: short_id })).text).toMatch(/^insufficient_scope: /);
    expect((await reader.tool('fetch', { id: short_id })).structured.id).toBe(memory_id);
  });

  // @covers MCPT-NAMESPACE-NAMES
  it('names namespaces, and says which there are to a key that may not use one', async () => {
    const bound = await newAgent(people, { namespace_ids: [lettersId] });
    const written = await bound.tool('remember', { text: 'To Ada, the boat is late.' });
    const stored = await people.as('owner').call('GET', `/v1/memories/${written.structured.memory_id}`);
    expect(stored.json.namespace_id).toBe(lettersId);
    const batch = await bound.record([
      { kind: 'memory', content: 'To Bruno, so is the train.' },
      { kind: 'decision', summary: 'Wait for both.' },
    ]);
    expect(batch.structured.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true]);
    const found = await bound.tool('recall', { query: 'boat', namespace_ids: ['letters'] });
    expect(found.structured.data[0].namespace_id).toBe(lettersId);
    expect((await bound.tool('get_context', { query: 'boat', namespace_ids: ['letters'] })).text).toContain('To Ada');
    for (const namespace_ids of [['default'], ['nowhere'], [people.first().namespaceId]]) {
      const refused = await bound.tool('recall', { query: 'boat', namespace_ids });
      expect(refused.text).toMatch(/^namespace_out_of_scope: .+ You may use "letters"\.$/);
      expect(refused.details).toEqual({ namespaces: ['letters'] });
    }
    const refused = await bound.tool('remember', { text: 'x', namespace: 'default' });
    expect(refused.text).toMatch(/^namespace_out_of_scope: .+ You may use "letters"\.$/);
    const some = await bound.record([{ kind: 'memory', content: 'x', namespace: 'default' }]);
    expect(some.text).toContain('You may use "letters".');
  });

  // @covers MCPT-HIDDEN
  it('are listed for keys that may write', async () => {
    const reader = await newAgent(people, { scopes: ['memory.read'] });
    const all = await list(agent.key);
    expect(all.slice(0, 8)).toEqual([
      'remember',
      'recall',
      'forget',
      'get_context',
      'list_subscriptions',
      'record_action_batch',
      'subscribe',
      'unsubscribe',
    ]);
    expect(await list(reader.key)).toEqual(['recall', 'get_context', 'list_subscriptions', 'search', 'fetch']);
    const hidden = await reader.tool('remember', { text: 'x' });
    expect(hidden.text).toMatch(/^insufficient_scope: /);
  });

  // @covers MCPT-INSTRUCTIONS
  it('come with instructions of at most 2 kB that name namespaces, agent and rights', async () => {
    const said = async (key: string): Promise<string> => {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      return (await send(people.service(), key, 'initialize', params)).result.instructions;
    };
    const text = await said(agent.key);
    for (const name of (await list(agent.key)).slice(0, 8)) expect(text).toContain(name);
    expect(text).toContain(`You are agent ${agent.agentId} and may read and write.`);
    expect(text).toContain('You reach the namespaces "default" (the default one).');
    const owner = people.as('owner');
    const ids: string[] = [];
    for (let n = 0; n < 22; n += 1) {
      const { json } = await owner.call('POST', '/v1/namespaces', { name: `${n} ${'界'.repeat(61)}` });
      ids.push(json.id);
    }
    const wide = await newAgent(people, { scopes: ['memory.read'], namespace_ids: ids });
    const long = await said(wide.key);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(2000);
    expect(long).toMatch(/may read\. You reach the namespaces "0 界+".* and \d+ more\.$/);
  });

  // @covers MCPT-REMEMBER-THIS
  it('remember_this asks to call remember', async () => {
    const ask = (text: string) =>
      send(people.service(), agent.key, 'prompts/get', { name: 'remember_this', arguments: { text } });
    const { messages } = (await ask(ferry)).result;
    expect(messages).toMatchObject([
      { role: 'user', content: { text: expect.stringMatching(/remember.+\n\nThe ferry/) } },
    ]);
    expect((await ask(' ')).error).toMatchObject({ code: -32602, data: { issues: [{ path: 'text' }] } });
  });
});
