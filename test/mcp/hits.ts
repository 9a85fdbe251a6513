import { RawJson } from '../../src/base/json-text.js';
import type { Found, FoundHit } from '../../src/mcp/results/found.js';

/** A hit as a search finds it, with these members changed. */
export function hitOf(changes: Partial<FoundHit> & { readonly content: string }, n = 0): FoundHit {
  const digits = n.toString(16).padStart(8, '0');
  return {
    memory_id: `${digits}-0000-7000-8000-000000000000`,
    namespace_id: '0192f0c4-8000-7000-8000-00000000000a',
    receipt_id: `rcp_${digits.padEnd(32, '0')}`,
    receipt_hash: digits.repeat(8),
    truncated: false,
    score: 0.5,
    why: 'It is number 1 by the words it shares with the query: ferry.',
    signals: { dense: { rank: 1, score: 0.7 }, keyword: { rank: 1, score: 1 }, neighbours: null, matched: ['ferry'] },
    metadata: new RawJson('{"person":"Ada"}'),
    source: 'diary',
    provenance: { user_id: null, agent_id: null, app_id: 'tests', run_id: null },
    created_at: '2026-11-22T10:00:00.000Z',
    ...changes,
  };
}

export function foundOf(data: readonly FoundHit[], changes: Partial<Found> = {}): Found {
  return {
    receipt_id: `rcp_${'f'.repeat(32)}`,
    receipt_hash: 'f'.repeat(64),
    mode: 'fused',
    degraded: [],
    data: [...data],
    left_out: { budget: 0, invalidated: 0 },
    tokens_used: 0,
    token_budget: 4000,
    ...changes,
  };
}
