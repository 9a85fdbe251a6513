import { expect, it } from 'vitest';
import { Unavailable } from '../../src/adapters/bounded-fetch.js';
import { openOidcProvider } from '../../src/adapters/oidc.js';

const issuer = 'http://127.0.0.1:9';
const minute = 60_000;

/** A provider whose metadata are fetched, at a clock that the test sets. */
function provider() {
  const state = { at: 0, asked: 0, place: 'first', isAway: false };
  const setting = { issuer, clientId: 'counterfoil', clientSecret: 'secret', assumesVerified: false };
  const opened = openOidcProvider(
    setting,
    'http://127.0.0.1:8080/callback',
    async (url) => {
      if (!url.includes('/.well-known/')) return answer(404, {});
      state.asked += 1;
      if (state.isAway) throw new Unavailable('it does not answer');
      const [authorization_endpoint, token_endpoint] = ['authorize', 'token'].map(
        (one) => `${issuer}/${state.place}/${one}`,
      );
      return answer(200, { issuer, authorization_endpoint, token_endpoint, jwks_uri: `${issuer}/keys` });
    },
    () => state.at,
  );
  const place = async () => new URL((await opened.begin()).location).pathname;
  return { state, opened, place };
}

const answer = (status: number, body: object) => ({
  status,
  type: 'application/json',
  retryAfterMs: null,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: Buffer.from(JSON.stringify(body)),
});

it('metadata of a provider are fetched again after an hour', async () => {
  const { state, place } = provider();
  expect(await place()).toBe('/first/authorize');
  state.place = 'second';
  state.at = 59 * minute;
  expect(await place()).toBe('/first/authorize');
  state.at = 61 * minute;
  expect(await place()).toBe('/second/authorize');
  expect(state.asked).toBe(2);
});

it('metadata are kept while the provider does not give newer ones', async () => {
  const { state, place } = provider();
  state.isAway = true;
  await expect(place()).rejects.toThrow(Unavailable);
  state.isAway = false;
  expect(await place()).toBe('/first/authorize');
  Object.assign(state, { isAway: true, at: 61 * minute });
  expect(await place()).toBe('/first/authorize');
  Object.assign(state, { isAway: false, place: 'second' });
  expect(await place()).toBe('/second/authorize');
});

it('metadata are fetched again after a sign-in that has failed, once a minute', async () => {
  const { state, opened, place } = provider();
  const { attempt } = await opened.begin();
  state.place = 'second';
  const failed = () => opened.verifiedEmail(`code=x&state=${attempt.state}`, attempt);
  state.at = 2 * minute;
  await expect(failed()).rejects.toThrow('not_confirmed');
  expect(await place()).toBe('/second/authorize');
  for (let n = 0; n < 5; n += 1) {
    await expect(failed()).rejects.toThrow();
    await place();
  }
  expect(state.asked).toBe(2);
});
