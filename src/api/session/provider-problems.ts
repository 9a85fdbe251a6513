import { type ErrorCode, Refusal } from '../../../contracts/errors.js';

/** A setting is named only where it helps: the operator of the service reads the sentence with the person who cannot sign in. */
const assumed = 'If it verifies all of them, the operator of this service can set OIDC_EMAIL_VERIFIED=assumed.';

/** The reasons for which a sign-in with a provider ends on the page /sign-in, by the name that its address has. */
const problems = {
  begun_elsewhere: ['invalid_session', 'This sign-in was not begun in this browser, or too long ago. Begin again.'],
  denied: ['invalid_session', 'The sign-in was not allowed at the provider. Begin again, or sign in with a password.'],
  not_confirmed: ['invalid_session', 'The provider does not confirm this sign-in. Begin again.'],
  no_address: ['invalid_session', 'The provider names no e-mail address. It must give this service the claim email.'],
  not_verified: ['invalid_session', 'The provider says that it has not verified your e-mail address. Verify it there.'],
  verified_missing: [
    'invalid_session',
    `The provider does not say whether it has verified your e-mail address: email_verified is missing. ${assumed}`,
  ],
  verified_text: ['invalid_session', `The provider says email_verified as a text, and not as a value. ${assumed}`],
  other_issuer: [
    'not_ready',
    'The provider has another name than the setting OIDC_ISSUER. The log of this service has both.',
  ],
  no_answer: ['not_ready', 'The provider of sign-ins does not answer. Retry shortly.'],
  not_ready: ['not_ready', undefined],
  rate_limited: ['rate_limited', undefined],
  internal_error: ['internal_error', undefined],
} as const satisfies Record<string, readonly [ErrorCode, string | undefined]>;

export type ProviderProblem = keyof typeof problems;

export const problemNamed = (name: string | null): ProviderProblem | null =>
  name !== null && isProblem(name) ? name : null;

const isProblem = (name: string): name is ProviderProblem => Object.hasOwn(problems, name);

export function refusalOfProblem(problem: ProviderProblem): Refusal {
  const [code, sentence] = problems[problem];
  return new Refusal(code, sentence);
}

/** The page that shows why a sign-in was refused, and offers another one. */
export function pageOfProblem(problem: ProviderProblem, next: string | undefined): string {
  return `/sign-in?${new URLSearchParams({ refused: problem, ...(next !== undefined && { next }) })}`;
}
