import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import type { Listening } from '../../anchoring/http.js';
import { type Service, startService } from '../../http/service.js';
import { runProgram, storedWith, tasksOf } from '../../otlp/run-program.js';
import { startVendor } from '../../otlp/vendor.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the official SDK for Python, unmodified, with spans of', () => {
  let service: Service;
  let vendor: Listening;
  let python: string;
  beforeAll(async () => {
    const script = join(packageRoot, 'ops/otlp-python.sh');
    python = join(execFileSync(script, { encoding: 'utf8' }).trim(), 'bin/python');
    service = await startService();
    vendor = await startVendor();
  }, 600_000);
  afterAll(async () => {
    await vendor.close();
    await service.stop();
  });

  // @covers OTLP-SDK-PYTHON
  it.each([
    ['opentelemetry-instrumentation-openai-v2', 'openai_v2.py', '@summarizer'],
    ['openinference-instrumentation-openai', 'openinference_openai.py', '@classifier'],
  ])('%s', async (_name, program, agent_handle) => {
    expect(await runProgram(python, program, service, vendor.url)).toBe('');
    expect((await tasksOf(service)).at(-1)).toMatchObject({
      agent_handle,
      platform: 'otel',
      model: 'gpt-test-2026',
      task_summary: 'chat',
      status: 'success',
      tokens: { input: 11, output: 5 },
    });
  });

  // @covers OTLP-SDK-PYTHON OTLP-TOOLS OTLP-USAGE
  it('Pydantic AI, with an agent and its tool', async () => {
    expect(await runProgram(python, 'pydantic_agent.py', service, vendor.url)).toBe('');
    const task = (await tasksOf(service)).at(-1);
    expect(task).toMatchObject({
      agent_handle: '@weather-agent',
      model: 'gpt-test-2026',
      session_id: expect.any(String),
      task_summary: 'invoke_agent',
      tokens: { input: 22, output: 10 },
    });
    expect(task.tool_calls).toMatchObject([
      { tool: 'weather', ok: true, input_hash: sha256('{"city":"Ulm"}'), output_hash: sha256('21 degrees in Ulm') },
    ]);
  });

  it('of no texts of prompts and answers, which reach neither the ledger nor the vault', async () => {
    expect([await storedWith(service, 'SECRET'), await storedWith(service, 'summarizer')]).toEqual([0, 1]);
  });
});
