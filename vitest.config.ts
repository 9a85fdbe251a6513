import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks' as const, testTimeout: 60_000, hookTimeout: 120_000 };

/** Suites that say the same of every store: `fast` runs them on the embedded one, `server` on DATABASE_URL. */
const everyStore = [
  'test/database/database.test.ts',
  'test/maintenance/{fsck,fsck-log,rebuild}.test.ts',
  'test/search/*.test.ts',
];

/** `fast` needs nothing but npm; `server` needs DATABASE_URL (see ops/postgres.sh); `faults` kills and breaks things. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: ['test/server/**', 'test/faults/**'],
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
      { test: { ...shared, name: 'faults', include: ['test/faults/**/*.test.ts'], testTimeout: 3_600_000 } },
    ],
  },
});
