import { z } from 'zod';

/** Text that PostgreSQL and UTF-8 can hold: well-formed Unicode without NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether every string in a JSON value, keys included, can be stored. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (Array.isArray(value)) return value.every(isStorableJson);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorable(key) && isStorableJson(member));
}

export const storableText = z.string().refine(isStorable, 'must be valid Unicode without NUL');
