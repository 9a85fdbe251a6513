import { plain } from '../../verifier/rows.js';
import { verifyBundle } from '../../verifier/verify.js';
import { make } from '../elements.js';
import { readKeys } from './measures.js';
import { fetchServiceKeys } from './service-keys.js';
import { summarize, titles } from './summary.js';

/**
 * Checks a bundle in this browser, with the keys that the service says are its own, and says what that proves.
 * @returns the verdict and its claims, as a part of the page of a receipt
 */
export async function check(bundle: Uint8Array): Promise<HTMLElement> {
  const { value: keys } = readKeys(await fetchServiceKeys('/v1/ledger/keys'));
  const report = verifyBundle(bundle, { keys });
  const { tone, sentence } = summarize(report, true);
  const claims = report.claims.map(({ name, state, text }) =>
    make('div', {}, make('dt', {}, titles[name]), make('dd', {}, make('b', {}, state), ` · ${plain(text, 4000)}`)),
  );
  return make(
    'section',
    { class: 'slip', 'data-tone': tone },
    make('h3', {}, 'Verified in this browser'),
    make('p', { class: 'verdict' }, sentence),
    make(
      'p',
      { class: 'note' },
      'This page, its verifier, the key and the bundle come from the same service. To check without it, download the bundle and use ',
      make('code', {}, 'counterfoil verify'),
      ' or a copy of the page Verify, with a key that you have from elsewhere.',
    ),
    make('dl', { class: 'facts' }, ...claims),
  );
}
