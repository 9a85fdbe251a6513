import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../../src/base/package-root.js';
import { code, page, table } from './markdown.js';

const version = z.object({
  image: z.string(),
  tag: z.string().regex(/^\d+\.\d+\.\d+(-[\w-]+)?$/),
  /** Written by `ops/digests.sh`; null before. */
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullable(),
  /** The versions that tests run on. */
  tested: z.string(),
});
const parts = z.object({
  node: version,
  postgres: version,
  eventstore: version,
  elasticsearch: version,
  kafka: version,
});

/** The table of the versions that containers and test servers have. */
export const versionsFile = 'ops/versions.json';

const text = (path: string) => readFileSync(join(packageRoot, path), 'utf8');
export const versions = () => parts.parse(JSON.parse(text(versionsFile)));

/** The name of an image as container files have it. */
const named = ({ image, tag, digest }: z.infer<typeof version>) =>
  `${image}:${tag}${digest === null ? '' : `@${digest}`}`;

const escaped = (image: string) => image.replaceAll('/', '\\/');

/** A container file in which each image of the table has the version of the table. */
function withImages(path: string): string {
  return Object.values(versions()).reduce(
    (file, one) =>
      file.replace(
        new RegExp(`((?:image:|FROM) )${escaped(one.image)}:\\S+`, 'g'),
        (_all, word) => `${word}${named(one)}`,
      ),
    text(path),
  );
}

/** The project file of Maven that fetches a server for tests. */
const withServer = (path: string, name: 'kafka' | 'elasticsearch') =>
  text(path).replace(new RegExp(`<${name}\\.version>[^<]*<`), `<${name}.version>${versions()[name].tag}<`);

const containerFiles = ['docker-compose.yml', 'ops/Dockerfile'] as const;

/** The files that are made from the table, by their paths. */
export const versionedFiles: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(containerFiles.map((path) => [path, () => withImages(path)])),
  'ops/servers/kafka/pom.xml': () => withServer('ops/servers/kafka/pom.xml', 'kafka'),
  'ops/servers/elasticsearch/pom.xml': () => withServer('ops/servers/elasticsearch/pom.xml', 'elasticsearch'),
};

export function versionReference(): string {
  const lead =
    'The versions of the container files, and what the tests run on. They are in one table, `ops/versions.json`, from which\n' +
    '`npm run docs` writes `docker-compose.yml`, `ops/Dockerfile`, the servers of the tests and this page.\n' +
    '`ops/digests.sh` adds the digests of the images.';
  const rows = Object.entries(versions()).map(([name, one]) => [name, code(named(one)), one.tested]);
  return page('Versions', lead, [table(['part', 'image', 'tests run on'], rows)]);
}
