import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import type { Budget } from './finding.js';

/**
 * Countries whose national numbers are recognized, the most common ones first. Numbers with + are recognized for every
 * country.
 */
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
  /** The form of its numbers without their trunk prefix. */
  readonly pattern: RegExp;
}

/** The patterns of the library. They are tried first, because a call of the library takes a hundred times longer. */
const plans: readonly Plan[] = countries.map((country) => ({ country, pattern: patternOf(country) }));

/**
 * The eleventh member of a numbering plan lists its patterns by use: fixed lines, mobiles, freephone and so on. If a
 * later version of the library stores them elsewhere, every number is passed to the library, which is only slower.
 */
function patternOf(country: CountryCode): RegExp {
  const plan: unknown = metadata.countries[country];
  const uses: unknown = Array.isArray(plan) ? plan[11] : undefined;
  if (!Array.isArray(uses)) return /^/;
  const patterns = uses.flatMap((use: unknown) => (Array.isArray(use) && typeof use[0] === 'string' ? [use[0]] : []));
  return new RegExp(`^(?:${patterns.join('|')})$`);
}

/** The largest number of countries that are checked for one number. */
const mostCountries = 8;

/** Whether `+digits` is a valid number. */
export function isInternational(digits: string, budget: Budget): boolean {
  const valid = () => parsePhoneNumberFromString(`+${digits}`, { extract: false })?.isValid() ?? false;
  return budget.ask(`+${digits}`, valid) ?? true;
}

/** Whether the digits, with or without trunk prefix, are a number in one of `only`, or in any country of the list. */
export function isNational(digits: string, budget: Budget, only?: readonly CountryCode[]): boolean {
  const answer = budget.ask(`${only?.join() ?? 'any'} ${digits}`, () => fits(digits, only, null));
  return answer ?? true;
}

/** The same for a number with a trunk prefix that is written in groups. The first group must be its area or network. */
export function isGroupedNational(digits: string, first: string, budget: Budget): boolean {
  return budget.ask(`${first} ${digits}`, () => fits(digits, undefined, first)) ?? true;
}

function fits(digits: string, only: readonly CountryCode[] | undefined, first: string | null): boolean {
  const written = [digits, digits.replace(/^[018]/, ''), digits.replace(/^06/, '')];
  return plans
    .filter(({ country, pattern }) => (only?.includes(country) ?? true) && written.some((one) => pattern.test(one)))
    .slice(0, mostCountries)
    .some(({ country }) => isOf(country, digits, first));
}

function isOf(country: CountryCode, digits: string, first: string | null): boolean {
  const number = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  // Some countries share a calling code. A freephone number belongs to all of them.
  if (!number?.isValid() || number.countryCallingCode !== getCountryCallingCode(country)) return false;
  if (first === null) return true;
  const [expected = ''] = number.formatNational().match(/\d+/g) ?? [];
  // People end the area code at different places: 0151 23456789 and 01512 3456789 are the same number.
  const shorter = first.length < expected.length ? first : expected;
  return shorter.length >= 2 && expected.startsWith(shorter) && first.startsWith(shorter) && first.length <= 5;
}
