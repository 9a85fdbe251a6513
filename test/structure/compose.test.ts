import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { versions } from '../../ops/build/docs/versions.js';
import { packageRoot } from '../../src/base/package-root.js';
import { readConfig, settings } from '../../src/settings/config.js';

const text = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

const service = z.object({
  image: z.string().optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)),
  volumes: z.array(z.string()),
  ports: z.array(z.string()).optional(),
  restart: z.string(),
  stop_grace_period: z.string(),
  init: z.literal(true),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).optional(),
  security_opt: z.array(z.string()),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  mem_limit: z.string().regex(/^\d+[mg]$/),
  pids_limit: z.int().min(100),
  logging: z.object({
    driver: z.literal('json-file'),
    options: z.object({ 'max-size': z.string(), 'max-file': z.string() }),
  }),
});
const health = { healthcheck: z.object({ test: z.array(z.string()) }) };
const engine = service.extend({
  ...health,
  profiles: z.array(z.string()),
  image: z.string(),
});
const file = z.object({
  services: z.object({
    counterfoil: service,
    postgres: service.extend(health),
    eventstore: engine,
    elasticsearch: engine,
    kafka: engine,
  }),
  volumes: z.record(z.string(), z.null()),
});

const compose = text('docker-compose.yml');
const { services, volumes } = file.parse(parse(compose, { merge: true }));
const { counterfoil, postgres, ...engines } = services;
const dockerfile = text('ops/Dockerfile');

