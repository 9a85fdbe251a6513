import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';

/** Everything that ops/servers/kafka/kafka.sh gives to a broker with ENGINE_SECURITY=on. */
export const user = { name: 'counterfoil', password: 'kafka-secret' };

/** A broker of the test's own that demands TLS, and users or certificates. */
export function securedBroker(name: string, port: number) {
  const env = { ...process.env, ENGINE_NAME: name, ENGINE_PORT: String(port), ENGINE_SECURITY: 'on' };
  const run = (action: string) =>
    execFileSync(join(packageRoot, 'ops/engines'), [action, 'kafka'], { env, encoding: 'utf8', stdio: 'pipe' });
  const [, certificates = ''] = /KAFKA_CERTIFICATES=(.+)/.exec(run('start')) ?? [];
  return {
    /** TLS, and a user by PLAIN or SCRAM-SHA-512. */
    withUser: `127.0.0.1:${port}`,
    /** TLS with a certificate of the client. */
    mutual: `127.0.0.1:${port + 2}`,
    /** TLS with a certificate of the broker that has expired. */
    expired: `127.0.0.1:${port + 3}`,
    /** Neither TLS nor users. */
    open: `127.0.0.1:${port + 4}`,
    certificate: (file: string) => join(certificates, file),
    stop: () => run('stop'),
  };
}
