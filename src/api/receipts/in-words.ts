import { meanings } from '../../verifier/story/kinds.js';

/** The end of a sentence that begins with the actor of a receipt, in the words of the verifier. */
export function didInWords(kind: string): string {
  return (Object.hasOwn(meanings, kind) ? meanings[kind]?.did : undefined) ?? `made an entry of the kind ${kind}`;
}
