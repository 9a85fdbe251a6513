import { verifyBundle } from '../../verifier/verify.js';
import { make } from '../elements.js';
import { readKeys } from './measures.js';
import { fetchServiceKeys } from './service-keys.js';
import { summarize } from './summary.js';

/**
 * Checks a bundle in this browser, with the keys that the service says are its own, and says what that proves.
 * @returns the verdict and its claims, as a part of the page of a receipt
 */
export async function check(bundle: Uint8Array): Promise<HTMLElement> {
  const { value: keys } = readKeys(await fetchServiceKeys('/v1/ledger/keys'));
  const report = verifyBundle(bundle, { keys });
  const { tone, sentence, notes } = summarize(report, true);
  const claims = report.claims.map(({ name, state, text }) =>
    make('div', {}, make('dt', {}, name), make('dd', {}, make('b', {}, state), ' · ', text)),
  );
  return make(
    'section',
    { class: 'slip', 'data-tone': tone },
    make('h3', {}, 'Verified in this browser'),
    make('p', { class: 'verdict' }, sentence),
    ...notes.map((note) => make('p', { class: 'note' }, note)),
    make(
      'p',
      { class: 'note' },
      'This page, its verifier and the bundle come from the same service. Download the bundle and check it with the command counterfoil verify, or with a copy of the page Verify that you keep.',
    ),
    make('dl', { class: 'facts' }, ...claims),
  );
}
