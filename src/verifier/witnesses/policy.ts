import { isSameKey } from '../keys.js';
import { parseVerifierKey, type VerifierKey } from '../note.js';
import { attempt, Unreadable } from '../unreadable.js';
import { emptyNames, type Names, type Rule, readGroup } from './groups.js';

/** The logs and witnesses that a reader trusts, and how many of the witnesses must have signed. */
export interface Policy {
  readonly logs: readonly VerifierKey[];
  readonly witnesses: readonly VerifierKey[];
  /** Null for a policy that asks for no witness. */
  readonly rule: Rule | null;
}

/** Far more than the policy of any network of witnesses. */
const policyLimits = { length: 65_536, witnesses: 256 };

/**
 * Reads a policy in the format of Sigsum with verifier keys (lines with `log`, `witness`, `group` and `quorum`), or a list with
 * the verifier key of one witness on each line. No witness counts twice: two witnesses never share a key or the name in it.
 * @param quorum how many of all witnesses must have signed, for a text without a line `quorum`
 * @throws Unreadable
 */
export function readPolicy(text: string, quorum: number | null): Policy {
  if (text.length > policyLimits.length) {
    throw new Unreadable(`a policy of more than ${policyLimits.length} characters`);
  }
  const lines = text.split('\n').map((line) => line.replace(/(^|\s)#.*$/, '').trim());
  const words = lines.map((line) => (line === '' ? [] : line.split(/\s+/)));
  const isList = words.every(([first = '', ...more]) => more.length === 0 && !Object.hasOwn(kinds, first));
  return isList ? readList(words, quorum) : readLines(words, quorum);
}

function readList(lines: readonly (readonly string[])[], quorum: number | null): Policy {
  const witnesses: VerifierKey[] = [];
  for (const [at, [first]] of lines.entries()) {
    if (first === undefined) continue;
    const key = inLine(at, () => witnessKey(first));
    if (!witnesses.some((one) => isSameKey(one, key))) witnesses.push(inLine(at, () => newWitness(witnesses, key)));
  }
  if (quorum === null) throw new Unreadable('a list of witnesses without the number of them that must have signed');
  return { logs: [], witnesses, rule: ofAll(witnesses, quorum) };
}

/** A witness may have several keys under one name, of which any one counts, and only once. */
function ofAll(witnesses: readonly VerifierKey[], quorum: number): Rule {
  const names = [...new Set(witnesses.map(({ name }) => name))];
  if (quorum > names.length) {
    throw new Unreadable(`a policy that wants ${quorum} of ${names.length} witnesses`);
  }
  const of = names.map((name) => {
    const keys = witnesses.filter((key) => key.name === name);
    return { atLeast: 1, of: keys.map((witness) => ({ witness })), name };
  });
  return { atLeast: quorum, of, name: 'quorum' };
}

interface Reading {
  readonly logs: VerifierKey[];
  readonly witnesses: VerifierKey[];
  readonly names: Names;
  /** Undefined before the line `quorum`. */
  rule: Rule | null | undefined;
}

/** The effect of each kind of line. The words are those behind the name of the kind. */
const kinds: Readonly<Record<string, (reading: Reading, words: readonly string[]) => void>> = {
  log({ logs }, [key = '', ...url]) {
    if (url.length > 1) throw new Unreadable('a log is a verifier key and perhaps an address');
    const log = parseVerifierKey(key);
    if (log.type !== 'ed25519') throw new Unreadable('the key of a log signs without a time (type 0x01)');
    logs.push(log);
  },
  witness({ witnesses, names }, [name = '', key = '', ...url]) {
    if (url.length > 1) throw new Unreadable('a witness is a name, a verifier key and perhaps an address');
    const witness = newWitness(witnesses, witnessKey(key));
    if (witnesses.some((one) => one.name === witness.name)) {
      throw new Unreadable(`two witnesses have the name ${witness.name} in their keys`);
    }
    names.define(name, { witness });
    witnesses.push(witness);
  },
  group({ names }, words) {
    readGroup(names, words);
  },
  quorum(reading, [name = '', ...more]) {
    if (reading.rule !== undefined) throw new Unreadable('a second quorum');
    if (more.length > 0) throw new Unreadable('a quorum is one name');
    reading.rule = name === 'none' ? null : reading.names.take(name);
  },
};

function readLines(lines: readonly (readonly string[])[], quorum: number | null): Policy {
  const reading: Reading = { logs: [], witnesses: [], names: emptyNames(), rule: undefined };
  for (const [at, [kind, ...words]] of lines.entries()) {
    if (kind === undefined) continue;
    const take = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    inLine(at, () => {
      if (!take) throw new Unreadable('it begins with none of log, witness, group and quorum');
      take(reading, words);
      return {};
    });
  }
  const { logs, witnesses } = reading;
  if (reading.rule !== undefined && quorum !== null)
    throw new Unreadable('a policy that has a quorum, and another one');
  if (reading.rule !== undefined) return { logs, witnesses, rule: reading.rule };
  if (quorum === null) throw new Unreadable('a policy without a line quorum');
  return { logs, witnesses, rule: ofAll(witnesses, quorum) };
}

function witnessKey(text: string): VerifierKey {
  const key = parseVerifierKey(text);
  if (key.type === 'cosignature/v1') return key;
  throw new Unreadable('the key of a witness signs with a time (type 0x04)');
}

/** One who holds a key must not count as two witnesses. */
function newWitness(witnesses: readonly VerifierKey[], key: VerifierKey): VerifierKey {
  if (witnesses.length === policyLimits.witnesses) throw new Unreadable('more witnesses than a policy may have');
  if (witnesses.some(({ publicKey }) => publicKey.join() === key.publicKey.join())) {
    throw new Unreadable('two witnesses have the same key');
  }
  return key;
}

/** @throws Unreadable with the number of the line */
function inLine<T extends object>(at: number, read: () => T): T {
  const result = attempt(read);
  if (typeof result === 'string') throw new Unreadable(`line ${at + 1} of the policy: ${result}`);
  return result;
}
