import type { CalendarClient, Stamped, Upgrade } from '../tlog/anchoring/sources.js';
import { apply } from '../verifier/ots/operation.js';
import { readTimestamp } from '../verifier/ots/read.js';
import { commitments, merge, path, type Timestamp } from '../verifier/ots/timestamp.js';
import { Unreadable } from '../verifier/unreadable.js';
import {
  type BoundedAnswer,
  type BoundedFetch,
  type BoundedRequest,
  boundedFetch,
  Unavailable,
} from './bounded-fetch.js';

interface CalendarOptions {
  /** Addresses (http or https). Requests go only to these, even if a timestamp names another address. */
  readonly calendars: readonly string[];
  /** `count` unpredictable bytes. */
  readonly random: (count: number) => Uint8Array;
  readonly timeoutMs?: number;
  readonly ask?: BoundedFetch;
}

const nonceLength = 16;
/**
 * The answer to a submission has some hundred bytes, and a complete timestamp about 3 kB; the reference client stops at
 * 10 kB.
 */
const maxSubmissionBytes = 10_000;
const maxTimestampBytes = 65_536;
const accept = 'application/vnd.opentimestamps.v1';

/**
 * A client of OpenTimestamps calendars (https://github.com/opentimestamps/opentimestamps-server, `otsserver/rpc.py`):
 * `POST /digest` and `GET /timestamp/<hex>`.
 */
export function calendarClient(options: CalendarOptions): CalendarClient {
  const { calendars, random, timeoutMs = 10_000, ask: fetch = boundedFetch } = options;
  const configured = calendars.map(withoutSlash);
  const ask = (path: string, request: Omit<BoundedRequest, 'timeoutMs'>): Promise<BoundedAnswer> =>
    fetch(path, { ...request, timeoutMs, headers: { accept, 'user-agent': 'counterfoil', ...request.headers } });

  async function submit(calendar: string, message: Uint8Array): Promise<Timestamp> {
    const answer = await ask(`${withoutSlash(calendar)}/digest`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: message,
      maxBytes: maxSubmissionBytes,
    });
    if (answer.status !== 200) throw new Unavailable(`it answered ${answer.status}`);
    const timestamp = readAnswer(answer.body, message);
    const promises = commitments(timestamp).flatMap(({ attestation: one }) =>
      one.kind === 'pending' ? [one.uri] : [],
    );
    // This client would never ask that calendar, and the timestamp would stay pending forever.
    const foreign = promises.find((uri) => !configured.includes(withoutSlash(uri)));
    if (foreign !== undefined)
      throw new Unavailable(`it answered for ${foreign}, which is not one of the configured calendars`);
    return timestamp;
  }

  async function upgrade(uri: string, message: Uint8Array): Promise<Upgrade> {
    const base = withoutSlash(uri);
    if (!configured.includes(base)) return { state: 'not asked', reason: 'it is not one of the configured calendars' };
    try {
      const hex = Buffer.from(message).toString('hex');
      const answer = await ask(`${base}/timestamp/${hex}`, { maxBytes: maxTimestampBytes });
      return readUpgrade(answer, message);
    } catch (error) {
      if (error instanceof Unavailable) return { state: 'unavailable', reason: error.message };
      throw error;
    }
  }

  async function stamp(digest: Uint8Array, least: number): Promise<Stamped> {
    const steps = [{ name: 'append', argument: random(nonceLength) }, { name: 'sha256' }] as const;
    const blinded = steps.reduce<Uint8Array>((message, step) => apply(step, message), digest);
    const answers = await Promise.all(configured.map((calendar) => attempt(calendar, () => submit(calendar, blinded))));
    const [first, ...others] = answers.flatMap(({ timestamp }) => timestamp ?? []);
    const failures = answers.flatMap(({ failure }) => failure ?? []);
    if (!first || others.length + 1 < least) {
      const reasons = failures.map(({ calendar, reason }) => `${calendar}: ${reason}`);
      throw new Unavailable(`fewer than ${least} calendars answered: ${reasons.join('; ')}`);
    }
    return { timestamp: path(digest, steps, () => others.reduce(merge, first)), failures };
  }

  return { submit, upgrade, stamp };
}

interface Attempt {
  readonly timestamp?: Timestamp;
  readonly failure?: Stamped['failures'][number];
}

async function attempt(calendar: string, submit: () => Promise<Timestamp>): Promise<Attempt> {
  try {
    return { timestamp: await submit() };
  } catch (error) {
    if (error instanceof Unavailable) return { failure: { calendar, reason: error.message } };
    throw error;
  }
}

function readUpgrade({ status, body }: BoundedAnswer, message: Uint8Array): Upgrade {
  if (status === 404) {
    const reason = textOf(body);
    return { state: reason.toLowerCase() === 'not found' ? 'not found' : 'pending', reason };
  }
  if (status !== 200) return { state: 'unavailable', reason: `it answered ${status}` };
  const timestamp = readAnswer(body, message);
  const attested = commitments(timestamp).some(({ attestation }) => attestation.kind !== 'pending');
  // Replacing the known promise with another promise could lose the timestamp.
  return attested ? { state: 'upgraded', timestamp } : { state: 'pending', reason: 'it answered with a promise again' };
}

/** @throws Unavailable when it is not a timestamp of the message */
function readAnswer(body: Uint8Array, message: Uint8Array): Timestamp {
  try {
    return readTimestamp(body, message);
  } catch (error) {
    if (error instanceof Unreadable) throw new Unavailable(`its answer is not a timestamp: ${error.message}`);
    throw error;
  }
}

/** At most two lines of a calendar's text, with only characters that are harmless in a log or on a page. */
function textOf(body: Uint8Array): string {
  return Buffer.from(body.subarray(0, 160))
    .toString('latin1')
    .trim()
    .replaceAll(/[^A-Za-z0-9#.,; -]/g, '_');
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
