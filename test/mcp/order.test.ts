import { describe, expect, it } from 'vitest';
import { good, mounted } from './harness.js';

interface Fault {
  readonly name: string;
  readonly answer: readonly [number, number];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly get?: true;
  /** Whether the limit of messages is used up before, or by this batch. */
  readonly used?: number;
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const batch = [ping, ping];

/** The faults of a request in the order in which they are looked for. Those with a body exclude each other. */
const faults: readonly Fault[] = [
  { name: 'Host', answer: [403, -32000], headers: { host: 'evil.example' } },
  { name: 'Origin', answer: [403, -32000], headers: { origin: 'https://evil.example' } },
  { name: 'method', answer: [405, -32000], get: true },
  { name: 'credential', answer: [401, -32000], headers: { authorization: 'Bearer agk_other' } },
  { name: 'mcp:tools', answer: [403, -32000], headers: { authorization: 'Bearer agk_narrow' } },
  { name: 'rate', answer: [429, -32000], used: 120 },
  { name: 'size', answer: [413, -32000], body: 'x'.repeat(8 * 1024 * 1024 + 1) },
  { name: 'type', answer: [415, -32000], headers: { 'content-type': 'text/plain' } },
  { name: 'JSON', answer: [400, -32700], body: '{' },
  { name: 'shape', answer: [400, -32600], body: [ping, 5] },
  { name: 'rate of a batch', answer: [429, -32000], body: batch, used: 119 },
  { name: 'version', answer: [400, -32022], headers: { 'mcp-protocol-version': 'v999' } },
];

const pairs = faults.flatMap((first, at) =>
  faults.slice(at + 1).flatMap((second) => (together(first, second) ? [{ first, second }] : [])),
);

/** Faults of the same part of a request cannot be in one request. */
function together(first: Fault, second: Fault): boolean {
  const [one, other] = [Object.keys(first.headers ?? {}), Object.keys(second.headers ?? {})];
  const sameBody = first.body !== undefined && second.body !== undefined;
  const sameCount = first.used !== undefined && second.used !== undefined;
  return !sameBody && !sameCount && !one.some((name) => other.includes(name));
}

/** The whole set of parts of a request is checked in one order, so that the answer to several faults is known. */
describe('the order of checks', () => {
  async function answered(...all: readonly Fault[]): Promise<readonly [number, number]> {
    const { send, counts } = mounted({ limited: true });
    const used = all.find((fault) => fault.used !== undefined)?.used;
    if (used !== undefined) counts.set('mcp key', used);
    const body = all.find((fault) => fault.body !== undefined)?.body ?? ping;
    const headers = Object.assign({ authorization: good }, ...all.map((fault) => fault.headers));
    const method = all.some(({ get }) => get) ? 'GET' : 'POST';
    const { status, json } = await send(method === 'GET' ? '' : body, headers, method);
    return [status, json.error.code];
  }

  // @covers MCP-ORDER
  it.each(faults)('$name alone', async (fault) => expect(await answered(fault)).toEqual(fault.answer));

  // @covers MCP-ORDER
  it.each(pairs)('$first.name comes before $second.name', async ({ first, second }) => {
    expect(await answered(first, second)).toEqual(first.answer);
  });
});
