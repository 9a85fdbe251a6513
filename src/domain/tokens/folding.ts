import { pieces } from '../words.js';

const onlyAscii = /^[\0-\x7f]*$/;
/** The Cyrillic й is a letter of its own and no и with an accent. */
const accents =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}])(?!(?<=[иИ])\u0306)[\u0300-\u036f\u0653-\u0655]+/gu;

/** Letters without a mark that could be taken away, which people write in another way. */
const others: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
};
const other = /[ßłøđðþħŧæœıς]/gu;

/** German and Scandinavian letters as they are written where a keyboard does not have them. */
const spelled: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const spelt = /[äöüøå]/gu;

/**
 * A text in lower case in the forms in which letters are equal that people write in place of each other: without accents, `ss`
 * for `ß`. A text with `ä`, `ö`, `ü`, `ø` or `å` has a second form, with `ae` and its relatives. The first form of a text
 * without any such letter is the text itself.
 */
export function foldedForms(text: string): readonly string[] {
  if (onlyAscii.test(text)) return [text];
  const bare = withoutAccents(text);
  const composed = text.normalize('NFC');
  const withSpelling = composed.replace(spelt, (letter) => spelled[letter] ?? letter);
  return withSpelling === composed ? [bare] : [bare, withoutAccents(withSpelling)];
}

function withoutAccents(text: string): string {
  const parts: string[] = [];
  for (const piece of pieces(text)) {
    parts.push(onlyAscii.test(piece) ? piece : piece.normalize('NFD').replace(accents, '').normalize('NFC'));
  }
  return parts.join('').replace(other, (letter) => others[letter] ?? letter);
}
