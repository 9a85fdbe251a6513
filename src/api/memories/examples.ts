import { samples } from '../samples.js';

/** The values in the examples of the operations on memories. */

export const exampleProvenance = {
  user_id: null,
  agent_id: 'concierge',
  app_id: 'travel desk',
  run_id: 'run-2026-03-14',
};

export const exampleContent = 'Ada moved from Porto to Lisbon in March. She takes the 28 tram to work.';

export const exampleMemory = {
  id: samples.memory,
  namespace_id: samples.namespace,
  content: exampleContent,
  content_hash: samples.contentHash,
  metadata: { person: 'Ada', confidence: 0.9 },
  source: 'chat-1',
  provenance: exampleProvenance,
  playground: false,
  status: 'ready',
  receipt_id: samples.receipt,
  invalidated: null,
  created_at: samples.at,
  updated_at: samples.later,
};

const { content: _, status: __, ...exampleShared } = exampleMemory;

export const exampleSummary = {
  ...exampleShared,
  excerpt: exampleContent,
  metadata_key_count: 2,
  metadata_truncated: false,
};

export const exampleAccepted = {
  job_id: samples.job,
  memory_id: samples.memory,
  receipt_id: samples.receipt,
  receipt_hash: samples.hash,
  duplicate: false,
  stage: 'queued',
};

export const exampleHit = {
  memory_id: samples.memory,
  namespace_id: samples.namespace,
  receipt_id: samples.receipt,
  receipt_hash: samples.hash,
  content: exampleContent,
  truncated: false,
  score: 0.7106,
  why: 'It has your words "ada", "move", and "lisbon", its text is the most similar to your query, and it says when.',
  signals: {
    dense: { rank: 1, score: 0.3204 },
    keyword: { rank: 1, score: 0.5096 },
    neighbours: null,
    matched: ['ada', 'move', 'lisbon'],
  },
  metadata: exampleMemory.metadata,
  source: exampleMemory.source,
  provenance: exampleProvenance,
  created_at: samples.at,
};
