import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { RawJson } from '../base/json-text.js';
import type { RepeatedAnswer } from '../commands/once.js';
import type { ContentCoding, EncodedFeed } from '../domain/market/feeds/served.js';

/** An answer that is not JSON. */
export interface Media {
  /** The content type with its parameters. */
  readonly contentType: string;
  readonly description: string;
}

/** A body in the other encoding that an operation has besides JSON (see `alsoEncodedAs`). */
export class Encoded {
  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** A body of JSON that is there in several encodings: the transport asks for the one that the client takes. */
export class Representations {
  constructor(readonly of: (coding: ContentCoding) => EncodedFeed | Promise<EncodedFeed>) {}
}

/** Status → the shape of the answers with this status. */
export type Answers = Readonly<Record<number, z.ZodType | Media>>;

/** Values that the browser stores: null removes one. */
export interface Cookies {
  readonly session?: { readonly id: string; readonly expiresAt: Date } | null;
  /** A sign-in that begins, or the state of one that has ended. */
  readonly signInAttempt?: SignInAttempt | { readonly ended: string };
}

/** The secrets of a sign-in with an OpenID Connect provider, which the browser stores until it returns from the provider. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The page with which the browser continues, where the sign-in was begun by one. */
  readonly next?: string | undefined;
}

export interface Answer<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Cookies;
  /** The receipt of the last entry that the call has recorded, also where the body does not show it. */
  readonly receipt?: string | null | undefined;
  /** Whether a transport may compress the body for a client that asks for that; a short one only where it says so. */
  readonly compressible?: boolean | 'also short';
}

/** A value of a shape as a handler gives it: objects may be JSON text already, and lists may be readonly. */
export type Written<T> = T extends readonly (infer E)[]
  ? readonly Written<E>[]
  : T extends object
    ? { readonly [K in keyof T as NamedKey<K>]: Written<T[K]> } | RawJson
    : T;

/** The keys that a shape names. Other members of a record are not checked. */
type NamedKey<K> = string extends K ? never : K;

type BodyOf<T> = T extends z.ZodType
  ? Written<z.output<T>> | Encoded | Representations
  : string | Uint8Array | Readable;

/** The answer of a handler: a status of the operation with the body of that status, or a stored answer. */
export type AnswerOf<A extends Answers> =
  | { [S in keyof A & number]: Answer<S, BodyOf<A[S]>> }[keyof A & number]
  | RepeatedAnswer;
