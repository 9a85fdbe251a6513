import { X509Certificate } from 'node:crypto';
import { serverAddress } from '../database/server-address.js';
import type { Config } from '../settings/config.js';

/** A certificate that a setting names, and when it ends. */
interface Certificate {
  readonly setting: string;
  readonly endsAt: Date;
}

/** The certificates in files that the settings name. Of a chain the first one counts, of authorities the one that ends last. */
export function certificatesOf({
  kafka,
  elasticsearch,
  databaseUrl,
}: Pick<Config, 'kafka' | 'elasticsearch' | 'databaseUrl'>): Certificate[] {
  const ssl = databaseUrl === undefined ? false : serverAddress(databaseUrl).ssl;
  const { cert, ca } = ssl === false ? { cert: undefined, ca: undefined } : ssl;
  const inOrder = (pem: string | undefined) => endsIn(pem).toSorted((a, b) => a.getTime() - b.getTime());
  return [
    ...named('KAFKA_CERT_FILE', endsIn(kafka?.tls?.cert)[0]),
    ...named('KAFKA_CA_FILE', inOrder(kafka?.tls?.ca).at(-1)),
    ...named('ELASTICSEARCH_CA_FILE', inOrder(elasticsearch?.ca).at(-1)),
    ...named('DATABASE_URL sslcert', endsIn(textOf(cert))[0]),
    ...named('DATABASE_URL sslrootcert', inOrder(textOf(ca)).at(-1)),
  ];
}

const textOf = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined);

const named = (setting: string, endsAt: Date | undefined): Certificate[] => (endsAt ? [{ setting, endsAt }] : []);

const endsIn = (pem = ''): Date[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).flatMap(endOf);

/** A text that is no certificate has no end. The client that uses it says what is wrong with it. */
function endOf(pem: string): Date[] {
  try {
    return [new Date(new X509Certificate(pem).validTo)];
  } catch {
    return [];
  }
}
