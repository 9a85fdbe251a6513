import { z } from 'zod';
import { type ErrorCode, errors } from '../../../contracts/errors.js';
import { isForWorkspaces, type Operation, takesAnyQuery } from '../../api/operation.js';
import { refusalsOfAccess } from '../../domain/caller.js';

/** Any operation may be called badly or too often, may fail, and may be stopping. */
const always: readonly ErrorCode[] = [
  'request_timeout',
  'headers_too_large',
  'rate_limited',
  'internal_error',
  'not_ready',
];
/** Every credential can be wrong in these ways, and so can the headers that are read with it. */
const credential: readonly ErrorCode[] = [
  'unauthorized',
  'session_expired',
  'credential_not_supported',
  'no_workspace',
  'agent_not_linked',
  'invalid_request',
];

/** Every code that a route may answer, in the order of the table of errors. */
export function refusalsOf(route: Operation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([...route.refusals, ...byRule(route)]);
  return errorCodes.filter((code) => codes.has(code));
}

export const errorCodes: readonly ErrorCode[] = Object.keys(errors).filter((code) => isErrorCode(code));

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code);
}

function byRule(operation: Operation): ErrorCode[] {
  const { method, path, access, needsAgent, sameSite } = operation;
  if (!path.startsWith('/v1/')) return [];
  const codes: ErrorCode[] = [...always];
  // Of a parameter that it does not take.
  if (!takesAnyQuery(operation)) codes.push('invalid_request');
  // An address with a parameter may be written so that it cannot be read.
  if (/[:*]/.test(path)) codes.push('route_not_found');
  // Of a body that is too long or compressed in another way than it says.
  if (method !== 'GET') codes.push('body_too_large', 'invalid_json', 'invalid_request');
  if (access === 'a person or anyone') return codes;
  if (access === 'anybody') return sameSite ? [...codes, 'csrf'] : codes;
  if (isForWorkspaces(operation)) {
    codes.push(...credential, ...refusalsOfAccess(operation.access));
    if (needsAgent) codes.push('agent_required');
    if (method === 'POST') codes.push('idempotency_key_reused');
  } else {
    codes.push('unauthorized', 'session_expired');
    if (access === 'a session') codes.push('no_workspace');
  }
  if (method !== 'GET') codes.push('csrf');
  return codes;
}

const request_id = z
  .string()
  .describe('The id of the request in the log of the service; also in the header x-request-id.');

export const memoryError = z
  .object({
    error: z.object({
      code: z.string().describe('The code; its meaning does not change.'),
      message: z.string().describe('For people; it may change.'),
      details: z.record(z.string(), z.unknown()).describe('Depends on the code, such as limit_bytes or approval_id.'),
      request_id,
    }),
  })
  .meta({ id: 'MemoryError', description: 'Why a call was refused.' });

export const planLimit = z
  .object({
    error: z.string().describe('The code of the limit of the plan.'),
    message: z.string(),
    current_plan: z.string(),
    limit: z.int(),
    used: z.int(),
    request_id,
  })
  .meta({ id: 'PlanLimit', description: 'A limit of the plan was reached; nothing was written.' });
