import { createHash } from 'node:crypto';
import type { StoredAnswer } from '../../contracts/entries/recorded.js';
import { Refusal } from '../../contracts/errors.js';
import { RawJson, stringify } from '../base/json-text.js';
import type { Transaction } from '../database/database.js';
import { storeAnswers, storedAnswers } from '../ledger/answers.js';
import type { Command } from './command.js';
import { nothing } from './record.js';

/** A request that may be repeated under one key, see StoredAnswer. Null for one that may not. */
export type RequestKey = Keyed | null;

/** The key of a request that may be repeated. */
export interface Keyed extends Pick<StoredAnswer, 'requestKey' | 'digest'> {
  /** The keys of all parts of a request that is carried out in parts, and has one answer for each. */
  readonly partKeys?: readonly string[];
}

/**
 * One key for each part of a request. As soon as one part is answered, all keys belong to this request: the parts of another
 * one are refused, however the two come together.
 * @param most the greatest number of parts that a request under this key can have
 */
export function keysOfParts({ requestKey, digest }: Keyed, most: number): readonly Keyed[] {
  const parts = Array.from({ length: most }, (_, at) =>
    createHash('sha256').update(`${requestKey}\n${at}`).digest('hex'),
  );
  const partKeys = [requestKey, ...parts];
  return parts.map((part) => ({ requestKey: part, digest, partKeys }));
}

/** The answer to a caller: a status and a body that becomes JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Of the last entry that the request has recorded. Absent where the answer does not say it. */
  readonly receipt?: string | null | undefined;
}

/** The texts that an answer shows. When one of them is destroyed, the stored answer loses them. */
interface ShownTexts {
  /** @param own the receipts of the entries of this request @returns the receipts that the texts belong to */
  receipts(own: readonly string[]): readonly string[];
  /** The members of the body that are null then; unset when nothing would be left, and the request is carried out again. */
  readonly members?: readonly string[];
}

/** The statuses of answers that are stored for a repetition. */
const storedStatuses = [200, 201, 202] as const;

/** The answer to an earlier request with the same key, as it was stored. */
export interface RepeatedAnswer {
  readonly status: (typeof storedStatuses)[number];
  readonly body: RawJson;
  readonly receipt: string | null;
}

/** The same command with another answer. */
export function answering<A, const B>(command: Command<A>, render: (answer: A) => B): Command<B> {
  return {
    actor: command.actor,
    reads: command.reads,
    decide(...given) {
      const decision = command.decide(...given);
      if ('refusal' in decision) return decision;
      const { drafts, deposits, indexables = [], answer } = decision;
      return { drafts, deposits, indexables, answer: (receipts) => render(answer(receipts)) };
    },
  };
}

/**
 * Makes a command happen once however often its request is repeated: what was answered is read with the state that the
 * command is decided on and kept with its entries, so a repetition after a crash, in another process or at the same time
 * finds it, also when what was written has been deleted since. A refused command keeps nothing: it may be tried again under
 * its key.
 * @param shows the texts that the answer shows; unset when it shows none
 * @throws Refusal idempotency_key_reused, from `decide`, when the key belongs to another request
 */
export function once<A extends Answer>(
  command: Command<A>,
  request: RequestKey,
  shows?: ShownTexts,
): Command<A | RepeatedAnswer> {
  if (!request) return command;
  return {
    actor: command.actor,
    reads: { ...command.reads, answers: request.partKeys ?? [request.requestKey] },
    decide(state, recordedAt, head, indexing) {
      for (const key of request.partKeys ?? []) repetition(request, state.answers.get(key));
      const earlier = repetition(request, state.answers.get(request.requestKey));
      if (earlier) return nothing(earlier);
      const decision = command.decide(state, recordedAt, head, indexing);
      if ('refusal' in decision) return decision;
      return {
        ...decision,
        keep: (answer, receipts) =>
          kept(request, { receipt: receipts.at(-1)?.entry.receipt_id, ...answer }, recordedAt, {
            reveals: shows?.receipts(receipts.map(({ entry }) => entry.receipt_id)) ?? [],
            bodyWithout: shows?.members ? stringify(withoutMembers(answer.body, shows.members)) : null,
          }),
      };
    },
  };
}

/** The same for a change of rows that are progress and not history. */
export async function onceIn<const A extends Answer>(
  tx: Transaction,
  workspaceId: string,
  request: RequestKey,
  now: Date,
  work: () => Promise<A>,
): Promise<A | RepeatedAnswer> {
  if (!request) return work();
  const earlier = await answeredBefore(tx, workspaceId, request, now);
  if (earlier) return earlier;
  const answer = await work();
  await storeAnswers(tx, [{ ...kept(request, answer, now.toISOString()), chain: workspaceId }]);
  return answer;
}

/** The answer to an earlier request with this key, for work that must not be done again to find that out. */
export async function answeredBefore(
  tx: Transaction,
  workspaceId: string,
  request: RequestKey,
  now: Date,
): Promise<RepeatedAnswer | undefined> {
  if (!request) return undefined;
  const answers = await storedAnswers(tx, workspaceId, [request.requestKey], now);
  return repetition(request, answers.get(request.requestKey));
}

/**
 * The answers to those parts of a request that were answered before, by their place.
 * @throws Refusal idempotency_key_reused when the key belongs to another request
 */
export async function partsAnsweredBefore(
  tx: Transaction,
  workspaceId: string,
  parts: readonly Keyed[],
  now: Date,
): Promise<ReadonlyMap<number, RepeatedAnswer>> {
  const keys = parts[0]?.partKeys ?? [];
  const answers = await storedAnswers(tx, workspaceId, keys, now);
  const [first] = parts;
  for (const answer of answers.values()) if (first) repetition(first, answer);
  return new Map(
    parts.flatMap((part, at) => {
      const earlier = repetition(part, answers.get(part.requestKey));
      return earlier ? [[at, earlier] as const] : [];
    }),
  );
}

function repetition(request: Keyed, earlier: StoredAnswer | undefined): RepeatedAnswer | undefined {
  if (!earlier) return undefined;
  if (earlier.digest !== request.digest) throw new Refusal('idempotency_key_reused');
  const status = storedStatuses.find((one) => one === earlier.status);
  if (status === undefined) throw new Error(`the stored answer has the status ${earlier.status}`);
  return { status, body: new RawJson(earlier.body), receipt: earlier.receiptId };
}

const withoutMembers = (body: unknown, members: readonly string[]): object => ({
  ...(body instanceof Object ? body : {}),
  ...Object.fromEntries(members.map((member) => [member, null])),
});

function kept(
  { requestKey, digest }: Keyed,
  { status, body, receipt = null }: Answer,
  answeredAt: string,
  { reveals, bodyWithout }: Pick<StoredAnswer, 'reveals' | 'bodyWithout'> = { reveals: [], bodyWithout: null },
): StoredAnswer {
  return { requestKey, digest, status, body: stringify(body), reveals, bodyWithout, answeredAt, receiptId: receipt };
}
