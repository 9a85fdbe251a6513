import type { Row, Transaction, Value } from './database.js';

/** A caller that waits for the answer to a statement that is not sent yet. */
interface Waiting {
  readonly sql: string;
  readonly params: readonly Value[];
  /** Sends it alone. */
  alone(): void;
  /** @param rows of this part as a JSON document; null where it has found none, undefined for one that returns none */
  answered(rows: string | null | undefined): void;
  failed(error: unknown): void;
}

/** How several statements become one. */
interface Joining {
  /** @param parts statements, each with other numbers of parameters than all before it */
  join(parts: readonly string[]): string;
  /** The text for each combination of parts is made once. */
  readonly texts: Beginning;
}

/**
 * How many characters of parameters one statement has at most. A longer one occupies the thread for too long until it is sent.
 */
const mostLength = 512 * 1024;

/**
 * Sends the statements of one moment as one: those that read, and those that change rows. An append has eight statements that only add
 * rows, and as one they took a tenth of the service's processor time less for a lone write. Before them it reads six parts of the state.
 * They are sent before the next `query`, by `send`, and when the code that is running has nothing left to do but to wait.
 */
export function sendTogether(query: Transaction['query']): Transaction & { send(): void } {
  let waiting: Waiting[] = [];
  let joining = reads;
  let length = 0;

  function send(): void {
    const parts = waiting;
    const [first] = parts;
    waiting = [];
    length = 0;
    if (parts.length === 1) first?.alone();
    if (parts.length < 2) return;
    query<Record<string, string | null>>(
      textOf(joining, parts),
      parts.flatMap(({ params }) => params),
    ).then(
      ([row]) => {
        for (const [at, part] of parts.entries()) part.answered(row?.[`r${at}`]);
      },
      (error: unknown) => {
        for (const part of parts) part.failed(error);
      },
    );
  }

  function wait(how: Joining, part: Waiting): void {
    const own = lengthOf(part.params);
    if (how !== joining || length + own > mostLength || waiting.some(({ sql }) => sql === part.sql)) send();
    if (waiting.length === 0) process.nextTick(send);
    joining = how;
    length += own;
    waiting.push(part);
  }

  return {
    send,
    query(sql, params) {
      send();
      return query(sql, params);
    },
    select: <R extends Row>(sql: string, params: readonly Value[]) =>
      new Promise<R[]>((done, failed) => {
        const alone = () => void query<R>(sql, params).then(done, failed);
        wait(reads, { sql, params, alone, answered: (rows) => done(JSON.parse(rows ?? '[]')), failed });
      }),
    write: (sql, params) =>
      new Promise((done, failed) => {
        const alone = () => void query(sql, params).then(() => done(), failed);
        wait(writes, { sql, params, alone, answered: () => done(), failed });
      }),
  };
}

/** The characters of texts and the bytes of lists in binary form, such as vectors, and of the texts of other lists. */
function lengthOf(params: readonly Value[]): number {
  let length = 0;
  for (const value of params) {
    if (typeof value === 'string') length += value.length;
    else if (value instanceof Uint8Array) length += value.length;
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

const writes: Joining = {
  join: (parts) => `with ${parts.map((sql, at) => `w${at} as (${sql})`).join(', ')} select`,
  texts: beginning(),
};

const reads: Joining = {
  join: (parts) =>
    `select ${parts.map((sql, at) => `(select json_agg(r) from (${sql}) r)::text as r${at}`).join(', ')}`,
  texts: beginning(),
};

/** It is found one part after the other, because a key of all texts would be hashed for each append. */
function textOf({ texts, join }: Joining, parts: readonly Waiting[]): string {
  let found = texts;
  for (const { sql } of parts) {
    const next = found.longer.get(sql) ?? beginning();
    found.longer.set(sql, next);
    found = next;
  }
  found.text ??= join(numbered(parts));
  return found.text;
}

/** The parameters of each part are behind those of the parts before it. */
function numbered(parts: readonly Waiting[]): string[] {
  let before = 0;
  return parts.map(({ sql, params }) => {
    const from = before;
    before += params.length;
    return sql.replace(/\$(\d+)/g, (_, number) => `$${from + Number(number)}`);
  });
}
