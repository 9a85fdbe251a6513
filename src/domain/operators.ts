import { emailKey } from './email.js';

/**
 * The people who run the service: those with these addresses, in the form in which addresses are compared. Null where the
 * setting OPERATORS names no one, and the owners of the workspace of the first start run it.
 */
export type NamedOperators = ReadonlySet<string> | null;

/** A person who may be an operator. */
export interface Candidate {
  readonly emailKeys: readonly string[];
  /** Whether the person is an owner of the workspace of the first start. */
  readonly ownsFirst: boolean;
}

export function isOperator(named: NamedOperators, { emailKeys, ownsFirst }: Candidate): boolean {
  return named === null ? ownsFirst : emailKeys.some((key) => named.has(key));
}

/**
 * Whether this caller may not make the account of this address. The one who makes an account chooses its password, so an
 * administrator of any workspace could otherwise make the account of an operator and sign in with it.
 */
export function isReserved(
  named: NamedOperators,
  email: string,
  caller: { readonly isInFirst: boolean; readonly isOperator: boolean },
): boolean {
  return (named?.has(emailKey(email)) ?? false) && !caller.isInFirst && !caller.isOperator;
}
