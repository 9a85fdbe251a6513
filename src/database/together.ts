import type { Transaction, Value } from './database.js';

/** The answers of those who wait for a statement that is not sent yet. */
interface Waiting {
  readonly sql: string;
  readonly params: readonly Value[];
  done(): void;
  failed(error: unknown): void;
}

/**
 * How many characters of parameters one statement has at most. A longer one occupies the thread for too long until it is sent.
 */
const mostLength = 512 * 1024;

/**
 * Sends what changes rows in one moment as one statement: each of them is a part of a `with`. An append has eight statements that only add
 * rows, and as one they took a tenth of the service's processor time less for a lone write. They are sent before the next `query`, by
 * `send`, and when the code that is running has nothing left to do but to wait.
 */
export function sendTogether(query: Transaction['query']): Transaction & { send(): void } {
  let waiting: Waiting[] = [];
  let length = 0;

  function send(): void {
    const parts = waiting;
    if (parts.length === 0) return;
    waiting = [];
    length = 0;
    query(
      textOf(parts),
      parts.flatMap(({ params }) => params),
    ).then(
      () => {
        for (const { done } of parts) done();
      },
      (error: unknown) => {
        for (const { failed } of parts) failed(error);
      },
    );
  }

  return {
    send,
    query(sql, params) {
      send();
      return query(sql, params);
    },
    write(sql, params) {
      const own = lengthOf(params);
      if (length + own > mostLength || waiting.some((other) => other.sql === sql)) send();
      if (waiting.length === 0) process.nextTick(send);
      length += own;
      return new Promise((done, failed) => waiting.push({ sql, params, done, failed }));
    },
  };
}

/** The characters of texts, alone and in lists. Vectors and codes come in lists. */
function lengthOf(params: readonly Value[]): number {
  let length = 0;
  for (const value of params) {
    if (typeof value === 'string') length += value.length;
    else if (Array.isArray(value)) length += lengthOf(value);
  }
  return length;
}

/** A statement that begins with some parts, and those that have one part more. */
interface Beginning {
  text: string | undefined;
  readonly longer: Map<string, Beginning>;
}

const beginning = (): Beginning => ({ text: undefined, longer: new Map() });
const all = beginning();

/** The text for some parts is made once: they are found one after the other, because a key of all texts would be hashed for each append. */
function textOf(parts: readonly Waiting[]): string {
  let found = all;
  for (const { sql } of parts) {
    const next = found.longer.get(sql) ?? beginning();
    found.longer.set(sql, next);
    found = next;
  }
  found.text ??= joined(parts);
  return found.text;
}

function joined(parts: readonly Waiting[]): string {
  const [only] = parts;
  if (parts.length === 1 && only) return only.sql;
  let before = 0;
  const named = parts.map(({ sql, params }, at) => {
    const from = before;
    before += params.length;
    return `w${at} as (${sql.replace(/\$(\d+)/g, (_, number) => `$${from + Number(number)}`)})`;
  });
  return `with ${named.join(', ')} select`;
}
