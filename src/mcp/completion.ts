import type { Calling } from './tool.js';

/** The value that is being typed, and where it will be used. */
export interface Completing {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'resource'; readonly uriTemplate: string };
  /** The argument of the prompt, or the variable of the template. */
  readonly argument: { readonly name: string; readonly value: string };
}

export interface Completion {
  /** At most 100. */
  readonly values: readonly string[];
  /** The number of all values that match, where it is known. */
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** Proposes values. @throws Refusal with status 400 or 404 for a prompt or a template that does not exist */
export type Complete = (completing: Completing, calling: Calling) => Promise<Completion>;
