import { describe, expect, it } from 'vitest';
import { RawJson } from '../../src/base/json-text.js';
import { memoryFacts, memoryText } from '../../src/pages/memories/one.js';

const id = '0192f0c4-8000-7000-8000-00000000000a';
const hostile = `</pre></bdi><script>alert(1)</script><img src=x onerror='alert(2)'>&"`;

describe('the page of a memory', () => {
  // @covers MCPT-PAGE
  it('shows texts of callers as text only', async () => {
    const memory = {
      id,
      namespace_id: id,
      content: hostile,
      content_hash: 'f'.repeat(64),
      metadata: new RawJson(JSON.stringify({ [hostile]: hostile })),
      source: hostile,
      provenance: { user_id: hostile, agent_id: hostile, app_id: hostile, run_id: hostile },
      playground: false,
      status: 'ready',
      receipt_id: 'rcp_1',
      invalidated: {
        at: '2026-11-22T11:00:00.000Z',
        reason: hostile,
        by: { user_id: null, agent_id: null, app_id: null, run_id: null },
        receipt_id: 'rcp_2',
        superseded_by: id,
      },
      created_at: '2026-11-22T10:00:00.000Z',
      updated_at: '2026-11-22T10:00:00.000Z',
    } as const;
    const now = Date.parse('2026-11-22T12:00:00.000Z');
    const parts = [await memoryText(memory.content), await memoryFacts(memory, hostile, now)];
    const text = parts.map((part) => part.text).join('\n');
    expect(text).not.toMatch(/<(script|img)|'alert|<\/pre><\/bdi>/i);
    expect(text.match(/&lt;script&gt;alert\(1\)/g)).toHaveLength(9);
  });
});
