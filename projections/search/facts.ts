import { naming } from '../../src/domain/rank/facts.js';
import { termOf } from './blocks.js';

const named = (key: string): string =>
  `case when jsonb_typeof(m.metadata -> '${key}') = 'string' then nullif(btrim(m.metadata ->> '${key}'), '') end`;

/** The longest name that is compared, in characters. */
const longestName = 100;

/**
 * SQL of who said or wrote the memory `m`: `speaker`, `author` or `role` of its metadata, else the name before its text. It is a
 * hash that is seeded with the namespace, so that nothing readable is stored.
 */
export const whoOf = (speaker: string, namespaceId: string): string =>
  whoHash(`coalesce(${naming.map(named).join(', ')}, ${speaker})`, namespaceId);

/** SQL of the hash of a name. */
export const whoHash = (name: string, namespaceId: string): string =>
  termOf(`lower(left(${name}, ${longestName}))`, namespaceId);
