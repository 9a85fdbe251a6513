import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Disclosed } from '../bundle.js';
import { toHex, toUtf8 } from '../bytes.js';
import type { Entry } from '../entry.js';
import type { Claim } from '../report.js';

const names = ['content', 'metadata', 'source', 'query'] as const;

/** Whether the disclosed texts are those that the entry commits to: HMAC-SHA-256(salt, text as UTF-8). */
export function contentClaim(entry: Entry | string, disclosed: Disclosed | null): Claim {
  const claim = { name: 'content' } as const;
  const shown = names.flatMap((name) => {
    const text = disclosed?.[name] ?? null;
    return text === null ? [] : [{ name, bytes: toUtf8(text) }];
  });
  if (!disclosed || shown.length === 0) {
    return { ...claim, state: 'absent', text: 'The bundle shows no content.', details: {} };
  }
  const details = Object.fromEntries(shown.map(({ name, bytes }) => [`${name}_bytes`, bytes.length]));
  if (typeof entry === 'string') {
    return { ...claim, state: 'failed', text: 'There is no readable entry that could commit to content.', details };
  }
  const wrong = shown.filter(({ name, bytes }) => {
    return toHex(hmac(sha256, disclosed.salt, bytes)) !== entry.body[`${name}_commitment`];
  });
  if (wrong.length > 0) {
    const text = `The entry does not commit to what is shown as ${inWords(wrong)}.`;
    return { ...claim, state: 'failed', text, details };
  }
  const text = `What is shown as ${inWords(shown)} is what the entry commits to.`;
  return { ...claim, state: 'verified', text, details };
}

function inWords(texts: readonly { readonly name: string }[]): string {
  return texts.map(({ name }) => name).join(', ');
}
