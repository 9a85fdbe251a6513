import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Which tests belong to which project. A test file says so itself in its first line, `// @projects slow server`; without
 * that line it belongs to `fast`.
 *
 * - `fast` needs nothing but npm, and takes two minutes.
 * - `slow` kills processes, fills disks and waits for outages. Some of its tests need DATABASE_URL (see ops/postgres.sh).
 * - `alone` is those of the slow tests that replace modules or measure their process, each file in a process of its own.
 * - `server` is the suites that run on every store, here on the PostgreSQL server that DATABASE_URL names.
 * - `browser` needs Chromium (see ops/chromium.sh).
 * - `engines` uses real servers of Kafka and Elasticsearch, which KAFKA_BROKERS and ELASTICSEARCH_URL name (see ops/engines).
 * - `distributed` is twelve suites of HTTP and MCP with services that use PostgreSQL, the protocol of EventStoreDB, Elasticsearch
 *   and Kafka: those that touch what differs there, which is appends, replays, erasing, search and the end of streams.
 *
 * One project is named by no file: `server-http` is all suites of HTTP and MCP among those of `server`, with PostgreSQL alone. CI
 * runs them on the embedded database, as files of `fast` and `slow`, and `npm run test:server` on PostgreSQL too.
 */
const declared = ['fast', 'slow', 'alone', 'server', 'browser', 'engines', 'distributed'] as const;
const projects = [...declared, 'server-http'] as const;

/** These break a table of the database to see an append fail, so CI runs them with PostgreSQL alone too. */
const breaksTables = /^test\/http\/(availability|task-leaks)\.test\.ts$/;

function projectsOf(file: string): readonly string[] {
  const [, named] = /^\/\/ @projects (.+)\n/.exec(readFileSync(file, 'utf8')) ?? [];
  const all = named?.split(' ') ?? ['fast'];
  const unknown = all.find((name) => !declared.some((project) => project === name));
  if (unknown !== undefined) throw new Error(`${file} is in the project ${unknown}, and there is none of that name.`);
  const isOfHttp =
    all.includes('server') &&
    /^test\/(account|http|mcp|oauth|receipts|terminal)\//.test(file) &&
    !breaksTables.test(file);
  return isOfHttp ? [...all.filter((name) => name !== 'server'), 'server-http'] : all;
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
    reporters: ['default', './test/support/slowest.ts'],
    projects: projects.map((project) => ({
      test: {
        name: project,
        include: files.filter(({ projects }) => projects.includes(project)).map(({ name }) => name),
        pool: 'forks' as const,
        // One process imports the service once, for all of its files: an import takes two seconds.
        isolate: project === 'alone',
        // A test's embedded database lives for seconds. Optimizing its code would take longer than it can save: six slow files
        // took 100 s of processor time with it, and 84 s without.
        execArgv: ['fast', 'slow', 'browser'].includes(project) ? ['--liftoff-only'] : [],
        testTimeout: ['slow', 'alone', 'engines'].includes(project) ? 3_600_000 : 60_000,
        hookTimeout: 120_000,
        env: stores[project] === undefined ? {} : { STORE: stores[project] },
      },
    })),
  },
});
