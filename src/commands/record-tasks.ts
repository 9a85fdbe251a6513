import type { Deposit } from '../../contracts/entries/recorded.js';
import type { AttestationCheck } from '../../contracts/entries/task.js';
import { Refusal } from '../../contracts/errors.js';
import { type Caller, requireUnpaused } from '../domain/caller.js';
import { requireActions } from '../domain/plan.js';
import type { PublicTags } from '../domain/public-tags.js';
import type { Counts } from '../domain/redaction/finding.js';
import { publicationOf } from '../domain/task/publication.js';
import { keyOfStated, statementsOf, transitionFault } from '../domain/task/statements.js';
import type { SentDigest, SubmittedTask } from '../domain/task/submitted.js';
import type { Linked } from '../ledger/chain.js';
import { canonical } from '../verifier/canonical.js';
import { checksByKnown, signersOf } from './check-attestations.js';
import type { Command } from './command.js';
import { type Decided, type Recording, together } from './record.js';
import type { WorkspaceState } from './state/state.js';
import type { Statements, TaskState, Tasks } from './state/tasks.js';

/** A task receipt that a platform wants to record, see `prepareTasks`. */
export interface NewTask {
  /** Its private text is redacted already. */
  readonly submitted: SubmittedTask;
  /** The entry that records it if it is new, and the digests in it. */
  readonly record: Recording;
  readonly commitment: string | null;
  readonly digest: string;
  /** The result for each attestation, in their order. */
  readonly checks: readonly AttestationCheck[];
  /** The kinds of values that redaction replaced in the private text, for workspaces that refuse such values instead. */
  readonly sensitive: Counts;
}

export interface TaskRecorded {
  /** The id of the service. */
  readonly id: string;
  /** The client's id. */
  readonly receipt_id: string;
  readonly receipt_hash: string;
  readonly seq: number;
  readonly hash: string;
  readonly prev_hash: string;
  readonly scope_violations: readonly string[] | null;
  readonly duplicate: boolean;
}

/** The parts of the installation that task receipts of every workspace need. */
export interface TaskRecording {
  readonly tags: PublicTags;
  readonly sentDigest: SentDigest;
}

/**
 * Records the task receipts of a batch, all or none. Refusals come in the order pause, plan, sensitive values, conflict,
 * and then statements about the market that may not follow those before them. What was recorded before is no write: a
 * duplicate needs no action of the plan, and may hold sensitive values.
 */
export function recordTasks(
  { tags, sentDigest }: TaskRecording,
  caller: Caller,
  tasks: readonly NewTask[],
): Command<readonly TaskRecorded[]> {
  const submitted = tasks.map((one) => one.submitted);
  const signers = signersOf(tasks.map(({ checks }) => checks));
  const stated = submitted.flatMap(({ task }) => statementsOf(task.market));
  return {
    actor: caller.actor,
    reads: {
      tasks: submitted.map(({ task }) => task.receipt_id),
      handles: [...new Set(submitted.map(({ task }) => task.agent_handle))],
      governance: { rules: true },
      ...(stated.length === 0 ? {} : { statements: stated }),
      ...(signers.length === 0 ? {} : { signers }),
    },
    decide(state, recordedAt) {
      const { rules, plan, meter, publishesTasks } = state.governance;
      requireUnpaused(rules, caller);
      const compared = compareTasks(submitted, state.tasks, sentDigest);
      const fresh = tasks.filter((_, index) => compared[index]?.is === 'new');
      requireActions(plan, meter, recordedAt, fresh.length);
      if (rules.sensitive === 'reject') requireNothingSensitive(tasks, compared);
      requireNoConflict(submitted, compared);
      requireTransitions(submitted, compared, state.statements);
      const tag = publishesTasks ? tags.workspace(caller.workspaceId) : null;
      return {
        ...together(fresh.map((one) => one.record.effects(entryOf(one, tag, state), textsOf(one)))),
        answer: (linked) => answerOf(compared, linked),
      };
    },
  };
}

/** Of a receipt without a private text only the salt is kept. */
function textsOf({ submitted: { privateText } }: NewTask): Deposit['texts'] {
  return privateText === null ? {} : { content: privateText };
}

function entryOf(
  { submitted, commitment, digest, checks }: NewTask,
  tag: string | null,
  { handles, signers }: WorkspaceState,
): Decided {
  const { task, scopeViolations } = submitted;
  return {
    kind: 'task',
    body: {
      task,
      scope_violations: scopeViolations,
      content_commitment: commitment,
      sent_digest: digest,
      attestation_checks: checksByKnown(checks, signers),
      publication: tag === null ? null : publicationOf(tag, task, handles.get(task.agent_handle)),
    },
  };
}

