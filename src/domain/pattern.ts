import type { WebhookPattern } from '../../contracts/webhooks.js';
import { plainForm } from './pieces.js';
import { queryWords } from './words.js';

/** The fields of a memory that a pattern compares. The expensive ones are read only when a pattern needs them. */
export interface PatternSubject {
  readonly namespace_id: string;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly app_id: string | null;
  readonly run_id: string | null;
  readonly source: string | null;
  metadata(): Readonly<Record<string, unknown>>;
  /** The content, converted by `plainText`. */
  text(): string;
}

/** The content as it is searched for words: compatibility forms are replaced, and letters are in lower case. */
export function plainText(content: string): string {
  return plainForm(content).toLowerCase();
}

/** Whether a memory matches the pattern: every field of the pattern must match. */
export function matches(pattern: WebhookPattern, memory: PatternSubject): boolean {
  const { source, metadata, contains, ...equal } = pattern;
  for (const name of ['namespace_id', 'user_id', 'agent_id', 'app_id', 'run_id'] as const) {
    if (equal[name] !== undefined && equal[name] !== memory[name]) return false;
  }
  if (source !== undefined && (memory.source === null || ![source].flat().includes(memory.source))) return false;
  if (metadata !== undefined && !hasAll(memory.metadata(), metadata)) return false;
  return contains === undefined || queryWords([contains].flat().join(' ')).every((word) => has(memory.text(), word));
}

function hasAll(given: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(given, key) && given[key] === value);
}

/** Scripts without spaces between words. Their words have no boundaries that could be checked. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** A combining mark is part of the word that it belongs to. */
const before = '(?<![\\p{L}\\p{N}_]\\p{M}{0,8})';
const after = '(?![\\p{L}\\p{N}\\p{M}_])';

function has(text: string, word: string): boolean {
  if (!text.includes(word)) return false;
  if (unspaced.test(word)) return true;
  const literal = word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(`${before}${literal}${after}`, 'u').test(text);
}
