/** The facts that the ranking uses besides the words of a memory, all from its text. */
export interface Facts {
  /** Whether its text ends with a question. */
  readonly asks: boolean;
  /** Whether its text says when something was: a weekday, a month, a year, "last week". English only. */
  readonly saysWhen: boolean;
  /** The name before its text, as in `Maria: …`, in lower case. Its metadata may name another one. */
  readonly speaker: string | null;
}

/** A question mark of any script, with a note in brackets behind it at most. */
const asks = /[?？؟;]\s*(?:\[[^\]]*\])?\s*$/u;
const greekQuestion = /\p{Script=Greek}\s*;\s*$/u;

const months = 'january|february|march|april|may|june|july|august|september|october|november|december';
const days = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
const numbers = 'one|two|three|four|five|six|seven|eight|nine|ten|few|couple of|several|\\d{1,3}';
const spans = 'second|minute|hour|day|night|week|weekend|month|year|decade';
const when = new RegExp(
  [
    `\\b(?:${days}|${months})s?\\b`,
    '\\b(?:1[5-9]|20)\\d\\d\\b',
    `\\b(?:last|next|this|past|previous|following|coming)\\s+(?:${spans}|morning|evening|afternoon|summer|winter|spring|fall|autumn|${days}|${months})s?\\b`,
    `\\b(?:a|an|the|${numbers})\\s+(?:${spans})s?\\b`,
    '\\b(?:ago|yesterday|today|tomorrow|tonight)\\b',
    '\\b\\d{1,2}(?:st|nd|rd|th)\\b',
  ].join('|'),
  'iu',
);

const prefix = /^([\p{L}\p{N}_.'’ -]{1,40}?):\s/u;

/** The longest beginning and end of a text that are looked at, so that a long text costs no more than a short one. */
const looked = 4096;

/** The name before a text, as the text has it; null without one. */
const speakerIn = (text: string): string | null => prefix.exec(text.slice(0, 50))?.[1]?.trim() ?? null;

/** The members of the metadata of a memory that may name who said or wrote it, the first one first. */
export const naming = ['speaker', 'author', 'role'] as const;

/** The one who said or wrote a memory, as it is written there. The search index compares a hash of it in lower case. */
export function whoIn(metadata: Readonly<Record<string, unknown>>, text: string): string | null {
  const named = naming.flatMap((name) => {
    const value = metadata[name];
    return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
  });
  return named[0] ?? speakerIn(text);
}

export function factsOf(text: string): Facts {
  const end = text.slice(-looked);
  return {
    asks: asks.test(end) && (!end.trimEnd().endsWith(';') || greekQuestion.test(end)),
    saysWhen: when.test(text.slice(0, looked)),
    speaker: speakerIn(text)?.toLowerCase() ?? null,
  };
}
