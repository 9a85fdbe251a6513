import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';

/** @param bytes 24 to 64 of them, unpredictable; a multiple of three is written without padding */
export function webhookSecret(bytes: Uint8Array): string {
  return `${secretPrefix}${Buffer.from(bytes).toString('base64')}`;
}

/**
 * The headers that show where a body comes from and when: our own, over `t.body` with the secret as it is shown, and those of
 * the Standard Webhooks specification, over `id.t.body` with the bytes that the secret is the base64 of.
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

/** How long to wait after each failed attempt; after the last one a delivery is dead. */
export const retryPauses: readonly number[] = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[2 * hour, 6 * hour, 12 * hour],
];

/** A webhook that has failed for this long when one of its deliveries dies is disabled. */
export const patienceMs = 72 * hour;

/**
 * When to try again after `attempts` failed attempts; null when not at all. Up to a tenth is added, so that what failed
 * together does not come back together.
 * @param chance from 0 to 1
 */
export function retryAt(attempts: number, now: Date, chance: number): Date | null {
  const pause = retryPauses[attempts - 1];
  return pause === undefined ? null : new Date(now.getTime() + Math.round(pause * (1 + chance / 10)));
}
