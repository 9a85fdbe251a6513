import { randomUUID } from 'node:crypto';

/** The header of every answer, and the member of every refusal, that an operator finds the request in the log by. */
export const requestIdHeader = 'x-request-id';

/** Ids are made here: one that a caller chose could be the id of another request. */
export const newRequestId = (): string => randomUUID();

/** The caller's own id of a request, for the log only. @returns undefined for text that is not safe on a terminal */
export function callersRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[!-~]{1,128}$/.test(header) ? header : undefined;
}
