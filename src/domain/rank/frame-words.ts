/**
 * Words that frame a question and hardly say what it is about, with what remains of their share. They are lexemes of the text
 * configuration `english`; other languages lose nothing but this.
 */
const faint = [
  'type kind sort name many much often specif describ mention accord dure various differ exampl reason detail purpos',
  'certain particular',
];
const fainter = [
  'call long old someon someth thing item activ way main current plan decid recent previous first last one two new time',
  'day date month year week happen go get make take do come want have like think feel know say tell use tri keep give',
  'find see',
];

const shares = new Map([
  ...faint
    .join(' ')
    .split(' ')
    .map((lexeme) => [lexeme, 0.5] as const),
  ...fainter
    .join(' ')
    .split(' ')
    .map((lexeme) => [lexeme, 0.7] as const),
]);

/** By how much the share of a word is multiplied because of its lexeme: 1 for all but the words that frame a question. */
export const frameShare = (lexeme: string): number => shares.get(lexeme) ?? 1;
