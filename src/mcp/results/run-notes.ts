import type { Budget } from '../../base/budget.js';
import { cutNote, escapeNote, fenced, type Note, sourceAttribute } from './notes.js';

/** The notes of a run before those that a search has found. */
export interface RunNotes<N extends Note> {
  /** In the order in which they are shown: oldest first. */
  readonly shown: readonly (N & { readonly truncated: boolean })[];
  /** Their tags and contents; empty without any. */
  readonly text: string;
  readonly tokens: number;
}

/** Tokens of parts may add up to a little less than those of the whole text, for each part. */
const spare = 2;

/**
 * The newest of these notes that fit into these tokens, oldest first. The newest one is cut if necessary.
 * @param notes newest first. @param word of the tags of this answer
 */
export async function runNotes<N extends Note>(
  budget: Budget,
  word: string,
  notes: readonly N[],
  tokens: number,
): Promise<RunNotes<N>> {
  const shown: (N & { readonly truncated: boolean })[] = [];
  const texts: string[] = [];
  let used = 0;
  for (const note of notes) {
    const source = await sourceAttribute(budget, note.source);
    const empty = await budget.fit(`${fenced(word, note, source, '', true)}\n`, tokens);
    const room = tokens - used - empty.tokens - spare;
    if (room < 1) break;
    const { text, tokens: own, isCut } = await cutNote(budget, escapeNote(note.content), room);
    if (isCut && shown.length > 0) break;
    shown.unshift({ ...note, truncated: isCut });
    texts.unshift(fenced(word, note, source, text, isCut));
    used += own + empty.tokens + spare;
    if (isCut) break;
  }
  return { shown, text: texts.join('\n'), tokens: used };
}
