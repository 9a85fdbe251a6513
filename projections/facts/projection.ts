import type { EntryOf } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { type Fact, factOf, isIdentity, type Place } from '../../src/domain/market/fact.js';
import { privateIds, publicStatements } from '../../src/domain/market/statements.js';
import { gather, insertRows, type Projection } from '../projection.js';
import { capabilitiesOf, handlesOf, monthsOf } from './sums.js';
import { factIndexes, factTables } from './tables.js';

/** A task receipt that is public, with its facts. */
interface Public {
  readonly entry: EntryOf<'task'>;
  readonly fact: Fact;
}

/**
 * The facts of public task receipts, from which every public figure is computed. The rows depend on the entries only, and
 * not on the order in which entries of different chains arrive. A receipt that is not public has no row.
 */
export const factsProjection: Projection = {
  name: 'facts',
  version: 5,
  tables: [
    'facts',
    'fact_statements',
    'fact_private_ids',
    'fact_attestations',
    'fact_handles',
    'fact_months',
    'fact_capabilities',
  ],
  reveals: {},
  ddl: factTables,
  indexes: factIndexes,
  fold: gather({ task: publicOf }, async (tx, found) => {
    const facts = found.map(({ fact }) => fact);
    const ofIdentities = facts.filter(({ agent }) => isIdentity(agent));
    await Promise.all([
      insertRows(tx, 'facts', facts),
      insertRows(tx, 'fact_statements', found.flatMap(statementRows)),
      insertRows(tx, 'fact_private_ids', found.flatMap(privateRows)),
      insertRows(tx, 'fact_attestations', found.flatMap(attestationRows)),
      addHandles(tx, handlesOf(facts)),
      addRows(tx, 'fact_months', monthsOf(ofIdentities), '(agent, month)', `${sums}, ${monthSums}`),
      addRows(tx, 'fact_capabilities', capabilitiesOf(ofIdentities), '(agent, capability)', sums),
    ]);
  }),
};

function publicOf({ entry, hash }: RecordedOf<'task'>): Public[] {
  const fact = factOf(entry, hash);
  return fact === null ? [] : [{ entry, fact }];
}

const placeOf = ({ recorded_ms, hash }: Fact): Place => ({ recorded_ms, hash });

function statementRows({ entry, fact }: Public): object[] {
  const { workspace, seq, ended_ms } = fact;
  const common = { ...placeOf(fact), workspace, seq, ended_ms };
  return publicStatements(entry.body.task.market).map((one) => ({ ...common, ...one }));
}

function privateRows({ entry, fact }: Public): object[] {
  const ids = privateIds(entry.body.task);
  return ids === null ? [] : [{ ...placeOf(fact), workspace_id: entry.workspace_id, ...ids }];
}

/** One row for each JWS and DSSE, whether it was checked or not. */
function attestationRows({ entry, fact }: Public): object[] {
  const { attestations = [] } = entry.body.task;
  return attestations.flatMap(({ type }, position) => {
    if (type !== 'jws' && type !== 'dsse') return [];
    const { state, signer } = entry.body.attestation_checks[position] ?? { state: 'not_checked', signer: null };
    // The id of an attestation key is private. The public sees whose admin has added the key.
    const issuer = signer === null || isIdentity(signer) ? signer : fact.workspace;
    return [{ ...placeOf(fact), position, agent: fact.agent, type, issuer, verified: state === 'verified' }];
  });
}

/** The changes of rows that exist already. None depends on the order in which rows are added. */
const sums = `tasks = t.tasks + excluded.tasks, first_ms = least(t.first_ms, excluded.first_ms),
  last_ms = greatest(t.last_ms, excluded.last_ms)`;
const monthSums = `successes = t.successes + excluded.successes, failures = t.failures + excluded.failures,
  violated = t.violated + excluded.violated`;

/** Inserts rows, and adds those whose key is there already to the existing ones, in one statement. */
async function addRows(tx: Transaction, table: string, rows: readonly object[], key: string, change: string) {
  if (rows.length === 0) return;
  await tx.query(
    `insert into ${table} as t select * from json_populate_recordset(null::${table}, $1::json)
     on conflict ${key} do update set ${change}`,
    [JSON.stringify(rows)],
  );
}

/** Stores the handles whose agent is another one than before. The entries of a chain arrive in their order. */
async function addHandles(tx: Transaction, rows: readonly object[]): Promise<void> {
  await tx.query(
    `insert into fact_handles select r.workspace, r.handle, r.from_seq, r.agent
       from json_to_recordset($1::json) r(workspace text, handle text, from_seq bigint, agent text, previous text)
      where r.agent is distinct from coalesce(r.previous, (
        select h.agent from fact_handles h where h.workspace = r.workspace and h.handle = r.handle
         order by h.from_seq desc limit 1))`,
    [JSON.stringify(rows)],
  );
}
