import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const forms: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'an RFC 3339 date-time in UTC',
  date: 'a date such as 2026-03-14',
  email: 'an e-mail address',
  url: 'an address',
  base64: 'base64',
};

/**
 * The end of a sentence that begins with the name of the value, for messages that people read. Schemas that have messages of
 * their own keep them; the validator's words, such as "expected number to be >=1", are shown to no one.
 */
export function inWords(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${issue.input === undefined ? 'is missing: it must' : 'must'} be ${kindOf(issue.expected)}`;
    case 'too_small':
      return atLeast(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case 'too_big':
      return atMost(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case 'invalid_value':
      return `must be ${listed(issue.values.map(String))}`;
    case 'invalid_format':
      return issue.format in forms ? `must be ${forms[issue.format]}` : 'has a wrong form';
    case 'invalid_union':
      return ofAlternatives(issue.errors);
    case 'unrecognized_keys':
      return `has a member that it does not take: ${JSON.stringify(issue.keys[0]?.slice(0, 64) ?? '')}`;
    default:
      return 'has a wrong value';
  }
}

const kindOf = (expected: string): string => kinds[expected] ?? `of type ${expected}`;

function atLeast(origin: string, minimum: number, isInclusive: boolean): string {
  if (origin === 'string' && minimum === 1) return 'must not be empty';
  if (origin === 'string' || origin === 'array') return `must have at least ${counted(origin, minimum)}`;
  return isInclusive ? `must be at least ${minimum}` : `must be more than ${minimum}`;
}

function atMost(origin: string, maximum: number, isInclusive: boolean): string {
  if (origin === 'string' || origin === 'array') return `must have at most ${counted(origin, maximum)}`;
  return isInclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
}

function counted(origin: 'string' | 'array', count: number): string {
  const one = origin === 'string' ? 'character' : 'item';
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

const listed = (all: readonly string[]): string =>
  all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;

/** Of the alternative whose type is right; otherwise the types of all. */
function ofAlternatives(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string {
  const first = alternatives.flatMap(([issue]) => issue ?? []);
  const inside = first.find(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  if (inside) return inside.path.length === 0 ? inside.message : `${inside.path.join('.')} ${inside.message}`;
  const expected = first.flatMap((issue) => (issue.code === 'invalid_type' ? [kindOf(issue.expected)] : []));
  return expected.length === 0 ? 'has a wrong value' : `must be ${listed([...new Set(expected)])}`;
}