/** @throws Refusal content_rejected, with what was found by kind and none of it */
function requireNothingSensitive(tasks: readonly NewTask[], compared: readonly Comparison[]): void {
  const index = tasks.findIndex(
    ({ sensitive }, at) => compared[at]?.is !== 'duplicate' && Object.keys(sensitive).length > 0,
  );
  if (index < 0) return;
  throw new Refusal('content_rejected', undefined, { kinds: tasks[index]?.sensitive, index });
}

/** @throws Refusal receipt_conflict, with the client's id of the first receipt whose id another one has */
function requireNoConflict(submitted: readonly SubmittedTask[], compared: readonly Comparison[]): void {
  const index = compared.findIndex(({ is }) => is === 'conflict');
  if (index < 0) return;
  throw new Refusal('receipt_conflict', undefined, { receipt_id: submitted[index]?.task.receipt_id, index });
}

/** @throws Refusal invalid_receipt where a new receipt states what may not follow an earlier statement of the workspace */
function requireTransitions(
  submitted: readonly SubmittedTask[],
  compared: readonly Comparison[],
  before: Statements,
): void {
  const batch = new Map<string, ReturnType<typeof statementsOf>[number]>();
  for (const [index, { task }] of submitted.entries()) {
    if (compared[index]?.is !== 'new') continue;
    for (const one of statementsOf(task.market)) {
      const key = keyOfStated(one);
      const fault = transitionFault(batch.get(key) ?? before.get(key), one);
      if (fault !== null) throw invalidStatement(index, `market.${one.type}.status`, fault);
      batch.set(key, one);
    }
  }
}

function invalidStatement(index: number, path: string, message: string): Refusal {
  return new Refusal('invalid_receipt', `${path} ${message}.`, { index, issues: [{ path, message }] });
}

/** The answer for each receipt of the batch, in the order in which they were sent. */
function answerOf(compared: readonly Comparison[], linked: readonly Linked[]): readonly TaskRecorded[] {
  let next = 0;
  const own: (Linked | undefined)[] = [];
  return compared.map((one, index) => {
    if (one.is === 'new') {
      own[index] = linked[next];
      next += 1;
    }
    const first = one.is === 'new' ? own[index] : typeof one.of === 'number' ? own[one.of] : one.of;
    if (first?.entry.kind !== 'task') throw new Error(`no task receipt was recorded for place ${index} of the batch`);
    return shapeOf(first.entry, first.hash, one.is !== 'new');
  });
}

function shapeOf(entry: Extract<Linked['entry'], { kind: 'task' }>, hash: string, duplicate: boolean): TaskRecorded {
  return {
    id: entry.receipt_id,
    receipt_id: entry.body.task.receipt_id,
    receipt_hash: hash,
    seq: entry.seq,
    hash,
    prev_hash: entry.prev_hash,
    scope_violations: entry.body.scope_violations,
    duplicate,
  };
}

/**
 * Whether a submitted task receipt is new, and if not, which one has its id: a receipt in the ledger, or the one at an
 * earlier place of the same batch.
 */
type Comparison = { readonly is: 'new' } | { readonly is: 'duplicate' | 'conflict'; readonly of: TaskState | number };

/** Compares the task receipts of a batch with those in the ledger and with those before them in the batch, by their ids. */
function compareTasks(
  submitted: readonly SubmittedTask[],
  recorded: Tasks,
  sentDigest: SentDigest,
): readonly Comparison[] {
  const first = new Map<string, number>();
  return submitted.map((task, index) => {
    const id = task.task.receipt_id;
    const before = recorded.get(id);
    if (before) return { is: isSame(before, task, sentDigest) ? 'duplicate' : 'conflict', of: before };
    const earlier = first.get(id);
    if (earlier !== undefined) {
      const same = submitted[earlier]?.canonical === task.canonical;
      return { is: same ? 'duplicate' : 'conflict', of: earlier };
    }
    first.set(id, index);
    return { is: 'new' };
  });
}

/** Of a receipt whose private text was erased, only the members that the schema names can be compared. */
function isSame({ entry, salt }: TaskState, task: SubmittedTask, sentDigest: SentDigest): boolean {
  if (salt !== null) return sentDigest(salt, task.canonical) === entry.body.sent_digest;
  return canonical(entry.body.task) === canonical(task.task);
}
