import { plainLetters } from './search-text.js';
import { pieces, plainForm } from './words.js';

/** Characters that are not seen: soft hyphens, spaces without width, and the choice between emoji as text and in colour. */
const unseen = /\u00ad|\u200b|\u2060|\ufeff|[\ufe0e\ufe0f]/gu;
/** Signs that keyboards and word processors write in two ways. */
const apostrophes = /[\u2018\u2019\u02bc]/gu;
const quotes = /[\u201c-\u201e]/gu;
const hyphens = /[\u2010\u2011\u2212]/gu;

const onlyAscii = /^[\0-\x7f]*$/;
/** The Cyrillic й is a letter of its own and no и with an accent. */
const accents =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}])(?!(?<=и)\u0306)[\u0300-\u036f\u0653-\u0655]+/gu;

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
 * A text in the forms in which letters are equal that people write in place of each other: in lower case, without accents, `ss` for
 * `ß`. A text with `ä`, `ö`, `ü`, `ø` or `å` has a second form, with `ae` and its relatives. Signs and emoji stay.
 */
export function alikeForms(text: string): readonly string[] {
  const plain = plainForm(text)
    .toLowerCase()
    .replace(unseen, '')
    .replace(apostrophes, "'")
    .replace(quotes, '"')
    .replace(hyphens, '-');
  if (onlyAscii.test(plain)) return [plain];
  const letters = plainLetters(plain);
  const bare = withoutAccents(letters);
  const withSpelling = letters.normalize('NFC').replace(spelt, (letter) => spelled[letter] ?? letter);
  return withSpelling === letters ? [bare] : [bare, withoutAccents(withSpelling)];
}

function withoutAccents(text: string): string {
  const parts: string[] = [];
  for (const piece of pieces(text)) {
    if (onlyAscii.test(piece)) parts.push(piece);
    else parts.push(piece.normalize('NFD').replace(accents, '').normalize('NFC'));
  }
  return parts.join('').replace(other, (letter) => others[letter] ?? letter);
}
