import type { WebhookPattern } from '../../contracts/webhooks.js';
import { hasTerms, type SearchedText } from './contained.js';
import { isSameScalar } from './exact-json.js';

/** The fields of a memory that a pattern compares. The expensive ones are read only when a pattern needs them. */
export interface PatternSubject {
  readonly namespace_id: string;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly app_id: string | null;
  readonly run_id: string | null;
  readonly source: string | null;
  /** With numbers as `comparableObject` reads them. */
  metadata(): Readonly<Record<string, unknown>>;
  /** Called only when `needsText` says so. */
  text(): SearchedText;
}

/** Whether a memory matches the pattern: every field of the pattern must match. */
export function matches(pattern: WebhookPattern, memory: PatternSubject): boolean {
  const { contains } = pattern;
  return hasFields(pattern, memory) && (contains === undefined || hasTerms(memory.text(), [contains].flat().join(' ')));
}

/** Whether the text of a memory decides if it matches the pattern. */
export function needsText(pattern: WebhookPattern, memory: Omit<PatternSubject, 'text'>): boolean {
  return pattern.contains !== undefined && hasFields(pattern, memory);
}

function hasFields(pattern: WebhookPattern, memory: Omit<PatternSubject, 'text'>): boolean {
  const { source, metadata, contains: _, ...equal } = pattern;
  for (const name of ['namespace_id', 'user_id', 'agent_id', 'app_id', 'run_id'] as const) {
    if (equal[name] !== undefined && equal[name] !== memory[name]) return false;
  }
  if (source !== undefined && (memory.source === null || ![source].flat().includes(memory.source))) return false;
  return metadata === undefined || hasAll(memory.metadata(), metadata);
}

function hasAll(given: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(given, key) && isSameScalar(given[key], value));
}
