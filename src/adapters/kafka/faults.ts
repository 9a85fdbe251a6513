import kafkajs from 'kafkajs';

const { KafkaJSError, KafkaJSProtocolError, KafkaJSConnectionError, KafkaJSSASLAuthenticationError } = kafkajs;

/**
 * What went wrong at the brokers:
 * - `credentials`, `tls`: the settings are wrong, and no repetition helps;
 * - `denied`: these credentials may not do it;
 * - `refused`: the broker does not take this record, and no repetition helps;
 * - `too_large`: the same, because of its size or that of the batch that it came in;
 * - `no_topic`: there is no such topic or partition;
 * - `away`: everything else, which may end by itself.
 */
type KafkaFault = 'credentials' | 'tls' | 'denied' | 'refused' | 'too_large' | 'no_topic' | 'away';

/** A call that did not end in its time. Its outcome is unknown. */
export class KafkaTooLate extends Error {
  override name = 'KafkaTooLate';
}

const faultsOfTypes: Readonly<Record<string, KafkaFault>> = {
  SASL_AUTHENTICATION_FAILED: 'credentials',
  UNSUPPORTED_SASL_MECHANISM: 'credentials',
  ILLEGAL_SASL_STATE: 'credentials',
  SECURITY_DISABLED: 'credentials',
  TOPIC_AUTHORIZATION_FAILED: 'denied',
  GROUP_AUTHORIZATION_FAILED: 'denied',
  CLUSTER_AUTHORIZATION_FAILED: 'denied',
  MESSAGE_TOO_LARGE: 'too_large',
  RECORD_LIST_TOO_LARGE: 'too_large',
  INVALID_RECORD: 'refused',
  INVALID_TIMESTAMP: 'refused',
  UNKNOWN_TOPIC_OR_PARTITION: 'no_topic',
};

/** The codes of Node for a certificate that it does not accept, and for a handshake that fails. */
const tlsCode = /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$)/;

export function faultOf(error: unknown): KafkaFault {
  for (const one of causesOf(error)) {
    if (one instanceof KafkaJSSASLAuthenticationError) return 'credentials';
    if (one instanceof KafkaJSProtocolError) return faultsOfTypes[one.type] ?? 'away';
    if (one instanceof KafkaJSConnectionError && 'code' in one && tlsCode.test(String(one.code))) return 'tls';
  }
  return 'away';
}

/** Whether the listener of the broker takes no user and password. */
export const isWithoutSasl = (error: unknown): boolean =>
  causesOf(error).some((one) => one instanceof KafkaJSProtocolError && one.type === 'ILLEGAL_SASL_STATE');

/** The broker of a connection that failed, and the code of the failure. */
export function connectionFaultOf(error: unknown): { readonly broker: string; readonly code: string } {
  const found = causesOf(error).find((one) => one instanceof KafkaJSConnectionError);
  const code = found && 'code' in found ? String(found.code) : 'unknown';
  return { broker: found?.broker ?? 'of KAFKA_BROKERS', code };
}

/** The message of the innermost error, for a sentence: without a full stop and short. */
export function reasonOf(error: unknown): string {
  const innermost = causesOf(error).at(-1);
  const text = innermost instanceof Error ? innermost.message : String(innermost);
  return (text.split('\n')[0] ?? '').slice(0, 300).replace(/\.$/, '') || 'no reason was given';
}

/** An error and the errors that caused it, the innermost one last. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [error];
  for (let one = error; one instanceof KafkaJSError && one.cause && causes.length < 8; one = one.cause) {
    causes.push(one.cause);
  }
  return causes;
}
