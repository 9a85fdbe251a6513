import { Refusal } from '../../contracts/errors.js';
import type { ReceiptRecord } from '../../contracts/kafka-records.js';
import { limits } from '../../contracts/limits.js';
import type { Signature } from '../api/keys/signed-caller.js';

/** The headers by which a platform says whose key a record is signed for, and signs it. */
const keyIdHeader = 'x-service-key-id';
const macHeader = 'x-service-mac';

/** @throws Refusal invalid_receipt */
export function valueIn({ value }: ReceiptRecord): Buffer {
  if (value === null) throw new Refusal('invalid_receipt', 'The record has no value.');
  if (value.length <= limits.kafkaValueBytes) return value;
  throw new Refusal('invalid_receipt', 'The value of the record is over 1 MiB.');
}

/**
 * How a record says who submits its receipts: by a signature; or null, which means the key of the settings.
 * @throws Refusal credential_not_supported for a bearer key, unauthorized for half of a signature
 */
export function credentialOf({ headers }: ReceiptRecord): Signature | null {
  const found = { keyId: [] as Buffer[], mac: [] as Buffer[] };
  for (const [name, values] of headers) {
    const lower = name.toLowerCase();
    if (namesOfBearers.has(lower) || values.some(isBearer))
      throw new Refusal('credential_not_supported', bearerRefused);
    if (lower === keyIdHeader) found.keyId.push(...values);
    if (lower === macHeader) found.mac.push(...values);
  }
  const { keyId, mac } = found;
  if (keyId.length === 0 && mac.length === 0) return null;
  const [id] = keyId;
  const [code] = mac;
  if (keyId.length === 1 && mac.length === 1 && id && code) return { keyId: id.toString(), mac: code.toString() };
  throw new Refusal('unauthorized', `A signed record has one header ${keyIdHeader} and one header ${macHeader}.`);
}

const namesOfBearers: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'x-api-key']);
const bearerRefused =
  'A record must carry no key: everyone who reads the topic can read it. Revoke that key, and sign records with the secret ' +
  `of a key, in ${keyIdHeader} and ${macHeader}.`;

/** Whether the value of a header is a key, or `Bearer` and a key. */
function isBearer(value: Buffer): boolean {
  return /^\s*(?:bearer\s+)?(?:ak|agk)_/i.test(value.toString('latin1', 0, 64));
}
