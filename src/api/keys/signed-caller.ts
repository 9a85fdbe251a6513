import { Refusal } from '../../../contracts/errors.js';
import { isUuid } from '../../base/world.js';
import type { Caller } from '../../domain/caller.js';
import { isMacOf, type KafkaSecrets, keyHash } from '../../domain/secrets.js';
import { callerOfKey, type KnownKey, type SigningKey } from '../admission.js';

/** A key and the signature of a record under its secret, as the record says them. */
export interface Signature {
  readonly keyId: string;
  readonly mac: string;
}

interface Parts {
  /** The live key with this id, which is a UUID. */
  findSigning(id: string): Promise<SigningKey | undefined>;
  /** The live key whose secret has this hash. */
  findByHash(hash: string): Promise<KnownKey | undefined>;
  readonly secrets: KafkaSecrets;
  /** The API key of records without a signature; undefined where the settings name none. */
  readonly apiKey: string | undefined;
}

/**
 * Finds out in whose name a record is submitted. Each record looks its key up, so a key that is revoked ends with the next one.
 * @param signature null for a record without one, which means the key of the settings. @throws Refusal unauthorized
 */
export type IdentifySigned = (signature: Signature | null, value: Uint8Array) => Promise<Caller>;

export function createIdentifySigned({ findSigning, findByHash, secrets, apiKey }: Parts): IdentifySigned {
  const ownHash = apiKey === undefined ? undefined : keyHash(apiKey);

  async function signedBy({ keyId, mac }: Signature, value: Uint8Array): Promise<KnownKey> {
    const key = isUuid(keyId) ? await findSigning(keyId) : undefined;
    const secretId = key?.kafka_secret_id;
    // One sentence for all reasons: a producer learns nothing about keys of others.
    if (!key || !secretId || !isMacOf(value, secrets.of(key.id, secretId), mac)) {
      throw new Refusal(
        'unauthorized',
        'The key of this record is not known, or its secret has not signed this value.',
      );
    }
    return key;
  }

  async function ofSettings(): Promise<KnownKey> {
    if (ownHash === undefined)
      throw new Refusal('unauthorized', 'The record is not signed, and there is no other key.');
    const key = await findByHash(ownHash);
    if (!key) throw new Refusal('unauthorized', 'The record is not signed, and the key of the settings is not known.');
    return key;
  }

  return async (signature, value) => {
    const key = signature === null ? await ofSettings() : await signedBy(signature, value);
    return callerOfKey(key, null, null, 'kafka');
  };
}
