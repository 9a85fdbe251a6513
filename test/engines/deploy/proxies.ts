import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { packageRoot } from '../../../src/base/package-root.js';
import { freePort } from '../../faults/free-port.js';
import { eventually } from '../../support/until.js';

export const host = 'memory.example.org';

/** A proxy that runs with the file of this repository, before a service on a port of this machine. */
export interface RunningProxy {
  readonly http: number;
  readonly https: number;
  stop(): Promise<void>;
}

export const proxies = { nginx: startNginx, Caddy: startCaddy } as const;

async function startNginx(servicePort: number): Promise<RunningProxy> {
  const [http, https] = [await freePort(), await freePort()];
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-nginx-'));
  const key = join(directory, 'key.pem');
  const certificate = join(directory, 'certificate.pem');
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
    ...['-keyout', key, '-out', certificate, ...subject],
  ]);
  if (made.status !== 0) throw new Error(`no certificate: ${made.stderr.toString('utf8')}`);
  const site = deployed('nginx.conf', [
    ['127.0.0.1:8080', `127.0.0.1:${servicePort}`],
    [/listen (\[::\]:)?80;/g, `listen $1${http};`],
    [/listen (\[::\]:)?443 /g, `listen $1${https} `],
    [/ssl_certificate .*;/g, `ssl_certificate ${certificate};`],
    [/ssl_certificate_key .*;/g, `ssl_certificate_key ${key};`],
  ]);
  const file = join(directory, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  // nginx has to open its files as the user of the test: workers of root would be those of another user.
  const main = `user root;\ndaemon off;\nerror_log stderr;\npid ${directory}/pid;\nevents {}\nhttp {\n`;
  writeFileSync(file, `${main}access_log off;\n${paths.join('\n')}\n${site}\n}\n`);
  return start(required('NGINX'), ['-p', directory, '-c', file], { http, https, directory });
}

async function startCaddy(servicePort: number): Promise<RunningProxy> {
  const [http, https] = [await freePort(), await freePort()];
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-caddy-'));
  const file = join(directory, 'Caddyfile');
  // A certificate of its own in place of one from a public authority, which cannot reach this machine.
  const globals = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${https}\n}\n`;
  writeFileSync(file, globals + deployed('Caddyfile', [['127.0.0.1:8080', `127.0.0.1:${servicePort}`]]));
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  return start(required('CADDY'), args, { http, https, directory });
}

interface Started {
  readonly http: number;
  readonly https: number;
  readonly directory: string;
}

async function start(
  program: string,
  args: readonly string[],
  { http, https, directory }: Started,
): Promise<RunningProxy> {
  const env = { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const ended = once(child, 'exit');
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    const isReached = fetch(`http://127.0.0.1:${http}/`, { redirect: 'manual', headers: { host } }).then(
      () => true,
      () => false,
    );
    return (await isReached) && hasCertificate(https);
  });
  return {
    http,
    https,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Caddy listens before it has made its certificate, and ends connections with an alert until then. */
const hasCertificate = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: host, rejectUnauthorized: false });
    socket.once('error', () => resolve(false));
    socket.once('secureConnect', () => {
      socket.end();
      resolve(true);
    });
  });

/** A file of ops/deploy with what a person who uses it puts in. Each of them must be in the file. */
function deployed(name: string, changes: readonly (readonly [from: string | RegExp, to: string])[]): string {
  let text = readFileSync(join(packageRoot, 'ops/deploy', name), 'utf8');
  for (const [from, to] of changes) {
    const changed = typeof from === 'string' ? text.replaceAll(from, to) : text.replace(from, to);
    if (changed === text) throw new Error(`${name} has no ${String(from)}`);
    text = changed;
  }
  return text;
}

/** The program that the environment names. */
export function required(name: string): string {
  const path = process.env[name];
  if (path === undefined) throw new Error(`${name} is not set: run eval "$(ops/proxies.sh)" first`);
  return path;
}
