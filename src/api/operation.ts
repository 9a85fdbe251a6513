import { z } from 'zod';
import { type ErrorCode, Refusal } from '../../contracts/errors.js';
import {
  type Fields,
  gathered,
  type InputOf,
  readFields,
  refuseOversized,
  refuseUnknown,
} from '../../contracts/input.js';
import { runBy } from '../commands/by-caller.js';
import type { RequestKey } from '../commands/once.js';
import { recordedReceipts } from '../commands/recorded-receipts.js';
import type { Access, Caller } from '../domain/caller.js';
import type { JsonObject, RefusedJson } from '../domain/read-json.js';
import type { Answer, AnswerOf, Answers, SignInAttempt } from './answer.js';
import type { Documentation } from './documentation.js';
import { refuseMisread } from './query.js';
import { type AddressLimit, type Counted, clientOf } from './rate-limits.js';
import { requireOperator } from './service/require-operator.js';
import type { Services } from './services.js';
import type { Serving } from './serving.js';
import type { OpenSession, PersonSession, SessionToken } from './session/sessions.js';

/**
 * The clients that may call an operation: callers of a workspace with such rights, people who are signed in to a workspace (`a session`)
 * or at all (`a person`), or anyone. Requests of `a person` count in the budget of that person.
 */
export type Audience = Access | 'a session' | 'a session cookie' | 'a person' | 'a person or anyone' | 'anybody';

/** The identity of a client, as an operation sees it. */
type Who<A extends Audience> = A extends Access
  ? { readonly caller: Caller }
  : A extends 'a session'
    ? { readonly session: OpenSession }
    : A extends 'a session cookie'
      ? { readonly session: SessionToken }
      : A extends 'a person'
        ? { readonly person: PersonSession }
        : A extends 'a person or anyone'
          ? { readonly person: PersonSession | null }
          : { readonly anybody: true };

/** The facts about a client that every transport knows, with or without an identity. */
export interface Client {
  /** The network address that requests are counted by. */
  readonly address: string;
  /** The family of the browser, see `browserOf`; null for another client. */
  readonly browser: string | null;
  /** The session that the client already has; null where it has none. */
  session(): Promise<SessionToken | null>;
  signInAttempt(state: string): Promise<SignInAttempt | null>;
}

/** A body that is not read as fields: its bytes are for the handler. `schema` describes it, or is null where none is expected. */
export interface Bytes {
  readonly kind: 'bytes';
  readonly schema: z.ZodType | null;
}

export const bytes = (schema: z.ZodType | null): Bytes => ({ kind: 'bytes', schema });

export function isBytes(body: Fields | Bytes): body is Bytes {
  return body.kind === 'bytes';
}

/** How the client says that the body is written. Both are lower case and empty where they are absent. */
export interface ContentHeaders {
  /** The media type without its parameters. */
  readonly type: string;
  readonly encoding: string;
}

/** A request as a handler sees it: checked, and with the text of each object and list of the body. */
type Incoming<A extends Audience, Q extends Fields, B extends Fields | Bytes> = Who<A> & {
  readonly client: Client;
  readonly params: Readonly<Record<string, string>>;
  readonly query: InputOf<Q>;
  /** The query as it was sent. */
  readonly queryText: string;
  readonly body: B extends Fields ? InputOf<B> : Uint8Array;
  readonly content: ContentHeaders;
  readonly texts: ReadonlyMap<string, string>;
  /** For a POST with an Idempotency-Key. */
  readonly once: RequestKey;
  /** For how many seconds the client prefers to wait; null where it has said nothing. */
  readonly preferredWait: number | null;
  readonly signal: AbortSignal | undefined;
  /** The receipt of the last entry that the call has recorded until now. */
  lastReceipt(): string | null;
};

/** How long a client prefers to wait, and whether it still does. */
export interface Patience {
  readonly seconds: number;
  readonly signal: AbortSignal;
}

type NoFields = Readonly<Record<never, never>>;

/** All there is to say about an operation, in one object. */
interface Definition<
  A extends Audience,
  Q extends Fields,
  B extends Fields | Bytes,
  R extends Answers,
  T extends AnswerOf<R>,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters, and `*` for the rest of the path. */
  readonly path: string;
  readonly summary: string;
  readonly access: A;
  /** The budget of the workspace that a request counts in; absent for a read. */
  readonly counted?: Counted;
  /** Whether the request must name a linked agent. */
  readonly needsAgent?: true;
  /** A limit for each client address, besides the one that holds for every operation. */
  readonly addressLimit?: AddressLimit;
  /** Whether requests that pages of other sites make are refused although no session is needed. */
  readonly sameSite?: true;
  /** How HTTP serves it, where that is not as most operations are served. */
  readonly serving?: Serving;
  readonly query?: Q;
  /** Absent for an operation without a body: what is sent to it must be nothing, or an object without members. */
  readonly body?: B;
  /** The media type of another encoding of body and answer besides JSON. Its body is bytes, and its answer is `Encoded`. */
  readonly alsoEncodedAs?: string;
  /** The most bytes of a body, where that is not the limit of all bodies. */
  readonly bodyLimit?: number;
  /** The most bytes of an answer, where it may be large: such answers are made for several owners alternately. */
  readonly answerBytes?: number;
  /** The code that refuses an unknown member of the body, where that is not invalid_request. */
  readonly unknown?: ErrorCode;
  readonly answers: R;
  /** Whether its query is written by another service, which may add parameters. The query of all others has only those that it names. */
  readonly foreignQuery?: true;
  /** The refusals of this operation beyond those that its audience and method have. */
  readonly refusals: readonly ErrorCode[];
  readonly documentation: Documentation;
  /** Waits for what its answer has begun, for a client that prefers that. @returns the answer as it is then */
  settle?(answer: Answer, patience: Patience, services: Services): Promise<Answer>;
  handle(request: Incoming<A, Q, B>, services: Services): Promise<T>;
}

