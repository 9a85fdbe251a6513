import { type ErrorCode, errors } from '../../../contracts/errors.js';
import type { Operation } from '../../api/operation.js';
import { samples } from '../../api/samples.js';
import { answerHeadersOf } from './headers.js';
import { errorCodes, refusalsOf } from './refusals.js';
import type { Reference, ResponseObject, Schema } from './shape.js';

/** Describes refusals, and names those that several operations share. */
export interface Refusals {
  /** The refusals of a route by their status. */
  of(route: Operation): Readonly<Record<string, ResponseObject | Reference>>;
  /** Name → answer, of all that was referred to until now. */
  named(): Readonly<Record<string, ResponseObject>>;
}

/** With more codes than these an answer is of one operation only, and has no name. */
const codesInName = 3;

export function createRefusals(): Refusals {
  const components = new Map<string, ResponseObject>();

  function of(route: Operation): Record<string, ResponseObject | Reference> {
    return Object.fromEntries(
      [...codesByStatus(refusalsOf(route))].map(([status, codes]) => {
        const answer = refusal(route, status, codes);
        if (codes.length > codesInName) return [status, answer];
        const name = codes.join('_or_');
        components.set(name, answer);
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  return { of, named: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** One status: its codes, and a sentence for each of them. */
function refusal(route: Operation, status: number, codes: readonly ErrorCode[]): ResponseObject {
  const headers = answerHeadersOf(route, status);
  // One of them shows the form, and the sentences above say the rest.
  const examples = Object.fromEntries(codes.slice(0, 1).map((code) => [code, { value: bodyOf(code) }]));
  return {
    description: codes.map((code) => `- \`${code}\`: ${errors[code][1]}`).join('\n'),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName(status)}` }, examples } },
  };
}

function bodyOf(code: ErrorCode): unknown {
  const request_id = samples.request;
  const [status, message]: readonly [number, string] = errors[code];
  if (status !== 402) return { error: { code, message, details: {}, request_id } };
  return { error: code, message, current_plan: 'free', limit: 10_000, used: 10_000, request_id };
}

/** One schema for each status: a schema for each answer would be a type of its own in every generated client. */
const schemaName = (status: number): string => `Error${status}`;

/** Name → schema of the refusals with each status. The body of a plan's limit is another one than that of every other refusal. */
export function refusalSchemas(): Readonly<Record<string, Schema>> {
  const schemas: Record<string, Schema> = {};
  for (const [status, codes] of codesByStatus(errorCodes)) {
    const code = { type: 'string', enum: codes };
    const error = status === 402 ? code : { type: 'object', properties: { code } };
    const shape = status === 402 ? 'PlanLimit' : 'MemoryError';
    schemas[schemaName(status)] = {
      description: `A refusal with ${status}.`,
      allOf: [{ $ref: `#/components/schemas/${shape}` }, { type: 'object', properties: { error } }],
    };
  }
  return schemas;
}

function codesByStatus(codes: readonly ErrorCode[]): ReadonlyMap<number, readonly ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const [status] = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
