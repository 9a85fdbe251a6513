import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageRoot } from '../../src/base/package-root.js';
import { readConfig, settings } from '../../src/settings/config.js';

const text = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

const service = z.object({
  image: z.string().optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)),
  volumes: z.array(z.string()),
  ports: z.array(z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }),
  restart: z.string(),
  stop_grace_period: z.string(),
});
const engine = service.extend({ profiles: z.array(z.string()), image: z.string() });
const file = z.object({
  services: z.object({
    counterfoil: service,
    postgres: service,
    eventstore: engine,
    elasticsearch: engine,
    kafka: engine,
  }),
  volumes: z.record(z.string(), z.null()),
});

const compose = text('docker-compose.yml');
const { services, volumes } = file.parse(parse(compose));
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
    expect(rest).toEqual(defaults);
    const fixed = ['HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL'];
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
    expect(counterfoil.healthcheck.test.join(' ')).toContain('/readyz');
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

  it('names exact versions of what others have made', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    expect(images.length).toBe(2);
    for (const image of [...images, postgres.image]) expect(image).toMatch(/^[\w/]+:\d+\.\d+\.\d+-[\w-]+$/);
    for (const { image } of Object.values(engines)) expect(image).toMatch(/^[\w/]+:\d+\.\d+\.\d+(-[\w-]+)?$/);
  });
});
