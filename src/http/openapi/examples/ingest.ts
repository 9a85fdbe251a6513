import { samples } from '../../../api/samples.js';
import type { Book } from '../told.js';

const job = {
  job_id: samples.job,
  memory_id: samples.memory,
  namespace_id: samples.namespace,
  stage: 'embedding',
  stage_timestamps: { queued: samples.at, extracting: samples.at, chunking: samples.later, embedding: samples.later },
  failed_stage: null,
  failure_reason: null,
  attempts: 1,
  created_at: samples.at,
  updated_at: samples.later,
  stalled: false,
  terminal: false,
  poll_after_ms: 500,
};

const queued = { ...job, stage: 'queued', stage_timestamps: { queued: samples.at }, attempts: 0 };

export const ingest: Book = {
  'GET /v1/ingest/{job_id}': {
    id: 'getJob',
    description: 'Ask again until terminal is true, and wait poll_after_ms between two calls.',
    answers: { 200: { body: job } },
  },
  'POST /v1/ingest/{job_id}/retry': {
    id: 'retryJob',
    description: 'Only a job that has failed, is stalled, or has made no progress for 15 minutes.',
    answers: { 202: { says: 'The job is queued again.', body: queued } },
  },
  'GET /v1/ingest': {
    id: 'listJobs',
    query: { stage: 'queued,failed' },
    answers: {
      200: {
        says: 'A page of jobs.',
        body: { data: [{ ...queued, source: 'import:file', label: 'travel.pdf' }], next_cursor: null },
      },
    },
  },
  'POST /v1/ingest': {
    id: 'importMemory',
    body: 'ImportIn',
    description:
      'One entry for a text, a file or a page. The result is an ordinary memory, with a job and a receipt. ' +
      'Files are PDFs, read by their text layer, HTML and texts, at most 5 MiB; their text at most 1 MiB, never truncated. Pages are ' +
      'fetched from the public internet only, within 10 seconds.',
    request: {
      kind: 'file',
      filename: 'tram-28.txt',
      content_type: 'text/plain',
      data_base64: 'VGhlIDI4IHRyYW0gcnVucyBmcm9tIE1hcnRpbSBNb25peiB0byBDYW1wbyBPdXJpcXVlLg==',
      metadata: { topic: 'trams' },
    },
    answers: {
      200: {
        says: 'The same text exists in this namespace already: nothing was written.',
        body: { job_id: samples.job, memory_id: samples.memory, duplicate: true, stage: 'done' },
      },
      202: {
        says: 'The memory was written and waits for its job.',
        body: { job_id: samples.job, memory_id: samples.memory, duplicate: false, stage: 'queued' },
      },
    },
  },
};
