import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import type { Budget } from './finding.js';

/** Whose national numbers are known, those that many people write first. Numbers with + are known of every country. */
const countries: readonly CountryCode[] = [
  ...(['US', 'GB', 'DE', 'FR', 'IN', 'IT', 'ES', 'JP', 'CN', 'BR', 'AU', 'NL', 'PL', 'TR', 'KR', 'MX'] as const),
  ...(['BE', 'CH', 'AT', 'SE', 'IE', 'DK', 'NO', 'FI', 'PT', 'CZ', 'GR', 'HU', 'RO', 'UA', 'RU', 'IL'] as const),
  ...([
    'ZA',
    'NZ',
    'SG',
    'HK',
    'TW',
    'ID',
    'PH',
    'MY',
    'TH',
    'VN',
    'AE',
    'SA',
    'EG',
    'NG',
    'KE',
    'PK',
    'AR',
    'CA',
  ] as const),
];

interface Plan {
  readonly country: CountryCode;
  /** Numbers without their trunk prefix, one pattern for each use: fixed lines, mobiles, freephone and so on. */
  readonly patterns: readonly RegExp[];
}

/** The library's own patterns, asked first because it takes a hundred times longer to answer. */
const plans: readonly Plan[] = countries.map((country) => ({ country, patterns: patternsOf(country) }));

/**
 * The eleventh member of a numbering plan lists its patterns by use. Should a later version of the library keep them
 * elsewhere, the number is simply left to the library, and the tests show what was lost.
 */
function patternsOf(country: CountryCode): RegExp[] {
  const plan: unknown = metadata.countries[country];
  const uses: unknown = Array.isArray(plan) ? plan[11] : undefined;
  if (!Array.isArray(uses)) return [/^\d+$/];
  return uses.flatMap((use: unknown) =>
    Array.isArray(use) && typeof use[0] === 'string' ? [new RegExp(`^(?:${use[0]})$`)] : [],
  );
}

/** So many countries are asked about one number. */
const mostCountries = 8;

/** Whether `+digits` is a number somebody can have. */
export function isInternational(digits: string, budget: Budget): boolean {
  const valid = () => parsePhoneNumberFromString(`+${digits}`, { extract: false })?.isValid() ?? false;
  return budget.ask(`+${digits}`, valid) ?? true;
}

/** Whether the digits, with or without trunk prefix, are a number of `only`, or of any country known here. */
export function isNational(digits: string, budget: Budget, only?: readonly CountryCode[]): boolean {
  return fits(digits, budget, (country) => only?.includes(country) ?? true, null);
}

/** The same for a number with a trunk prefix that is written in groups: the first must be its area or network. */
export function isGroupedNational(digits: string, first: string, budget: Budget): boolean {
  return fits(digits, budget, () => true, first);
}

function fits(
  digits: string,
  budget: Budget,
  wanted: (country: CountryCode) => boolean,
  first: string | null,
): boolean {
  const written = [digits, digits.replace(/^[018]/, ''), digits.replace(/^06/, '')];
  const possible = plans.filter(
    ({ country, patterns }) => wanted(country) && patterns.some((pattern) => written.some((one) => pattern.test(one))),
  );
  for (const { country } of possible.slice(0, mostCountries)) {
    const answer = budget.ask(`${country} ${digits} ${first ?? ''}`, () => isOf(country, digits, first));
    if (answer !== false) return true;
  }
  return false;
}

function isOf(country: CountryCode, digits: string, first: string | null): boolean {
  const number = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  // Countries share calling codes, and a freephone number is of all that share one.
  if (!number?.isValid() || number.countryCallingCode !== getCountryCallingCode(country)) return false;
  if (first === null) return true;
  const [expected = ''] = number.formatNational().match(/\d+/g) ?? [];
  // Where the area ends is a matter of habit: 0151 23456789 and 01512 3456789 are one number.
  const shorter = first.length < expected.length ? first : expected;
  return shorter.length >= 2 && expected.startsWith(shorter) && first.startsWith(shorter) && first.length <= 5;
}
