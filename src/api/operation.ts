import type { z } from 'zod';
import { type ErrorCode, Refusal } from '../../contracts/errors.js';
import { type Fields, type InputOf, readFields, refuseOversized, refuseUnknown } from '../../contracts/input.js';
import type { Searched } from '../../projections/search/queries.js';
import type { Transaction } from '../adapters/database/database.js';
import type { Imports } from '../commands/imports.js';
import type { Answer, RequestKey } from '../commands/once.js';
import type { Prove } from '../commands/prove.js';
import type { Run } from '../commands/run.js';
import type { Search } from '../commands/search.js';
import type { Vault } from '../commands/vault.js';
import type { ReadTarget } from '../commands/webhooks.js';
import type { Access, Caller } from '../domain/caller.js';
import type { Cursors } from '../domain/cursor.js';
import type { JsonObject, RefusedJson } from '../domain/json-text.js';
import type { RedactedWriting, Writing } from '../domain/redaction/memory.js';
import type { World } from '../world.js';
import type { Described } from './described.js';
import type { AddressLimit, Counted } from './rate-limits.js';
import type { RequestKeys } from './request-keys.js';

/** What endpoints work with; wired in app.ts. */
export interface Services {
  readonly world: World;
  readonly run: Run;
  readonly search: Search;
  /** What opens the commitments to texts before they are shown. */
  readonly vault: Vault;
  /** What finds the memories that a query may be about. */
  readonly searched: Searched;
  readonly cursors: Cursors;
  /** One consistent look at the read models. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A change of rows that are progress and not history, such as jobs. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  readonly requestKeys: RequestKeys;
  readonly prove: Prove;
  /** Reads a body as a JSON object, a large one in a thread. @throws Refusal rate_limited, not_ready */
  readJson(body: Uint8Array): Promise<JsonObject | RefusedJson>;
  /** See Passwords. @throws Refusal rate_limited, not_ready */
  readonly hashPassword: (password: string, like?: string) => Promise<string>;
  readonly imports: Imports;
  /** What callers wrote, without sensitive values. @throws Refusal rate_limited */
  redact(writing: Writing): Promise<RedactedWriting>;
  readonly readTarget: ReadTarget;
  /** Waits until nothing of these deleted memories is left in the search index; of very much for 20 seconds only. */
  removed(memoryIds: readonly string[]): Promise<void>;
  /** Tells the deliveries that there is one to be sent. */
  wakeDeliveries(): void;
  /** Tells the pipeline that there is work, so that it need not wait for its next look. */
  wakePipeline(): void;
}

/** A request as an endpoint sees it: checked, and with the text of each object and list of the body. */
export interface Incoming<Q, B> {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  readonly texts: ReadonlyMap<string, string>;
  /** For a POST with an Idempotency-Key. */
  readonly once: RequestKey;
}

interface Definition<Q extends Fields, B extends Fields> extends Described {
  readonly access: Access;
  /** What it takes from the workspace's budget of requests; unset for a read. */
  readonly counted?: Counted;
  readonly query: Q;
  /** `{}` for an endpoint that takes no body: what is sent to it must be nothing, or an object without members. */
  readonly body: B;
  /** What a body member that is not among `body` is refused with, where that is not invalid_request. */
  readonly unknown?: ErrorCode;
  /** Whether the request must name a linked agent. */
  readonly needsAgent?: true;
  /** A limit for each client address, besides the one that holds for every route. */
  readonly addressLimit?: AddressLimit;
  readonly answers: Readonly<Record<number, z.ZodType>>;
  handle(request: Incoming<InputOf<Q>, InputOf<B>>, services: Services): Promise<Answer>;
}

/** A request before anything but its credential, scope and budget has been looked at. */
export interface RawRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly body: Uint8Array;
  readonly idempotencyKey: string | undefined;
}

export interface Endpoint extends Omit<Definition<Fields, Fields>, 'handle'> {
  answer(request: RawRequest, services: Services): Promise<Answer>;
}

/** Binds a handler to the checks before it: JSON, then the fields in their order. */
export function endpoint<Q extends Fields, B extends Fields>(definition: Definition<Q, B>): Endpoint {
  return {
    ...definition,
    async answer({ caller, params, query, url, body, idempotencyKey }, services) {
      // A DELETE may say in its query what it says in its body, and then it has none.
      const optional = definition.method === 'DELETE' || Object.keys(definition.body).length === 0;
      const json = body.length === 0 && optional ? nothing : accepted(definition, await services.readJson(body));
      return definition.handle(
        {
          caller,
          params,
          query: readFields(definition.query, query),
          body: readFields(definition.body, json.value),
          texts: json.texts,
          once: definition.method === 'POST' ? services.requestKeys(caller, idempotencyKey, url, body) : null,
        },
        services,
      );
    },
  };
}

const nothing: JsonObject = { value: {}, texts: new Map(), sizes: new Map() };

/** Refuses what is no JSON object, then members that the call does not take, then those that are too large. */
function accepted(
  { body: fields, unknown = 'invalid_request' }: Pick<Definition<Fields, Fields>, 'body' | 'unknown'>,
  read: JsonObject | RefusedJson,
): JsonObject {
  refuseUnknown(fields, read.sizes.keys(), unknown);
  refuseOversized(fields, read.sizes);
  if ('refused' in read) throw new Refusal('invalid_json', read.refused);
  return read;
}
