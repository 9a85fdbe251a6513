import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';

/** @param bytes 24 to 64 random bytes; a multiple of three needs no padding */
export function webhookSecret(bytes: Uint8Array): string {
  return `${secretPrefix}${Buffer.from(bytes).toString('base64')}`;
}

/**
 * The headers that authenticate a body and its time. Our own header signs `t.body` with the secret as displayed. The
 * headers of the Standard Webhooks specification sign `id.t.body` with the bytes that the secret encodes in base64.
 */
export function signatureHeaders(secret: string, id: string, now: Date, body: string): Record<string, string> {
  const time = Math.floor(now.getTime() / 1000);
  const own = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return {
    'x-service-signature': `t=${time},v1=${own}`,
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${standard}`,
  };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pause after each failed attempt. After the last one a delivery is dead. */
export const retryPauses: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  12 * hour,
];

/** A webhook is disabled when one of its deliveries dies and every attempt has failed during this time. */
export const patienceMs = 72 * hour;

/**
 * The time of the next attempt after `attempts` failed ones; null when there is none. Up to a tenth of the pause is
 * added, so that deliveries that failed together are not repeated together.
 * @param chance from 0 to 1
 */
export function retryAt(attempts: number, now: Date, chance: number): Date | null {
  const pause = retryPauses[attempts - 1];
  return pause === undefined ? null : new Date(now.getTime() + Math.round(pause * (1 + chance / 10)));
}
