import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/errors.js';
import type { Fields } from '../../contracts/input.js';
import type { Access } from '../domain/caller.js';

/** An answer that is not JSON. */
export interface Plain {
  readonly mediaType: string;
  readonly description: string;
}

/**
 * What a route says of itself to the description of the API. An endpoint says it of itself; a route that is added to the
 * server directly has an object of this kind beside it.
 */
export interface Described {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters, and `*` for one that goes on to the end. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access | 'a session' | 'anybody';
  readonly query: Fields;
  /** A schema where the body is read by something else than its fields. */
  readonly body: Fields | z.ZodType;
  /** What a body member that is not among `body` is refused with, where that is not invalid_request. */
  readonly unknown?: ErrorCode;
  /** Status → what it comes with: a shape of JSON, or what is not JSON. */
  readonly answers: Readonly<Record<number, z.ZodType | Plain>>;
  /** The refusals of this route beyond those that its kind of routes has. */
  readonly refusals: readonly ErrorCode[];
}
