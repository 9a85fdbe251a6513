import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks' as const, testTimeout: 60_000, hookTimeout: 120_000 };

/** Suites that say the same of every store: `fast` runs them on the embedded one, `server` on DATABASE_URL. */
const everyStore = [
  'test/anchoring/{anchoring,outages,together,witnesses}.test.ts',
  'test/database/{database,leases}.test.ts',
  'test/maintenance/{fsck,fsck-log,fsck-search,in-steps,rebuild,removal}.test.ts',
  'test/receipts/*.test.ts',
  'test/search/*.test.ts',
];

/** Minutes of waiting, for outages, for stores to start and to be copied: with the suites that break things. */
const slower = [
  'test/anchoring/{anchoring,outages,together,witnesses}.test.ts',
  'test/cli/{import,start}.test.ts',
  'test/http/{approvals,deliveries,every-{refusal,route},import,isolation,managed,oidc,pipeline,plans,rotation,rules,store-behind,webhooks,wrong-keys}.test.ts',
  'test/import/hostile.test.ts',
  'test/maintenance/{fsck-log,rewritten,scrub}.test.ts',
  'test/search/writing.test.ts',
];

/**
 * `fast` needs nothing but npm; `server` needs DATABASE_URL (see ops/postgres.sh); `faults` kills and breaks things;
 * `browser` needs Chromium (see ops/chromium.sh).
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: ['test/server/**', 'test/faults/**', 'test/browser/**', ...slower],
        },
      },
      {
        test: {
          ...shared,
          name: 'server',
          include: ['test/server/**/*.test.ts', 'test/faults/calls.test.ts', ...everyStore],
          env: { STORE: 'server' },
        },
      },
      {
        test: {
          ...shared,
          name: 'faults',
          include: ['test/faults/**/*.test.ts', 'test/verifier/mutations.test.ts', ...slower],
          testTimeout: 3_600_000,
          env: { MUTATIONS: process.env.MUTATIONS ?? '20000' },
        },
      },
      { test: { ...shared, name: 'browser', include: ['test/browser/**/*.test.ts'] } },
    ],
  },
});
