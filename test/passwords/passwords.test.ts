import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { hashPassword } from '../../src/adapters/passwords/argon2.js';
import { openPasswords } from '../../src/adapters/passwords/passwords.js';

/** As the version before made it, with another library. */
const old = '$argon2id$v=19$m=65536,t=3,p=4$4MCHcazU9EhEtYxhmjd+Fg$+cC+iuH0zYNDzV/ZrqkiHj+Q+PICSo3Kh59310yVwAg';
const ofOld = 'pw pw pw';

describe('passwords', () => {
  const passwords = openPasswords();
  afterAll(() => passwords.close());

  it('open the hashes that were made of them, also those of earlier versions', async () => {
    const hash = await passwords.hash('an owner', 'a password');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=4\$/);
    expect(await passwords.opens('an owner', [hash], 'a password')).toEqual([true]);
    expect(await passwords.opens('an owner', [hash], 'another password')).toEqual([false]);
    expect(await passwords.opens('an owner', [old], ofOld)).toEqual([true]);
    expect(await passwords.hash('an owner', 'a password')).not.toBe(hash);
    expect(await hashPassword(ofOld, old)).toBe(old);
  });

  it('open nothing that is no hash, and nothing where no one has the address', async () => {
    expect(await passwords.opens('an owner', [], 'x')).toEqual([]);
    expect(await passwords.opens('an owner', ['', 'argon2id'], '')).toEqual([false, false]);
  });

  // @covers SIGN-IN-ONE-CHECK
  it('say with one computation which of several hashes they open', async () => {
    const first = await passwords.hash('an owner', 'the first password');
    const second = await passwords.hash('an owner', 'the second password', first);
    expect(second.split('$')[4]).toBe(first.split('$')[4]);
    expect(await passwords.opens('an owner', ['', first, second], 'the second password')).toEqual([false, false, true]);
    expect(await passwords.opens('an owner', [first, second], 'a third password')).toEqual([false, false]);
  });

  // @covers SIGN-IN-QUEUE
  it('that come in a flood are refused beyond a short queue, and keep no file and no name waiting', async () => {
    const flood = Array.from({ length: 64 }, (_, i) =>
      passwords
        .opens(`owner ${i}`, [], `password ${i}`)
        .catch((error: unknown) => (error instanceof Refusal ? error : null)),
    );
    let longest = 0;
    for (let i = 0; i < 20; i += 1) {
      const from = performance.now();
      await Promise.all([readFile(new URL(import.meta.url)), lookup('127.0.0.1')]);
      longest = Math.max(longest, performance.now() - from);
    }
    const answers = await Promise.all(flood);
    const refused = answers.filter((one) => one instanceof Refusal);
    expect(longest).toBeLessThan(1000);
    expect(refused.length).toBeGreaterThanOrEqual(64 - 4 * 9);
    expect(refused[0]).toMatchObject({ code: 'rate_limited', details: { retry_after_seconds: 5 } });
    expect(answers.filter((one) => Array.isArray(one)).length).toBeGreaterThanOrEqual(9);
  });
});
