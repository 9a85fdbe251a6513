import { z } from 'zod';
import { catalogue, type EntryKind, isEntryKind } from '../../../contracts/entries/catalogue.js';
import type { KindRow } from '../../../contracts/entries/kind.js';
import { meanings } from '../../../src/verifier/story/kinds.js';
import { code, page, table } from './markdown.js';

/** The reference of the kinds of entries, from the catalogue by which they are written and the words by which verifiers show them. */
export function entryKindReference(): string {
  const lead =
    'Every receipt is an entry of one of these kinds (the member `kind`). An entry says what its `actor` did; its `body` has the members of the kind. ' +
    'A member with a question mark is not in every entry of the kind. A member `…_commitment` is HMAC-SHA-256 over a text that the entry does not contain, ' +
    'under a salt that is destroyed with the text ([Proofs](../concepts/proofs.md)).';
  const sections = chains.map(([chain, title, sentence]) => {
    const kinds = Object.keys(catalogue)
      .filter(isEntryKind)
      .filter((kind) => catalogue[kind].chain === chain);
    return `## ${title}\n\n${sentence}\n\n${table(['kind', 'the actor …', 'body', 'shown to'], kinds.map(row))}`;
  });
  return page('Kinds of entries', lead, sections);
}

const chains = [
  ['workspace', 'Of a workspace', 'The chain of a workspace has its own receipts and nothing of other workspaces.'],
  ['registry', 'Of the registry', 'The public chain of the installation.'],
  ['log', 'Of the log', 'The chain of the installation about its transparency log. No bundle is made of them.'],
] as const;

const audiences: Readonly<Record<KindRow<unknown>['audience'], string>> = {
  memory: 'who reaches its namespaces',
  governance: 'people, and keys with the scope receipts.read',
  public: 'anyone',
  installation: 'no one',
};

function row(kind: EntryKind): string[] {
  const meaning = meanings[kind];
  if (!meaning) throw new Error(`src/verifier/story/kinds.ts does not say what ${kind} means`);
  const { did, note } = meaning;
  const { audience, body } = catalogue[kind];
  return [code(kind), note === undefined ? did : `${did}. ${note}`, membersOf(body), audiences[audience]];
}

function membersOf(body: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(body, { unrepresentable: 'any' });
  return Object.keys(properties)
    .map((name) => code(required.includes(name) ? name : `${name}?`))
    .join(', ');
}
