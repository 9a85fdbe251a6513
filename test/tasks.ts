import type { NamedTask } from '../contracts/task-receipt.js';
import type { NewTask, TaskRecording } from '../src/commands/record-tasks.js';
import { createPublicTags } from '../src/domain/public-tags.js';
import { createSentDigest } from '../src/domain/task/sent-digest.js';
import { canonical } from '../src/verifier/canonical.js';
import type { World } from '../src/world.js';

const secret = new Uint8Array(32).fill(7);

/** The secrets of an installation, for tests without a server. */
export const recordingWith = (world: World): TaskRecording => ({
  world,
  tags: createPublicTags(secret),
  sentDigest: createSentDigest(secret),
});

interface More {
  readonly task?: Partial<NamedTask>;
  readonly privateText?: string;
  readonly sensitive?: NewTask['sensitive'];
}

/** A task receipt as the reader gives it to the command that records it. */
export function newTask(id: string, { task: members = {}, privateText, sensitive = {} }: More = {}): NewTask {
  const task: NamedTask = {
    receipt_id: id,
    agent_handle: '@archive',
    platform: 'sdk',
    started_at: '2026-01-15T11:59:00Z',
    ended_at: '2026-01-15T11:59:30Z',
    status: 'success',
    ...members,
  };
  const sent = canonical({ ...task, ...(privateText === undefined ? {} : { private: privateText }) });
  const submitted = { task, scopeViolations: null, privateText: privateText ?? null, canonical: sent };
  return { submitted, checks: [], sensitive };
}
