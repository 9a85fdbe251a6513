import { Figure } from '../numbers/figure.js';

/** The values that feeds have. Numbers that are no figures are whole. */
export type FeedValue =
  | null
  | boolean
  | string
  | number
  | Figure
  | readonly FeedValue[]
  | { readonly [key: string]: FeedValue };

/** JSON in which every figure has its exact digits, and the members of objects their given order. */
export function feedText(value: FeedValue): string {
  if (value instanceof Figure) return value.toString();
  if (Array.isArray(value)) return `[${value.map(feedText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${feedText(member)}`);
  return `{${members.join(',')}}`;
}
