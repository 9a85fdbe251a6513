import { Refusal } from '../../../contracts/errors.js';

type Params = Readonly<Record<string, unknown>>;

/** A refusal about one argument. The message begins with its name. */
export const wrong = (path: string, sentence: string): Refusal =>
  new Refusal('invalid_request', `${path}: ${sentence}`, { path });

/** A parameter that must be a string. @throws Refusal invalid_request */
export function required(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw wrong(name, 'must be a string.');
  return value;
}

/** Null and an empty text are no cursor, as some clients send for the first page. @throws Refusal invalid_cursor */
export function cursorOf({ cursor }: Params): string | undefined {
  if (cursor === undefined || cursor === null || cursor === '') return undefined;
  if (typeof cursor === 'string') return cursor;
  throw new Refusal('invalid_cursor', 'cursor: must be a string that this list has returned.', { path: 'cursor' });
}

/** For a list of one page, which never returns a cursor. @throws Refusal invalid_cursor */
export function onlyPage(params: Params): void {
  if (cursorOf(params) === undefined) return;
  throw new Refusal('invalid_cursor', 'cursor: this list has one page. Ask for it without a cursor.', {
    path: 'cursor',
  });
}
