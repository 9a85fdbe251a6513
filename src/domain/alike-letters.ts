import { foldedForms } from './tokens/folding.js';
import { plainLetters } from './tokens/text.js';
import { plainForm } from './words.js';

/** Characters that are not seen: soft hyphens, spaces without width, and the choice between emoji as text and in colour. */
const unseen = /\u00ad|\u200b|\u2060|\ufeff|[\ufe0e\ufe0f]/gu;
/** Signs that keyboards and word processors write in two ways. */
const apostrophes = /[\u2018\u2019\u02bc]/gu;
const quotes = /[\u201c-\u201e]/gu;
const hyphens = /[\u2010\u2011\u2212]/gu;

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
  return foldedForms(plainLetters(plain));
}
