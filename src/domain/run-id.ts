import { limits } from '../../contracts/limits.js';

/** Whether a text can be the id of a run: 1 to 128 printable characters of ASCII. */
export function isRunId(text: unknown): text is string {
  return typeof text === 'string' && /^[\x20-\x7e]+$/.test(text) && text.length <= limits.runIdCharacters;
}
