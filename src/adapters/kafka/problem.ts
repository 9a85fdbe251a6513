import type { SecureContextOptions } from 'node:tls';
import type { KafkaSetting } from '../../settings/engines.js';
import { connectionFaultOf, faultOf, isWithoutSasl, reasonOf } from './faults.js';
import { askListener, isSecure } from './listener.js';
import { within } from './within.js';

/** Why the brokers cannot be used. */
interface Problem {
  /** A sentence that says what to do. */
  readonly sentence: string;
  /** Whether a setting is wrong, so that waiting does not help. */
  readonly isWrongSetting: boolean;
}

const away: Problem = { sentence: 'The Kafka brokers do not answer.', isWrongSetting: false };
const wrong = (sentence: string): Problem => ({ sentence, isWrongSetting: true });

/** The problem that a failed call shows with the settings or the certificates; null when it shows none with them. */
export function problemOf(error: unknown): Problem | null {
  const fault = faultOf(error);
  if (fault === 'credentials') return ofCredentials(error);
  return fault === 'tls' ? ofCertificates(error) : null;
}

function ofCredentials(error: unknown): Problem {
  if (isWithoutSasl(error)) {
    return wrong(
      'The Kafka brokers take no user and password: unset KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD_FILE, or set KAFKA_BROKERS to a listener with SASL.',
    );
  }
  return wrong(
    `KAFKA_SASL_MECHANISM, KAFKA_USERNAME or KAFKA_PASSWORD_FILE is wrong: the Kafka broker refuses them (${reasonOf(error)}). Set a user that the brokers know.`,
  );
}

function ofCertificates(error: unknown): Problem {
  const { broker, code } = connectionFaultOf(error);
  if (code === 'CERT_HAS_EXPIRED') {
    // No setting helps, and the service continues without its brokers until their certificate is renewed.
    return {
      sentence: `The certificate of the Kafka broker ${broker} has expired. Renew it at the broker.`,
      isWrongSetting: false,
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
    return wrong(
      `KAFKA_BROKERS is wrong: the certificate of ${broker} is for another name. Set a name or an address that is in the certificate.`,
    );
  }
  if (code.includes('ALERT')) {
    return wrong(
      `KAFKA_CERT_FILE is wrong: the Kafka broker ${broker} refuses the certificate of this client (${code}). Set KAFKA_CERT_FILE and KAFKA_KEY_FILE to a certificate that the broker accepts.`,
    );
  }
  return wrong(
    `KAFKA_CA_FILE is wrong: the certificate of the Kafka broker ${broker} cannot be verified (${code}). Set KAFKA_CA_FILE to the certificate of the authority that signed it.`,
  );
}

/**
 * Asks the listeners of the settings why no call to the brokers succeeds.
 * @param secure the certificates of the settings; undefined without TLS
 */
export async function problemOfListeners(
  { brokers, sasl }: KafkaSetting,
  secure: SecureContextOptions | undefined,
): Promise<Problem> {
  const found = await Promise.all(brokers.map((broker) => problemOfListener(broker, secure, sasl !== undefined)));
  return found.find((problem) => problem !== null) ?? away;
}

async function problemOfListener(
  broker: string,
  secure: SecureContextOptions | undefined,
  hasUser: boolean,
): Promise<Problem | null> {
  const listener = await askListener(broker, secure);
  if (listener?.mechanisms && !hasUser) {
    return wrong(
      `The Kafka broker ${broker} demands a user: set KAFKA_SASL_MECHANISM (the broker has ${listener.mechanisms.join(', ')}), KAFKA_USERNAME and KAFKA_PASSWORD_FILE.`,
    );
  }
  if (listener) return null;
  if (secure && (await askListener(broker, undefined))) {
    return wrong(
      `KAFKA_TLS is on, but the Kafka broker ${broker} speaks without TLS. Set KAFKA_BROKERS to its listener with TLS, or KAFKA_TLS=off.`,
    );
  }
  if (!secure && (await isSecure(broker))) {
    return wrong(`KAFKA_TLS is off, but the Kafka broker ${broker} speaks TLS. Set KAFKA_TLS=on.`);
  }
  return null;
}

/** How long an answer of the brokers counts, and how long a caller waits for a newer one. */
const everyMs = 5000;
const waitMs = 800;

/** Looks now and then whether the brokers can be used. */
export function createProbe(look: () => Promise<Problem | null>) {
  let known: { at: number; problem: Problem | null } = { at: Number.NEGATIVE_INFINITY, problem: null };
  let looking: Promise<void> | undefined;

  async function lookNow(): Promise<void> {
    const problem = await look();
    known = { at: performance.now(), problem };
    looking = undefined;
  }

  return {
    /** Looks, and waits for the answer. */
    async first(): Promise<Problem | null> {
      await lookNow();
      return known.problem;
    },
    /** The result of the last look, and of a new one when that is some seconds old. */
    async lately(): Promise<Problem | null> {
      if (performance.now() - known.at >= everyMs) {
        looking ??= lookNow();
        await within(waitMs, looking).catch(() => undefined);
      }
      return known.problem;
    },
  };
}
