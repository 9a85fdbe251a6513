import { pino } from 'pino';

/**
 * An error as the log has it: its class, sentence, code, stack and causes. Libraries attach to errors what they were doing,
 * such as a whole connection of pg, or the request and the answer of Elasticsearch with the texts of callers in it.
 */
export const loggedError = (error: unknown): unknown =>
  error instanceof Error ? scalarsOf(pino.stdSerializers.err(error)) : String(error);

function scalarsOf(given: object): object {
  const members = Object.entries(given).flatMap(([name, value]) => {
    if (Array.isArray(value)) return name === 'aggregateErrors' ? [[name, value.map(scalarsOf)]] : [];
    return typeof value === 'object' && value !== null ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}
