import { canonicalBytes, commit } from '../../src/ledger/chain.js';
import { toBase64 } from '../../src/verifier/bytes.js';
import { seeded } from './bundles.js';

/** A bundle of a search whose entry commits to one query and that shows another one, or none. Without a place in a log. */
export function searchBundle(committed: string, shown?: string | null) {
  const id = '00000000-0000-7000-8000-000000000001';
  const salt = seeded('salt of a query');
  const found = { mode: 'fused', degraded: [], k: 8, results: [{ memory_id: id, receipt_hash: '0'.repeat(64) }] };
  const entry = {
    v: 1,
    workspace_id: id,
    seq: 7,
    receipt_id: 'rcp_1',
    kind: 'memory.recall',
    recorded_at: '2026-01-01T00:00:07.000Z',
    actor: { type: 'key', id, user_id: null, agent_id: null, app_id: null, run_id: null },
    body: { query_commitment: commit(salt, committed), namespace_ids: [id], ...found },
    prev_hash: '0'.repeat(64),
  };
  const disclosed = { salt: toBase64(salt), content: null, metadata: null, source: null, query: shown ?? null };
  const bundle = { format: 'counterfoil-proof/1', entry: toBase64(canonicalBytes(entry)), keys: [], anchors: [] };
  return shown === undefined ? bundle : { ...bundle, disclosed };
}
