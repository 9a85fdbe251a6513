import { createServer } from 'node:http';
import library from 'opentimestamps';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Unavailable } from '../../src/adapters/bounded-fetch.js';
import { calendarClient } from '../../src/adapters/opentimestamps.js';
import { realWorld } from '../../src/base/world.js';
import { publicCalendars } from '../../src/settings/peers.js';
import type { CalendarClient, Upgrade } from '../../src/tlog/anchoring/sources.js';
import { toHex } from '../../src/verifier/bytes.js';
import { commitments, fulfil, type Timestamp } from '../../src/verifier/ots/timestamp.js';
import { type TimestampClaim, verifyDetached } from '../../src/verifier/ots/verify.js';
import { writeDetached, writeTimestamp } from '../../src/verifier/ots/write.js';
import { type Chain, createChain, easyTarget, sha256 } from './bitcoin.js';
import { type CalendarServer, startCalendar } from './calendar.js';
import { listen } from './http.js';

const digest = sha256(Buffer.from('digest'));
const timeoutMs = 400;
let chain: Chain;
let alice: CalendarServer;
let bob: CalendarServer;
let client: CalendarClient;

beforeEach(async () => {
  chain = createChain();
  [alice, bob] = await Promise.all([startCalendar(chain), startCalendar(chain)]);
  client = clientOf(alice.url, `${bob.url}/`);
});

afterEach(async () => {
  await Promise.all([alice.close(), bob.close()]);
});

function clientOf(...calendars: string[]): CalendarClient {
  return calendarClient({ calendars, random: realWorld.random, timeoutMs });
}

function verify(timestamp: Timestamp): TimestampClaim {
  const file = writeDetached({ hash: 'sha256', timestamp });
  return verifyDetached(
    file,
    digest,
    (height) => chain.block(height)?.header,
    () => easyTarget,
  );
}

/** The calendars' words on every promise in a timestamp, and what becomes of it. */
async function upgrade(timestamp: Timestamp): Promise<{ answers: Upgrade[]; upgraded: Timestamp }> {
  const answers: Upgrade[] = [];
  let upgraded = timestamp;
  for (const { attestation, message } of commitments(timestamp)) {
    if (attestation.kind !== 'pending') continue;
    const answer = await client.upgrade(attestation.uri, message);
    answers.push(answer);
    if (answer.state === 'upgraded') upgraded = fulfil(upgraded, attestation.uri, answer.timestamp);
  }
  return { answers, upgraded };
}

async function upgradeOf(server: CalendarServer, timestamp: Timestamp): Promise<Upgrade | undefined> {
  const { answers } = await upgrade(timestamp);
  return answers[
    commitments(timestamp).findIndex(({ attestation }) => 'uri' in attestation && attestation.uri === server.url)
  ];
}

describe('from a digest to a block', () => {
  it('is pending, then confirmed, then verified', async () => {
    const { timestamp, failures } = await client.stamp(digest, 2);
    expect(failures).toEqual([]);
    expect(verify(timestamp)).toMatchObject({
      state: 'not checked',
      pending: expect.arrayContaining([alice.url, bob.url]),
      missing: [],
    });

    const waiting = { state: 'pending', reason: 'Pending confirmation in Bitcoin blockchain' };
    expect((await upgrade(timestamp)).answers).toEqual([waiting, waiting]);
    for (const server of [alice, bob]) server.broadcast();
    expect((await upgrade(timestamp)).answers).toEqual([waiting, waiting]);
    chain.mine();
    const reason = expect.stringMatching(/^Timestamped by transaction [0-9a-f]{64}; waiting for 5 confirmations$/);
    expect((await upgrade(timestamp)).answers).toEqual([
      { state: 'pending', reason },
      { state: 'pending', reason },
    ]);

    chain.mine(5);
    const { upgraded } = await upgrade(timestamp);
    const claim = verify(upgraded);
    expect(claim).toMatchObject({ state: 'verified', height: 1, time: 1_750_000_600 });
    expect(commitments(upgraded).map(({ attestation }) => attestation)).toEqual(
      Array(2).fill({ kind: 'bitcoin', height: 1 }),
    );
  });

  it('is read by the library at each step', async () => {
    const { timestamp } = await client.stamp(digest, 2);
    for (const server of [alice, bob]) server.broadcast();
    chain.mine(6);
    for (const step of [timestamp, (await upgrade(timestamp)).upgraded]) {
      const file = writeDetached({ hash: 'sha256', timestamp: step });
      const theirs = library.DetachedTimestampFile.deserialize(file);
      expect(toHex(theirs.serializeToBytes())).toBe(toHex(file));
    }
  });

  it('is complete when one calendar is, and keeps what the other has promised', async () => {
    const { timestamp } = await client.stamp(digest, 2);
    bob.broadcast();
    chain.mine(6);
    const { upgraded } = await upgrade(timestamp);
    expect(verify(upgraded)).toMatchObject({ state: 'verified' });
    expect(
      commitments(upgraded)
        .map(({ attestation }) => attestation.kind)
        .sort(),
    ).toEqual(['bitcoin', 'pending']);
  });

  it('goes into one transaction with all others', async () => {
    const stamped = await Promise.all(Array.from({ length: 7 }, () => clientOf(alice.url).stamp(digest, 1)));
    alice.broadcast();
    chain.mine(6);
    const claims = await Promise.all(stamped.map(async ({ timestamp }) => verify((await upgrade(timestamp)).upgraded)));
    expect(claims).toEqual(Array(7).fill(expect.objectContaining({ state: 'verified', height: 1 })));
  });

  it('shows no calendar the digest', async () => {
    const [one, other] = await Promise.all([client.stamp(digest, 2), client.stamp(digest, 2)]);
    const [branch] = one.timestamp.branches;
    expect(branch?.operation).toMatchObject({ name: 'append', argument: expect.objectContaining({ length: 16 }) });
    expect(branch?.timestamp.branches[0]?.operation).toEqual({ name: 'sha256' });
    expect(other.timestamp.branches[0]?.operation).not.toEqual(branch?.operation);
  });
});

