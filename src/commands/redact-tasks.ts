import type { Redacted } from '../domain/redaction/redact.js';
import type { SubmittedTask } from '../domain/task/submitted.js';
import type { NewTask } from './record-tasks.js';

/** Removes sensitive values from JSON texts. @throws Refusal rate_limited, not_ready */
export type RedactTexts = (texts: readonly string[]) => Promise<readonly Redacted[]>;

/**
 * Removes sensitive values from the private texts of task receipts. None of their attestations is checked yet.
 * @throws Refusal rate_limited, not_ready
 */
export async function redactTasks(redact: RedactTexts, submitted: readonly SubmittedTask[]): Promise<NewTask[]> {
  const redacted = await redact(submitted.flatMap(({ privateText }) => privateText ?? []));
  let next = 0;
  return submitted.map((task) => {
    const checks = (task.task.attestations ?? []).map(() => ({ state: 'not_checked', signer: null }) as const);
    if (task.privateText === null) return { submitted: task, checks, sensitive: {} };
    const { text = '', found = {} } = redacted[next] ?? {};
    next += 1;
    return { submitted: { ...task, privateText: text }, checks, sensitive: found };
  });
}
