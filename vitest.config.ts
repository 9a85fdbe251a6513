import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import Order from './test/support/order.js';
import { shortLived } from './test/support/short-lived.js';

/**
 * Which tests belong to which project: their folder says it. In each there are the topics that `test` has, so
 * `test/slow/every-store/http/plans.test.ts` is a slow suite about HTTP that runs on every store. Its helpers are in `test/http`.
 *
 * - `fast` needs nothing but npm, and takes two to three minutes on two cores.
 * - `slow` kills processes, fills disks and waits for outages. Some of its tests need DATABASE_URL (see ops/postgres.sh).
 * - `alone` is slow tests that replace modules or measure their process, each file in a process of its own.
 * - `server` is the suites that run on every store, here on the PostgreSQL server that DATABASE_URL names.
 * - `browser` needs Chromium (see ops/chromium.sh).
 * - `engines` uses real servers of Kafka and Elasticsearch, which KAFKA_BROKERS and ELASTICSEARCH_URL name (see ops/engines), and the
 *   proxies and tools of ops/proxies.sh.
 * - `distributed` is twelve suites of HTTP and MCP with services that use PostgreSQL, the protocol of EventStoreDB, Elasticsearch
 *   and Kafka: those that touch what differs there, which is appends, replays, erasing, search and the end of streams.
 *
 * No folder names one project: `server-http` is all suites of HTTP and MCP among those of `server`, with PostgreSQL alone. CI
 * runs them on the embedded database, as files of `fast` and `slow`, and `npm run test:server` on PostgreSQL too.
 */
const declared = ['fast', 'slow', 'alone', 'server', 'browser', 'engines', 'distributed'] as const;
const projects = [...declared, 'server-http'] as const;

/** The first folder that a file is in counts. A file that is in none of them is `fast`. */
const folders: readonly (readonly [folder: string, projects: readonly (typeof declared)[number][]])[] = [
  ['test/slow/distributed/', ['slow', 'server', 'distributed']],
  ['test/slow/every-store/', ['slow', 'server']],
  ['test/slow/', ['slow']],
  ['test/distributed/', ['fast', 'server', 'distributed']],
  ['test/every-store/', ['fast', 'server']],
  ['test/server/', ['server']],
  ['test/alone/', ['alone']],
  ['test/browser/', ['browser']],
  ['test/engines/', ['engines']],
  ['test/', ['fast']],
];

/** The topics whose suites speak HTTP or MCP. */
const speaksHttp = /\/(account|http|mcp|oauth|receipts|terminal)\//;

/** These break a table of the database to see an append fail, so CI runs them with PostgreSQL alone too. */
const breaksTables = /\/http\/(availability|task-leaks)\.test\.ts$/;

function projectsOf(file: string): readonly (typeof projects)[number][] {
  const [, named = []] = folders.find(([folder]) => file.startsWith(folder)) ?? [];
  const isOfHttp = named.includes('server') && speaksHttp.test(file) && !breaksTables.test(file);
  return isOfHttp ? [...named.filter((name) => name !== 'server'), 'server-http'] : named;
}

const stores: Readonly<Record<string, string>> = {
  server: 'server',
  'server-http': 'server',
  distributed: 'engines',
};

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .map((name) => ({ name, projects: projectsOf(name) }));

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: Order },
    // What one project has compiled, the others and the next run read. `npm ci` removes it.
    experimental: { fsModuleCache: true },
    reporters: ['default', './test/support/slowest.ts'],
    projects: projects.map((project) => ({
      test: {
        name: project,
        include: files.filter(({ projects }) => projects.includes(project)).map(({ name }) => name),
        pool: 'forks' as const,
        // One process imports the service once, for all of its files: an import takes two seconds.
        isolate: project === 'alone',
        execArgv: ['fast', 'slow', 'browser'].includes(project) ? [...shortLived] : [],
        // Slow suites run in the projects of every store too, and may take long there as well. A browser that looks at every page
        // takes minutes beside other suites.
        testTimeout: project === 'fast' ? 60_000 : 3_600_000,
        hookTimeout: 120_000,
        // A look that is repeated until it shows what is expected: the second that is usual may pass while other suites have the processors.
        expect: { poll: { timeout: 50_000 } },
        env: stores[project] === undefined ? {} : { STORE: stores[project] },
      },
    })),
  },
});
