import { expect } from 'vitest';
import { defaultVendorPlatforms } from '../../../contracts/task-receipt.js';
import { createTaskReader } from '../../../src/domain/task/read.js';
import type { RefusedTasks } from '../../../src/domain/task/refused.js';
import type { SubmittedTask } from '../../../src/domain/task/submitted.js';

/** The clock of the reader in these tests. */
export const now = Date.parse('2026-11-22T10:00:00Z');

/** The least that a receipt must have. */
export const least = {
  receipt_id: 'run-1',
  agent_handle: '@triage-bot',
  platform: 'gateway',
  started_at: '2026-11-22T09:00:00Z',
  ended_at: '2026-11-22T09:00:04.25Z',
  status: 'success',
};

export const readTasks = createTaskReader(defaultVendorPlatforms);

const isRefused = (read: ReturnType<typeof readTasks>): read is RefusedTasks => 'code' in read;

/** Reads one receipt that is expected to be right. @param sent a JSON text, or a value that is written as JSON */
export function accepted(sent: unknown): SubmittedTask {
  const [task, ...others] = acceptedBatch(sent);
  expect(others).toEqual([]);
  if (!task) throw new Error('no receipt was read');
  return task;
}

export function acceptedBatch(sent: unknown): readonly SubmittedTask[] {
  const read = readTasks(jsonOf(sent), now);
  if (isRefused(read)) throw new Error(`${read.code}: ${read.message} ${JSON.stringify(read.details)}`);
  return read;
}

export function refused(sent: unknown): RefusedTasks {
  const read = readTasks(jsonOf(sent), now);
  if (!isRefused(read)) throw new Error(`accepted: ${jsonOf(sent).slice(0, 200)}`);
  return read;
}

const jsonOf = (sent: unknown): string => (typeof sent === 'string' ? sent : JSON.stringify(sent));
