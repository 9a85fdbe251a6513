import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Listening } from '../anchoring/http.js';
import { type Service, startService } from '../http/service.js';
import { runProgram, storedWith, tasksOf } from './run-program.js';
import { startVendor } from './vendor.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const patience = 90_000;

/** The attributes that each instrumentation really sends are in docs/guides/opentelemetry.md. */
describe('the official SDK for Node, unmodified, with spans of', () => {
  let service: Service;
  let vendor: Listening;
  beforeAll(async () => {
    service = await startService();
    vendor = await startVendor();
  });
  afterAll(async () => {
    await vendor.close();
    await service.stop();
  });

  // @covers OTLP-SDK-NODE
  it(
    'the instrumentation of OpenTelemetry for OpenAI, as protobuf',
    async () => {
      expect(await runProgram(process.execPath, 'openai.cjs', service, vendor.url)).toBe('');
      expect((await tasksOf(service)).at(-1)).toMatchObject({
        agent_handle: '@concierge',
        platform: 'otel',
        model: 'gpt-test-2026',
        session_id: 'talk-1',
        status: 'success',
        task_summary: 'invoke_agent',
        tokens: { input: 22, output: 10 },
      });
    },
    patience,
  );

  // @covers OTLP-SDK-NODE
  it(
    'OpenInference for OpenAI, as JSON',
    async () => {
      expect(await runProgram(process.execPath, 'openinference.cjs', service, vendor.url, { EXPORTER: 'json' })).toBe(
        '',
      );
      expect((await tasksOf(service)).at(-1)).toMatchObject({
        agent_handle: '@translator',
        model: 'gpt-test-2026',
        task_summary: 'chat',
        tokens: { input: 11, output: 5 },
      });
    },
    patience,
  );

  // @covers OTLP-SDK-NODE OTLP-TOOLS OTLP-USAGE
  it(
    'the AI SDK, with a call of a tool, compressed',
    async () => {
      const env = { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' };
      expect(await runProgram(process.execPath, 'ai-sdk.cjs', service, vendor.url, env)).toBe('');
      expect((await tasksOf(service)).at(-1)).toMatchObject({
        agent_handle: '@weather-desk',
        model: 'gpt-test-2026',
        task_summary: 'invoke_agent',
        // The span of the whole repeats the tokens of the two calls.
        tokens: { input: 22, output: 10 },
        tool_calls: [
          {
            tool: 'weather',
            ok: true,
            input_hash: sha256('{"city":"Ulm"}'),
            output_hash: sha256('{"city":"Ulm","degrees":21}'),
          },
        ],
      });
    },
    patience,
  );

  it('of no texts of prompts and answers, which reach neither the ledger nor the vault', async () => {
    expect([await storedWith(service, 'SECRET'), await storedWith(service, 'concierge')]).toEqual([0, 1]);
  });
});