/** The identity of the client, as the transport has found out. */
export type Identity = Who<Audience>;

/** The owner of a request's work, see `Task`: the workspace, or the network of a client without one. */
export const ownerOf = (who: Identity, { address }: Pick<Client, 'address'>): string =>
  'caller' in who ? who.caller.workspaceId : clientOf(address);

/** A request of which nothing but who sends it, the rights and the budget has been looked at. */
export interface RawRequest {
  readonly who: Identity;
  readonly client: Client;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly queryText: string;
  /** A repetition of a request has the same URL and the same body. */
  readonly url: string;
  readonly body: Uint8Array;
  readonly content: ContentHeaders;
  readonly idempotencyKey: string | undefined;
  /** For how many seconds the client prefers to wait; null or absent where it has said nothing. */
  readonly preferredWait?: number | null | undefined;
  /** Ends when the answer is not needed any more, where the transport knows that. */
  readonly signal?: AbortSignal | undefined;
}

type AnyDefinition = Definition<Audience, Fields, Fields | Bytes, Answers, Answer>;

/** An operation of the API, independent of the transport that serves it. */
export interface Operation extends Omit<AnyDefinition, 'handle' | 'query' | 'body' | 'serving'> {
  readonly serving: Serving;
  readonly query: Fields;
  readonly body: Fields | Bytes;
  answer(request: RawRequest, services: Services): Promise<Answer>;
}

/** An operation for callers of a workspace. */
export type WorkspaceOperation = Operation & { readonly access: Access };

export function isForWorkspaces(operation: Operation): operation is WorkspaceOperation {
  return isAccess(operation.access);
}

const ofNoWorkspace: ReadonlySet<Audience> = new Set<Audience>([
  'a session',
  'a session cookie',
  'a person',
  'a person or anyone',
  'anybody',
]);

function isAccess(access: Audience): access is Access {
  return !ofNoWorkspace.has(access);
}

/** Binds a handler to the checks before it: JSON, then the fields in their order. */
export function operation<
  A extends Audience,
  R extends Answers,
  const T extends AnswerOf<R>,
  Q extends Fields = NoFields,
  B extends Fields | Bytes = NoFields,
>(definition: Definition<A, Q, B, R, T>): Operation & { readonly access: A };
export function operation(definition: AnyDefinition): Operation {
  const { query: queryFields = {}, body: bodyFields = {}, serving = {}, access } = definition;
  return {
    ...definition,
    serving,
    query: queryFields,
    body: bodyFields,
    async answer(request, services) {
      const { who, client, params, queryText, content } = request;
      if (!takesAnyQuery(definition)) refuseMisread(queryFields, request.query, queryText);
      if (access === 'see operations' && 'caller' in who) await requireOperator(services, who.caller);
      const json = isBytes(bodyFields) ? noJson : await readBody(definition, bodyFields, request, services);
      const isCaller = 'caller' in who;
      const { reading, writing } = services;
      const repeatable = isCaller && definition.method === 'POST';
      const recorded = recordedReceipts(writing.run);
      const incoming = {
        ...who,
        lastReceipt: recorded.last,
        client,
        params,
        query: readFields(queryFields, gathered(queryFields, request.query)),
        queryText,
        content,
        body: isBytes(bodyFields) ? request.body : readFields(bodyFields, json.value),
        texts: json.texts,
        preferredWait: request.preferredWait ?? null,
        signal: request.signal,
        once: repeatable ? writing.requestKeys(who.caller, request.idempotencyKey, request.url, request.body) : null,
      };
      const run = isCaller && isAccess(access) ? runBy(recorded.run, who.caller, access) : recorded.run;
      const handle = () => definition.handle(incoming, { ...services, writing: { ...writing, run } });
      const { answerBytes } = definition;
      const answer =
        answerBytes === undefined
          ? await handle()
          : await reading.largeAnswers({ owner: ownerOf(who, client), bytes: answerBytes }, handle);
      const receipt = recorded.last();
      return receipt === null ? answer : { ...answer, receipt };
    },
  };
}

/** The probes of monitors are outside of the API, and tools add parameters of their own to them. */
export function takesAnyQuery({ path, foreignQuery }: Pick<AnyDefinition, 'path' | 'foreignQuery'>): boolean {
  return foreignQuery === true || !path.startsWith('/v1/');
}

const noJson: JsonObject = { value: {}, texts: new Map(), sizes: new Map() };

async function readBody(
  { method, unknown = 'invalid_request' }: AnyDefinition,
  fields: Fields,
  { who, client, body }: RawRequest,
  { writing: { readJson } }: Services,
): Promise<JsonObject> {
  // A DELETE may say in its query what it says in its body, and then it has none.
  const optional = method === 'DELETE' || Object.keys(fields).length === 0;
  return body.length === 0 && optional ? noJson : accepted(fields, unknown, await readJson(ownerOf(who, client), body));
}

/** Refuses what is no JSON object, then members that the call does not take, then those that are too large. */
function accepted(fields: Fields, unknown: ErrorCode, read: JsonObject | RefusedJson): JsonObject {
  refuseUnknown(fields, read.sizes.keys(), unknown);
  refuseOversized(fields, read.sizes);
  if ('refused' in read) throw new Refusal('invalid_json', read.refused);
  return read;
}

/** Whether the answers with a status are JSON. */
export function isJson(answer: Answers[number]): answer is z.ZodType {
  return answer instanceof z.ZodType;
}
