import { X509Certificate } from 'node:crypto';
import type { Config } from '../settings/config.js';

/** A certificate that a setting names, and when it ends. */
interface Certificate {
  readonly setting: string;
  readonly endsAt: Date;
}

/** The certificates in files that the settings name. Of a chain the first one counts, of authorities the one that ends last. */
export function certificatesOf({ kafka, elasticsearch }: Pick<Config, 'kafka' | 'elasticsearch'>): Certificate[] {
  const inOrder = (pem: string | undefined) => endsIn(pem).toSorted((a, b) => a.getTime() - b.getTime());
  return [
    ...named('KAFKA_CERT_FILE', endsIn(kafka?.tls?.cert)[0]),
    ...named('KAFKA_CA_FILE', inOrder(kafka?.tls?.ca).at(-1)),
    ...named('ELASTICSEARCH_CA_FILE', inOrder(elasticsearch?.ca).at(-1)),
  ];
}

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
