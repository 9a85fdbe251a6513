import { kafkaSecretMade } from '../../../contracts/keys.js';
import { makeKafkaSecret } from '../../commands/keys.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { shownOnce } from '../shown-once.js';
import { ownKeyId } from './keys.js';

export const kafkaSecretOperation = operation({
  method: 'POST',
  path: '/v1/keys/:key_id/kafka-secret',
  summary: 'Make a secret of an API key for records of Kafka; it is shown once',
  access: 'manage keys',
  counted: 'key',
  answers: { 201: kafkaSecretMade },
  refusals: ['invalid_json', 'invalid_request', 'key_not_found', 'key_out_of_scope', 'receipt_unavailable'],
  documentation: {
    id: 'makeKafkaSecret',
    description:
      'Records of the topic of task receipts that name the key in x-service-key-id carry in x-service-mac the HMAC-SHA-256 of ' +
      'their value under this secret, in hex. A new secret replaces the one before it at once, and the secret ends with its key. ' +
      'Keys and their secrets: at most 20 an hour together.',
    answers: {
      201: {
        description: 'The secret: it is shown once.',
        body: {
          key_id: samples.key,
          secret_id: samples.other,
          created_at: samples.at,
          receipt_id: samples.receipt,
          secret: 'kfs_3yD1oW7mXc0aZr5TqLh2Vn8Ks4Jf6Gb9Pe-Ui_HdRtQ',
        },
      },
    },
  },
  async handle({ caller, params, once }, { reading, writing: { run, world }, access: { kafkaSecrets } }) {
    const id = await ownKeyId(reading, caller, params);
    const secretId = world.id();
    const secret = kafkaSecrets.of(id, secretId);
    const command = makeKafkaSecret(world, caller, id, secretId);
    const { workspaceId } = caller;
    return shownOnce(run, { workspaceId, request: once, secret }, command, (made, shown) => ({
      ...made,
      secret: shown,
    }));
  },
});
