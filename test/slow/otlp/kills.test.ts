import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type Service, start } from '../../faults/service-process.js';
import { apiKey } from '../../http/service.js';
import { agent, chat, exportOf, type SpanIn, spanId, tool } from '../../otlp/spans.js';
import { quickStore } from '../../support/prepared-store.js';

const dataDir = await quickStore();
const env = { DATA_DIR: dataDir, BOOTSTRAP_API_KEY: apiKey, PORT: '0', RATE_LIMITS: 'off', OTS_CALENDARS: 'off' };
const traces = 40;
const pieces = 5;
const kills = 3;

const traceOf = (n: number) => (n + 1).toString(16).padStart(32, 'c');

/** The pieces of a trace, its root in the last one. */
function piecesOf(n: number): SpanIn[][] {
  const trace = traceOf(n);
  const children = Array.from({ length: pieces - 1 }, (_, i): SpanIn[] => [
    { trace, id: spanId(10 + i), parent: spanId(1), at: i, attributes: tool(`tool-${i}`) },
    { trace, id: spanId(50 + i), parent: spanId(1), at: i, attributes: chat({ 'gen_ai.usage.input_tokens': 1 }) },
  ]);
  return [...children, [{ trace, id: spanId(1), ms: 100, attributes: agent({ 'gen_ai.agent.name': 'Killed' }) }]];
}

describe('spans that were answered', () => {
  let service: Service;
  afterAll(async () => {
    await service.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });

  // @covers OTLP-PIECES OTLP-AGAIN
  it('survive kills: each trace becomes one receipt with all of its spans', async () => {
    service = await start(env);
    let restarting: Promise<void> | undefined;
    let killed = 0;
    const restart = async () => {
      await service.kill();
      killed += 1;
      service = await start(env);
    };
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    /** As an exporter does: until there is an answer. */
    const send = async (spans: readonly SpanIn[]): Promise<void> => {
      for (;;) {
        await restarting;
        const init = { method: 'POST', headers, body: JSON.stringify(exportOf(spans)) };
        const answer = await fetch(`${service.origin}/v1/otlp/v1/traces`, init).catch(() => undefined);
        const text = await answer?.text().catch(() => undefined);
        if (answer?.status === 200 && text !== undefined) {
          expect(text).toBe('{}');
          return;
        }
        await new Promise((next) => setTimeout(next, 20));
      }
    };
    let sent = 0;
    const client = async (first: number) => {
      for (let n = first; n < traces; n += 4) {
        for (const piece of piecesOf(n)) {
          await send(piece);
          sent += 1;
          if (sent % Math.floor((traces * pieces) / (kills + 1)) === 0 && killed < kills) restarting = restart();
        }
      }
    };
    await Promise.all([0, 1, 2, 3].map(client));
    await restarting;
    expect(killed).toBe(kills);
    for (let n = 0; n < traces; n += 1) {
      const url = `${service.origin}/v1/receipts/${traceOf(n)}-${spanId(1)}`;
      const { task } = JSON.parse(await (await fetch(url, { headers })).text());
      expect([n, task.tokens, task.tool_calls.map((call: { tool: string }) => call.tool)]).toEqual([
        n,
        { input: pieces - 1 },
        ['tool-0', 'tool-1', 'tool-2', 'tool-3'],
      ]);
    }
    const list = await fetch(`${service.origin}/v1/receipts?kind=task&limit=100`, { headers });
    const { data } = JSON.parse(await list.text());
    expect(data).toHaveLength(traces);
  }, 180_000);
});
