import { describe, expect, it } from 'vitest';
import { mounted } from './harness.js';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const note = { jsonrpc: '2.0', method: 'notifications/cancelled' };
const counted = ({ counts }: ReturnType<typeof mounted>) => counts.get('mcp key') ?? 0;

describe('the rate of messages', () => {
  // @covers MCP-RATE
  it.each([
    ['a request', ping, 1],
    ['a notification', note, 1],
    ['an unknown method', { ...ping, method: 'forget' }, 1],
    ['wrong arguments', { ...ping, method: 'tools/call' }, 1],
    ['a batch', [ping, note, ping], 3],
    ['a batch that is refused', [ping, ping, 5], 2],
    ['a batch of 21', Array.from({ length: 21 }, () => ping), 21],
    ['a message without a method', { jsonrpc: '2.0', id: 1, result: {} }, 0],
    ['an empty batch', [], 0],
    ['a body that is not JSON', '{', 1],
  ])('counts %s', async (_name, body, messages) => {
    const service = mounted({ limited: true });
    await service.send(body);
    expect(counted(service)).toBe(messages);
  });

  // @covers MCP-RATE
  it('refuses the 121st message, and says when to come back', async () => {
    const service = mounted({ limited: true });
    const statuses = [];
    for (let sent = 0; sent < 121; sent += 1) statuses.push((await service.send(ping)).status);
    expect(statuses).toEqual([...Array.from({ length: 120 }, () => 200), 429]);
    const { status, json, headers } = await service.send(ping);
    expect([status, json.error.code, json.id, headers['retry-after']]).toEqual([429, -32000, null, '42']);
    expect(json.error.data).toMatchObject({ code: 'rate_limited', details: { retry_after_seconds: 42 } });
  });

  // @covers MCP-RATE
  it('refuses a batch that would pass it as a whole, and counts it', async () => {
    const service = mounted({ limited: true });
    service.counts.set('mcp key', 118);
    expect((await service.send([ping, ping])).status).toBe(200);
    service.counts.set('mcp key', 118);
    service.called.splice(0);
    const call = { ...ping, method: 'tools/call', params: { name: 'echo' } };
    const { status, json } = await service.send([call, call, call]);
    expect([status, json.error.code, service.called]).toEqual([429, -32000, []]);
    expect((await service.send(ping)).status).toBe(429);
  });

  // @covers MCP-ORDER
  it('is looked at after the form of a batch, and before its version', async () => {
    for (const [body, headers, expected] of [
      [[ping, 5], {}, [400, -32600]],
      [[ping, ping], { 'mcp-protocol-version': '2026-07-28' }, [400, -32600]],
      [[ping, ping], { 'mcp-protocol-version': 'v999' }, [429, -32000]],
    ] as const) {
      const service = mounted({ limited: true });
      service.counts.set('mcp key', 119);
      const { status, json } = await service.send(body, headers);
      expect([status, json.error.code]).toEqual(expected);
    }
  });

  // @covers MCP-RATE
  it('counts a refused credential against the address, and not against a key', async () => {
    const service = mounted({ limited: true });
    for (let sent = 0; sent < 300; sent += 1) await service.send(ping, { authorization: 'Bearer agk_other' });
    const refused = await service.send(ping, { authorization: '' });
    expect([refused.status, refused.json.error.code, refused.headers['retry-after']]).toEqual([429, -32000, '42']);
    expect([counted(service), (await service.send(ping)).status]).toEqual([0, 200]);
  });
});
