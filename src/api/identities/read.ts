import type { IdentityRecord } from '../../../contracts/identities.js';
import { publicErc8004Links } from '../../../projections/agents/erc8004.js';
import { latestCheckpoint } from '../../../projections/log/queries.js';
import { type IdentityRow, identitiesFrom, identityById } from '../../../projections/registry/queries.js';
import type { Transaction } from '../../database/database.js';
import { historiesOf } from './history.js';
import { identityRecord, noHistory, unknownRecord } from './record.js';

/** The record of an identifier, also of one that was never issued here. @param origin of a log without checkpoints */
export async function recordOf(tx: Transaction, agentId: string, origin: string): Promise<IdentityRecord> {
  const row = await identityById(tx, agentId);
  const [record] = row ? await recordsOf(tx, [row], origin) : [];
  return record ?? unknownRecord(agentId);
}

/** The records of identities, newest first, without the newest `skipped` ones. */
export async function recordsFrom(
  tx: Transaction,
  skipped: number,
  limit: number,
  origin: string,
): Promise<IdentityRecord[]> {
  return recordsOf(tx, await identitiesFrom(tx, skipped, limit), origin);
}

async function recordsOf(tx: Transaction, rows: readonly IdentityRow[], origin: string): Promise<IdentityRecord[]> {
  const agentIds = rows.map(({ agent_id }) => agent_id);
  const [histories, links] = await Promise.all([historiesOf(tx, agentIds), publicErc8004Links(tx, agentIds)]);
  // The log keeps the origin with which it began when the address of the service changes.
  const [ofLog = origin] = (await latestCheckpoint(tx))?.note.split('\n', 1) ?? [];
  return rows.map((row) => {
    const { agent_id } = row;
    return identityRecord(row, histories.get(agent_id) ?? noHistory, ofLog, links.get(agent_id) ?? null);
  });
}
