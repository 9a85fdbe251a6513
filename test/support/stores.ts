/** Whether this run of the suites is one on a PostgreSQL server: those of `server` and `distributed` are (see vitest.config.ts). */
export const onServer = process.env.STORE === 'server' || process.env.STORE === 'engines';

/** Whether the services of this run also use EventStoreDB, Elasticsearch and Kafka. */
export const onEngines = process.env.STORE === 'engines';

const names = { true: 'a PostgreSQL server', false: 'the embedded database' } as const;
const store = onEngines ? 'all engines' : names[`${onServer}`];

/**
 * The stores that a suite runs on which says the same of every store: `describe.each(stores)('deliveries on %s', …)`. Each
 * project runs it on one of them.
 */
export const stores = [store] as const;
