import { inSlices, type Steps } from '../base/steps.js';
import type { World } from '../base/world.js';
import type { Redacted } from '../domain/redaction/redact.js';
import type { SentDigest, SubmittedTask } from '../domain/task/submitted.js';
import { recording } from './record.js';
import type { NewTask } from './record-tasks.js';

/**
 * Removes sensitive values from JSON texts. @throws Refusal rate_limited, not_ready
 * @param owner the workspace, whose work it is
 */
export type RedactTexts = (owner: string, texts: readonly string[]) => Promise<readonly Redacted[]>;

interface Preparing {
  readonly world: World;
  readonly sentDigest: SentDigest;
  readonly redactTexts: RedactTexts;
}

/**
 * Removes sensitive values from the private texts of task receipts, and computes what their entries commit to. None of
 * their attestations is checked yet.
 * @throws Refusal rate_limited, not_ready
 */
export async function prepareTasks(
  parts: Preparing,
  workspaceId: string,
  submitted: readonly SubmittedTask[],
): Promise<NewTask[]> {
  const redacted = await parts.redactTexts(
    workspaceId,
    submitted.flatMap(({ privateText }) => privateText ?? []),
  );
  return inSlices(prepareAll(parts, submitted, redacted));
}

function* prepareAll(
  parts: Omit<Preparing, 'redactTexts'>,
  submitted: readonly SubmittedTask[],
  redacted: readonly Redacted[],
): Steps<NewTask[]> {
  const prepared: NewTask[] = [];
  let next = 0;
  for (const task of submitted) {
    const { privateText } = task;
    const { text = null, found = {} } = (privateText === null ? undefined : redacted[next]) ?? {};
    if (privateText !== null) next += 1;
    prepared.push(prepareTask(parts, { ...task, privateText: text }, found));
    yield;
  }
  return prepared;
}

/** @param submitted with a private text that is redacted already */
export function prepareTask(
  { world, sentDigest }: Omit<Preparing, 'redactTexts'>,
  submitted: SubmittedTask,
  sensitive: NewTask['sensitive'],
): NewTask {
  const record = recording(world);
  const { task, privateText, canonical } = submitted;
  return {
    submitted,
    record,
    commitment: privateText === null ? null : record.commit(privateText),
    digest: sentDigest(record.salt, canonical),
    checks: (task.attestations ?? []).map(() => ({ state: 'not_checked', signer: null })),
    sensitive,
  };
}
