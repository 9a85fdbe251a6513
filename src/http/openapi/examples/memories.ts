import { samples } from '../../../api/samples.js';
import type { Book } from '../told.js';

const provenance = { user_id: null, agent_id: 'concierge', app_id: 'travel desk', run_id: 'run-2026-03-14' };

const content = 'Ada moved from Porto to Lisbon in March. She takes the 28 tram to work.';

export const memory = {
  id: samples.memory,
  namespace_id: samples.namespace,
  content,
  content_hash: samples.contentHash,
  metadata: { person: 'Ada', confidence: 0.9 },
  source: 'chat-1',
  provenance,
  playground: false,
  status: 'ready',
  receipt_id: samples.receipt,
  created_at: samples.at,
  updated_at: samples.later,
};

const { content: _, status: __, ...shared } = memory;
const summary = { ...shared, excerpt: content, metadata_key_count: 2, metadata_truncated: false };

const accepted = { job_id: samples.job, memory_id: samples.memory, duplicate: false, stage: 'queued' };

const hit = {
  memory_id: samples.memory,
  namespace_id: samples.namespace,
  receipt_id: samples.receipt,
  receipt_hash: samples.hash,
  content,
  truncated: false,
  score: 0.8731,
  why: 'It is number 1 by the words it shares with the query (ada, move, lisbon), and number 1 by similarity of its text.',
  signals: {
    dense: { rank: 1, score: 0.7462 },
    keyword: { rank: 1, score: 1 },
    neighbours: null,
    matched: ['ada', 'move', 'lisbon'],
  },
  metadata: memory.metadata,
  source: memory.source,
  provenance,
  created_at: samples.at,
};

export const memories: Book = {
  'GET /v1/memories': {
    id: 'listMemories',
    description: 'Pages are reached with cursor, or with page up to offset 10000.',
    query: { q: 'tram OR train', limit: '25' },
    answers: { 200: { body: { data: [summary], next_cursor: samples.cursor } } },
  },
  'POST /v1/memories': {
    id: 'addMemory',
    body: 'MemoryIn',
    description:
      'The memory and its receipt are on disk when the answer is sent; a job makes the memory searchable a moment later. Sensitive values ' +
      'in content, source and metadata are stored as [redacted], or the write is refused if the rules of the workspace demand it.',
    request: { content, metadata: memory.metadata, source: 'chat-1' },
    answers: {
      200: {
        says: 'The same text exists in this namespace already: nothing was written.',
        body: { ...accepted, duplicate: true, stage: 'done' },
      },
      202: { says: 'The memory was written and waits for its job.', body: accepted },
    },
  },
  'POST /v1/memories/search': {
    id: 'searchMemories',
    body: 'MemorySearchIn',
    description:
      'Ready memories are ranked by meaning and by keyword, fused into one score. The search is recorded as a receipt of kind ' +
      'memory.recall; if that is not possible, no hits are returned. When the dense arm cannot run, mode is keyword and degraded says why.',
    request: {
      query: 'When did Ada move to Lisbon?',
      k: 5,
      token_budget: 2000,
      filters: { metadata: { person: 'Ada', confidence: { gte: 0.5 } } },
    },
    answers: {
      200: {
        says: 'The hits, the best first, and the receipt of the search.',
        body: {
          receipt_id: samples.otherReceipt,
          receipt_hash: samples.otherHash,
          mode: 'fused',
          degraded: [],
          data: [hit],
          tokens_used: 19,
          token_budget: 2000,
        },
      },
    },
  },
  'GET /v1/memories/{memory_id}': { id: 'getMemory', answers: { 200: { body: memory } } },
  'DELETE /v1/memories/{memory_id}': {
    id: 'deleteMemory',
    description:
      'The text, its salt and everything that was derived from them are deleted from every table when the answer is sent. ' +
      'The receipt of the write stays, with its hash.',
    answers: { 200: { body: { id: samples.memory, deleted: true, receipt_id: samples.otherReceipt } } },
  },
  'GET /v1/memories/export': {
    id: 'exportMemories',
    description: 'In the order of their ids, pending ones too. Follow next_cursor until it is null.',
    query: { limit: '100' },
    answers: {
      200: {
        body: {
          format: 'service-memories/1',
          data: [{ ...memory, namespace: { id: samples.namespace, name: 'default' } }],
          next_cursor: null,
        },
      },
    },
  },
};