/** Everything that Compose makes of `${NAME:-default}` and `${NAME:?message}`. @throws when a variable must be set and is not */
function interpolated(value: string, env: Readonly<Record<string, string>>): string {
  return value.replace(/\$\{([A-Z0-9_]+):([-?])([^}]*)\}/g, (_all, name: string, kind: string, rest: string) => {
    const given = env[name] ?? '';
    if (given !== '') return given;
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
}

const settingsWith = (env: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(counterfoil.environment).map(([name, value]) => [name, interpolated(value, env)]));

describe('docker-compose.yml', () => {
  it('passes every setting that the service reads, and no others', () => {
    const read = Object.keys(settings.shape);
    expect(read.length).toBeGreaterThan(20);
    expect(Object.keys(counterfoil.environment).sort()).toEqual(read.sort());
  });

  it('passes on what the environment says, and leaves the defaults where it says nothing', () => {
    const { host, port, dataDir, databaseUrl, ...rest } = readConfig(settingsWith({ POSTGRES_PASSWORD: 'secret' }));
    expect({ host, port, dataDir }).toEqual({ host: '0.0.0.0', port: 8080, dataDir: '/data' });
    expect(databaseUrl).toBe('postgres://counterfoil:secret@postgres:5432/counterfoil');
    const { host: _h, port: _p, dataDir: _d, databaseUrl: _u, ...defaults } = readConfig({});
    // On a server a start without it warns, so the file sets the default.
    expect(rest).toEqual({ ...defaults, hasBaseUrl: true });
    const fixed = ['HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL', 'DATABASE_URL_FILE'];
    for (const name of Object.keys(counterfoil.environment).filter((one) => !fixed.includes(one))) {
      expect(settingsWith({ POSTGRES_PASSWORD: 'secret', [name]: 'given' })[name]).toBe('given');
    }
  });

  it('has no password of its own', () => {
    expect(() => settingsWith({})).toThrow('POSTGRES_PASSWORD');
    expect(() => interpolated(postgres.environment.POSTGRES_PASSWORD ?? '', {})).toThrow('POSTGRES_PASSWORD');
  });

  it('keeps the keys and the database in volumes with names, which outlive the containers', () => {
    expect(counterfoil.volumes).toEqual([`data:${counterfoil.environment.DATA_DIR}`]);
    expect(postgres.volumes).toEqual(['postgres:/var/lib/postgresql/data']);
    expect(Object.keys(volumes).sort()).toEqual(['data', 'postgres', ...Object.keys(engines)].sort());
    for (const [name, { volumes: own }] of Object.entries(engines)) expect(own[0]).toMatch(new RegExp(`^${name}:/`));
    // A new volume takes owner and mode from the directory in the image.
    expect(dockerfile).toMatch(/install -d -o node -g node -m 0700 \/data\n/);
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  it('says when it is ready, ends in time, and listens to this machine only', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*\/readyz/m);
    // A server that is restarted after it has made the database answers on its socket only.
    expect(postgres.healthcheck.test.join(' ')).toContain('pg_isready --host 127.0.0.1');
    expect([counterfoil.restart, postgres.restart]).toEqual(['unless-stopped', 'unless-stopped']);
    expect(counterfoil.stop_grace_period).toBe('15s');
    expect(counterfoil.ports).toEqual(['127.0.0.1:8080:8080']);
    for (const { ports } of [postgres, ...Object.values(engines)]) expect(ports).toBeUndefined();
  });

  it('has a profile for each engine, and starts none without it', () => {
    for (const [name, { profiles, healthcheck, restart }] of Object.entries(engines)) {
      expect(profiles).toEqual([name, 'engines']);
      expect(healthcheck.test.length).toBeGreaterThan(1);
      expect(restart).toBe('unless-stopped');
    }
    const addresses = [...compose.matchAll(/^ {2}# ([A-Z_]+)=(\S+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const { eventStore, elasticsearch, kafka } = readConfig(Object.fromEntries(addresses));
    expect(
      [eventStore?.url, elasticsearch?.url, kafka?.brokers[0]].map((one) => /\w+(?=:\d)/.exec(one ?? '')?.[0]),
    ).toEqual(['eventstore', 'elasticsearch', 'kafka']);
  });

  it('bounds what each container may do and use', () => {
    for (const [name, one] of Object.entries(services)) {
      expect([name, one.cap_drop, one.security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']]);
      expect([name, one.cap_add ?? []]).toEqual([
        name,
        name === 'postgres' ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'] : [],
      ]);
    }
    expect([counterfoil.read_only, counterfoil.tmpfs]).toEqual([true, ['/tmp']]);
    expect([postgres.read_only, postgres.tmpfs]).toEqual([true, ['/tmp', '/var/run/postgresql']]);
    // A process that another one has started as root may not change the program.
    expect(dockerfile.indexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('COPY'));
  });

  it('has the versions of the table, and names no other image', () => {
    const table = Object.values(versions()).map(
      ({ image, tag, digest }) => `${image}:${tag}${digest ? `@${digest}` : ''}`,
    );
    const images = [...`${dockerfile}\n${compose}`.matchAll(/^(?:FROM| *image:) (\S+)/gm)].map(
      ([, image = '']) => image,
    );
    expect([...new Set(images)].sort()).toEqual(table.sort());
  });

  it('takes secrets from files with the example, which mounts each of them', () => {
    const example = z
      .object({
        services: z.record(
          z.string(),
          z.object({ environment: z.record(z.string(), z.string()), secrets: z.array(z.string()) }),
        ),
        secrets: z.record(z.string(), z.object({ file: z.string() })),
      })
      .parse(parse(text('ops/deploy/compose.secrets.yml')));
    const mounted = Object.values(example.services).flatMap(({ secrets }) => secrets);
    expect(mounted.sort()).toEqual(Object.keys(example.secrets).sort());
    const directory = mkdtempSync(join(tmpdir(), 'counterfoil-secrets-'));
    for (const name of Object.keys(example.secrets)) {
      writeFileSync(join(directory, name), 'postgres://counterfoil:secret@postgres:5432/counterfoil\n', {
        mode: 0o600,
      });
    }
    const given = Object.entries(example.services.counterfoil?.environment ?? {});
    for (const [name, value] of given.filter(([one]) => one.endsWith('_FILE'))) {
      expect(value).toBe(`/run/secrets/${name.replace('_FILE', '').toLowerCase()}`);
    }
    const here = given.map(([name, value]) => [name, value.replace('/run/secrets', directory)]);
    const config = readConfig({ ...settingsWith({ POSTGRES_PASSWORD: 'unused' }), ...Object.fromEntries(here) });
    rmSync(directory, { recursive: true, force: true });
    expect(config.databaseUrl).toBe('postgres://counterfoil:secret@postgres:5432/counterfoil');
    expect(config.owner.password).toContain('secret');
  });
});
