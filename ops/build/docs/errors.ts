import { errors } from '../../../contracts/errors.js';
import { code, page, table } from './markdown.js';

/** The reference of the error codes, from the table of refusals. */
export function errorReference(): string {
  const lead =
    'Every refusal has the body `{"error": {"code", "message", "details", "request_id"}}`, except those with status 402, which have\n' +
    'the limit of the plan. Compare the code, which keeps its meaning. The message is for people and may change; where a request\n' +
    'has more to say, it differs from the one below.';
  const all = Object.entries(errors).map(([name, [status, message]]) => ({ name, status, message }));
  const statuses = [...new Set(all.map(({ status }) => status))].sort((a, b) => a - b);
  const parts = statuses.map((status) => {
    const rows = all.filter((one) => one.status === status).map(({ name, message }) => [code(name), message]);
    return `## ${status} ${names[status]}\n\n${table(['code', 'message'], rows)}`;
  });
  return page('Error codes', lead, parts);
}

type Status = (typeof errors)[keyof typeof errors][0];

const names: Readonly<Record<Status, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  402: 'Limit of the plan',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported type',
  422: 'Not processable',
  423: 'Paused',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  502: 'Address not reachable',
  503: 'Not available',
};
