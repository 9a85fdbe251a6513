import { setMaxListeners } from 'node:events';
import { EventStoreDBClient, isCommandError } from '@eventstore/db-client';
import { Cancelled, DeadlinePassed, withDeadline } from '../../base/deadline.js';
import { yieldToOthers } from '../../base/steps.js';
import {
  AppendTooLarge,
  PositionRefused,
  StreamDeleted,
  StreamsRefused,
  StreamsUnavailable,
} from '../../ledger/eventstore/streams.js';
import { WrongSetting } from '../../settings/wrong-setting.js';
import type { Address } from './address.js';

/** How long a call waits for its answer at most, in milliseconds, including the calls of the client before it. */
export const patienceMs = 15_000;

export interface Connection {
  /**
   * Makes one call within a bounded time. After a call without an answer the client is discarded, because later calls of the
   * same client may wait forever. Its other calls fail with it: the client ends their reads as if their streams ended there.
   * A node that is not the leader names it, and the client goes there with the next call: so the work is then done once more.
   * @throws StreamsUnavailable, StreamsRefused, AppendTooLarge, and nothing that repeats the credentials
   */
  call<T>(what: string, work: (client: EventStoreDBClient) => Promise<T>): Promise<T>;
  /** The error of a call that continues after its answer, such as a subscription; the client is discarded for it as for others. */
  failure(client: EventStoreDBClient, what: string, error: unknown): Error;
  isUp(): boolean;
  /** How often a client was discarded. */
  losses(): number;
  close(): Promise<void>;
}

/** @throws WrongSetting for a connection string that the client cannot read */
export function openConnection(address: Address, waitMs: number): Connection {
  const { credentials } = address;
  let current: Used | null = newClient(address);
  let closed = false;
  let isUp = true;
  let losses = 0;

  function discard(used: Used): void {
    if (current === used) current = null;
    if (used.discarded.signal.aborted) return;
    losses += 1;
    used.discarded.abort();
    endClient(used.client).catch(() => undefined);
  }

  function fail(used: Used, what: string, error: unknown): Error {
    const failure = failureOf(error, what, credentials?.password);
    if (isSilence(error)) discard(used);
    isUp = isAnswer(failure);
    return failure;
  }

  return {
    async call(what, work) {
      if (closed) throw new StreamsUnavailable('the connection to EventStoreDB is closed');
      current ??= newClient(address);
      const used = current;
      const { signal } = used.discarded;
      try {
        const result = await withDeadline(waitMs, () => onLeader(() => work(used.client)), signal);
        isUp = true;
        return result;
      } catch (error) {
        throw fail(used, what, ofWaiting(error, what));
      }
    },
    failure(client, what, error) {
      if (current?.client === client) return fail(current, what, error);
      return failureOf(error, what, credentials?.password);
    },
    isUp: () => isUp,
    losses: () => losses,
    async close() {
      closed = true;
      const used = current;
      current = null;
      used?.discarded.abort();
      if (used) await endClient(used.client).catch(() => undefined);
    },
  };
}

/** The error of a call, in the words for a wait that has ended. */
function ofWaiting(error: unknown, what: string): unknown {
  if (error instanceof DeadlinePassed) return new Silent(what, error.ms);
  if (error instanceof Cancelled) return new StreamsUnavailable(`the connection to EventStoreDB was lost: ${what}`);
  return error;
}

interface Used {
  readonly client: EventStoreDBClient;
  /** Aborted when the client is discarded, which ends the calls that it is making. */
  readonly discarded: AbortController;
}

async function onLeader<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && isCommandError(error) && error.type === 'not-leader')) throw error;
    // The client connects to the leader in a later step of its own.
    await yieldToOthers();
    return work();
  }
}

/** Whether the server has answered, although not with a result. */
const isAnswer = (failure: Error): boolean =>
  !(failure instanceof StreamsUnavailable) || failure instanceof PositionRefused || failure instanceof StreamDeleted;

class Silent extends StreamsUnavailable {
  constructor(what: string, ms: number) {
    super(`EventStoreDB has not answered within ${ms / 1000} s: ${what}`);
  }
}

/** Whether it is not known that the connection works: the server was silent, or the error is none of the protocol. */
const isSilence = (error: unknown): boolean =>
  error instanceof Silent ||
  !(error instanceof Error && isCommandError(error)) ||
  ['deadline-exceeded', 'unavailable'].includes(error.type);

function newClient({ withoutCredentials }: Address): Used {
  const discarded = new AbortController();
  // Each call listens while it runs, and Node would warn of more than ten.
  setMaxListeners(0, discarded.signal);
  try {
    return { client: EventStoreDBClient.connectionString(withoutCredentials), discarded };
  } catch (error) {
    const [said = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new WrongSetting(`EVENTSTORE_URL is wrong: ${said.replace(/\.+$/, '')}.`);
  }
}

/** The client cancels its calls, but leaves its connection open, which would keep a process alive. */
async function endClient(client: EventStoreDBClient): Promise<void> {
  // biome-ignore lint/complexity/useLiteralKeys: the member is protected.
  const channel = client['getChannel']();
  // A stream that never ends would keep it waiting.
  void client.dispose().catch(() => undefined);
  (await channel).close();
}

/** An error without the objects of the client, whose members may hold what was sent. */
function failureOf(error: unknown, what: string, password: string | undefined): Error {
  if (error instanceof StreamsUnavailable || error instanceof AppendTooLarge) return error;
  const type = error instanceof Error && isCommandError(error) ? error.type : 'failure';
  const said = error instanceof Error ? error.message : String(error);
  const text = password ? said.replaceAll(password, '…') : said;
  if (type === 'maximum-append-size-exceeded')
    return new AppendTooLarge(`EventStoreDB takes no append of this size: ${text}`);
  const sentence = `EventStoreDB could not ${what} (${type}): ${text}`;
  if (type === 'access-denied') return new StreamsRefused(sentence);
  if (type === 'stream-deleted') return new StreamDeleted(sentence);
  return isPositionRefused(text) ? new PositionRefused(sentence) : new StreamsUnavailable(sentence);
}

/** The server says so in different words to a read and to a subscription, and in no field. */
const isPositionRefused = (text: string): boolean => /\bInvalidPosition\b|\binvalid position\b/i.test(text);
