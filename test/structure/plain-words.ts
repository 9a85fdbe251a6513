/** A word or phrase of an old house style, and what plain English has for it. */
export interface Banned {
  readonly pattern: RegExp;
  readonly instead: string;
}

/**
 * Matched in comments, texts and identifiers, whose words are separated first (`waitsAside` is read as `waits Aside`).
 * The glossary in docs/concepts/glossary.md has the words for the parts of the system.
 */
export const bannedWords: readonly Banned[] = [
  {
    pattern: /\b(told|tells?|telling)\b/i,
    instead: 'say, show, describe, notify, report; "distinguish" for "tell apart"',
  },
  { pattern: /\bwho(ever|soever)\b/i, instead: 'name the role: the caller, the operator, an auditor, anyone who' },
  { pattern: /\b(whatever|whichever)\b/i, instead: 'any, every, or the name of the thing' },
  { pattern: /\b(some|no)bod(y|ies)\b/i, instead: 'someone, no one, or the role: a caller, a person, another process' },
  { pattern: /\b(anew|afresh)\b/i, instead: 'again, from the start' },
  // The element of HTML has that name.
  { pattern: /(?<![</]|nav )\baside\b(?! [>{])/i, instead: 'separately, in a temporary table, except for' },
  { pattern: /\bstrays?\b/i, instead: 'orphan, leftover row' },
  { pattern: /\bdear(er|est)?\b/i, instead: 'expensive, costly' },
  { pattern: /\bmend(s|ed|ing)?\b/i, instead: 'fix, repair, correct' },
  { pattern: /\bheal(s|ed|ing)?\b/i, instead: 'recover' },
  {
    pattern: /\bso (many|long|often)\b/i,
    instead: 'how many, how long or how often at most; the number; "this number of"',
  },
  { pattern: /\b(this|that) (many|long)\b/i, instead: 'the duration or number, or "up to this number of"' },
  { pattern: /\b(is|are|was|were) asked for\b/i, instead: 'is requested' },
  {
    pattern: /\b(own|the|that|whose|by the|take\w* the) word (of|for)\b|\bown word\b|\bthat word\b/i,
    instead: 'claim, statement',
  },
  // The turn of the log is in the glossary, a conversation has turns, and something may turn out to be true.
  {
    pattern: /\b(in|by|takes?|taking|took|whose|wait\w*( for)? (its|their)) turns?\b(?!: \[)/i,
    instead: 'queue, slot, message; "become" or "convert" for the verb',
  },
  { pattern: /\bKept\b|\bkept[A-Z]/, instead: 'Stored…, or what the value is' },
  { pattern: /\blets\b/i, instead: 'allows' },
  { pattern: /\bthe others\b/i, instead: 'the other entries, processes, callers: name them' },
  { pattern: /\bgoes on\b|\bgo on\b/i, instead: 'continues' },
  { pattern: /\bfor (good|ever)\b/i, instead: 'permanently, forever' },
  { pattern: /\bto the letter\b/i, instead: 'exactly, byte for byte' },
  { pattern: /\bunder way\b/i, instead: 'in progress, in flight' },
  { pattern: /\bin hand\b/i, instead: 'in progress, held' },
  { pattern: /\bvouch(es|ed)?\b/i, instead: 'authenticate, sign, confirm' },
  { pattern: /\bstretch(es)?\b/i, instead: 'range, span' },
  { pattern: /\bstrangers?\b/i, instead: 'outsider, unknown caller' },
  { pattern: /\bheld against\b|\bholds? \w+ against\b/i, instead: 'compared with, checked against' },
  { pattern: /\bjudge[sd]?\b/i, instead: 'evaluate, check' },
  { pattern: /\bcomes? again\b/i, instead: 'retry' },
  { pattern: /\bcomes? of\b/i, instead: 'result from, become of' },
  { pattern: /\bstands? (in|there|beside|before|behind|at)\b/i, instead: 'is in, is at' },
  { pattern: /\bin(to)? (the|its) place of\b/i, instead: 'instead of, replaces' },
  { pattern: /\b(is|are|was|were) to be\b/i, instead: 'must be, will be' },
  { pattern: /\b(lest|ought|shall|upon|hereof|thereof|therein)\b/i, instead: 'so that … not, should, must, on, of it' },
  { pattern: /\/\*\* (What|Who|Whose)\b/, instead: 'begin the comment with a noun: "The …", "Entries that …"' },
  { pattern: /\.\.\.\{ \w/, instead: 'members written plainly: spreading an object literal only serves the formatter' },
];
