/** Whether this run of the suites is the one on a PostgreSQL server: the project `server` (see vitest.config.ts) is. */
export const onServer = process.env.STORE === 'server';

const store = onServer ? 'a PostgreSQL server' : 'the embedded database';

/**
 * The stores that a suite runs on which says the same of every store: `describe.each(stores)('deliveries on %s', …)`. Each
 * project runs it on one of them.
 */
export const stores = [store] as const;