describe('a reorganisation', () => {
  it('takes a proof away, and the timestamp from before gets another', async () => {
    const { timestamp } = await client.stamp(digest, 2);
    for (const server of [alice, bob]) server.broadcast();
    chain.mine(6);
    const { upgraded } = await upgrade(timestamp);
    expect(verify(upgraded)).toMatchObject({ state: 'verified', height: 1 });

    chain.reorganise(6);
    expect(verify(upgraded)).toEqual({ state: 'failed', reason: 'block 1 does not contain it' });
    expect((await upgrade(timestamp)).answers[0]).toMatchObject({ state: 'pending' });
    chain.mine(6);
    expect(verify((await upgrade(timestamp)).upgraded)).toMatchObject({ state: 'verified', height: 8 });
  });
});

describe('a calendar that does not do its work', () => {
  it.each([
    ['down', 'it cannot be reached'],
    ['failing', 'it answered 502'],
    ['garbage', 'its answer is not a timestamp: '],
    ['redirecting', 'it answered 302'],
    ['huge', 'it answered with more than '],
    ['slow', `it did not answer within ${timeoutMs} ms`],
  ] as const)('because it is %s leaves the work to the rest', async (behaviour, reason) => {
    const { timestamp: both } = await client.stamp(digest, 2);
    alice.behave(behaviour);
    const started = performance.now();
    const { timestamp, failures } = await client.stamp(digest, 1);
    expect(failures).toEqual([{ calendar: alice.url, reason: expect.stringContaining(reason) }]);
    expect(verify(timestamp)).toMatchObject({ state: 'not checked', pending: [bob.url] });
    expect(await upgradeOf(alice, both)).toEqual({ state: 'unavailable', reason: expect.stringContaining(reason) });
    expect(await upgradeOf(bob, both)).toMatchObject({ state: 'pending' });
    await expect(client.stamp(digest, 2)).rejects.toThrow(Unavailable);
    await expect(client.stamp(digest, 2)).rejects.toThrow(`fewer than 2 calendars answered: ${alice.url}: `);
    expect(performance.now() - started).toBeLessThan(10 * timeoutMs);

    alice.behave('well');
    expect(await upgradeOf(alice, both)).toMatchObject({ state: 'pending' });
  });

  it('because it has lost the digest is distinguished from one that is waiting', async () => {
    alice.behave('forgetful');
    const { timestamp } = await client.stamp(digest, 2);
    expect(await upgradeOf(alice, timestamp)).toEqual({ state: 'not found', reason: 'Not found' });
    expect(await upgradeOf(bob, timestamp)).toMatchObject({ state: 'pending' });
  });

  it('because no one listens there is said so', async () => {
    await alice.close();
    const { failures } = await client.stamp(digest, 1);
    expect(failures).toEqual([{ calendar: alice.url, reason: 'it cannot be reached (ECONNREFUSED)' }]);
  });

  it('is one of several, or nothing is stamped', async () => {
    for (const server of [alice, bob]) server.behave('failing');
    await expect(client.stamp(digest, 0)).rejects.toThrow(Unavailable);
    await expect(clientOf().stamp(digest, 0)).rejects.toThrow(Unavailable);
  });
});

describe('what a calendar or a timestamp says', () => {
  it('makes no one ask an address that is not configured', async () => {
    const message = sha256(digest);
    expect(await clientOf(alice.url).upgrade(bob.url, message)).toMatchObject({ state: 'not asked' });
    expect(await clientOf(alice.url).upgrade(`${alice.url}.example`, message)).toMatchObject({ state: 'not asked' });
    expect([...alice.requests, ...bob.requests]).toEqual([]);
  });

  it('is refused when it sends to another address, and when it says too much', async () => {
    const elsewhere: Timestamp = { message: digest, attestations: [{ kind: 'pending', uri: bob.url }], branches: [] };
    const reply: { status: number; body: string | Uint8Array } = { status: 200, body: writeTimestamp(elsewhere) };
    const server = await listen(createServer((_, response) => response.writeHead(reply.status).end(reply.body)));
    const outsider = clientOf(server.url);
    await expect(outsider.submit(server.url, digest)).rejects.toThrow(`it answered for ${bob.url}`);
    // Instead of its promise there would be another's.
    expect(await outsider.upgrade(server.url, digest)).toMatchObject({ state: 'pending' });

    reply.status = 404;
    reply.body = `first\n{"second": "\u001b[31m${'x'.repeat(1000)}`;
    expect(await outsider.upgrade(server.url, digest)).toEqual({
      state: 'pending',
      reason: expect.stringMatching(/^first___second__ ___31mx{137}$/),
    });
    await server.close();
  });

  it('is asked of the public calendars where nothing else is set', () => {
    expect(publicCalendars.map((address) => new URL(address).protocol)).toEqual(Array(4).fill('https:'));
  });
});
