import type { MemoryView } from '../../projections/memory/queries.js';
import { realWorld } from '../../src/base/world.js';

export const memory: MemoryView = {
  id: 'm',
  namespace_id: 'n',
  seq: 1,
  content: 'a secret',
  content_hash: '',
  metadata: '{}',
  source: null,
  user_id: null,
  agent_id: null,
  app_id: null,
  run_id: null,
  playground: false,
  stage: 'done',
  ...{
    receipt_id: 'rcp_',
    receipt_hash: '',
    size: 8,
    created_at: '',
    updated_at: '',
    invalidated: false,
    invalidation: null,
  },
  salt: new Uint8Array(),
  label: null,
  entry: new Uint8Array(),
};
/** A delivery of this memory to an address. */
export const delivery = (url: string) => ({
  id: realWorld.id(),
  webhook_id: 'w',
  memory_id: 'm',
  attempts: 0,
  created_at: '',
  visible: true,
  receipt_id: 'rcp_',
  receipt_hash: '',
  entry: new Uint8Array(),
  salt: new Uint8Array(),
  metadata: null,
  source: null,
  label: null,
  content: JSON.stringify({ url, secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0', pattern: {} }),
});
