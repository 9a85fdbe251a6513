import type { VerifierKey } from '../note.js';
import { Unreadable } from '../unreadable.js';

/** Which signatures make a quorum: that of one witness, or those of enough members. */
export type Rule =
  | { readonly witness: VerifierKey }
  | { readonly atLeast: number; readonly of: readonly Rule[]; readonly name: string };

/** The names of a policy. Each is used once, so that no witness counts twice. */
export interface Names {
  /** @throws Unreadable for a name that is taken */
  define(name: string, rule: Rule): void;
  /** @throws Unreadable for a name that is not defined yet, or that was used before */
  take(name: string): Rule;
}

export function emptyNames(): Names {
  const rules = new Map<string, Rule>();
  const taken = new Set<string>();
  return {
    define(name, rule) {
      if (name === '' || name === 'none') throw new Unreadable('a name that is missing, or is none');
      if (rules.has(name)) throw new Unreadable(`the name ${name} is there twice`);
      rules.set(name, rule);
    },
    take(name) {
      const rule = rules.get(name);
      if (!rule) throw new Unreadable(`no line before it defines ${name === '' ? 'its name' : name}`);
      if (taken.has(name)) throw new Unreadable(`${name} is used twice, and may count once only`);
      taken.add(name);
      return rule;
    },
  };
}

/** Reads the words behind `group`: its name, `all`, `any` or a number, and its members. */
export function readGroup(names: Names, [name = '', threshold = '', ...members]: readonly string[]): void {
  const of = members.map(names.take);
  if (of.length === 0) throw new Unreadable('a group without members');
  names.define(name, { atLeast: thresholdOf(threshold, of.length), of, name });
}

function thresholdOf(text: string, members: number): number {
  if (text === 'all') return members;
  if (text === 'any') return 1;
  const number = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= members) return number;
  throw new Unreadable(`a group needs all, any, or a number from 1 to ${members} of its members`);
}
