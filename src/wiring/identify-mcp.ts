import { agentKeyBySecretHash } from '../../projections/agents/keys.js';
import { linkedAgent } from '../../projections/agents/queries.js';
import { liveGrant } from '../../projections/grants/queries.js';
import { noteUse } from '../../projections/uses/uses.js';
import type { World } from '../base/world.js';
import type { Database, Transaction } from '../database/database.js';
import { createNamedAgent } from '../http/identify.js';
import { createIdentifyMcp } from '../http/identify-mcp.js';
import { createNotedUses } from '../http/noted-uses.js';
import type { IdentifyMcp, VerifyAccessToken } from '../mcp/credentials.js';

interface Core {
  readonly world: World;
  readonly database: Database;
  /** Where uses are written, behind the statements of requests. */
  readonly background: Database;
}

/** How /mcp finds out who calls. */
export function wireIdentifyMcp(
  { world, database, background }: Core,
  verifyAccessToken: VerifyAccessToken,
): IdentifyMcp {
  const lookUp = <T>(begun: () => void, query: (tx: Transaction) => Promise<T>): Promise<T> =>
    database.read((tx) => {
      begun();
      return query(tx);
    });
  return createIdentifyMcp({
    findAgentKey: (hash, begun) => lookUp(begun, (tx) => agentKeyBySecretHash(tx, hash)),
    findGrant: (id, begun) => lookUp(begun, (tx) => liveGrant(tx, id, world.now())),
    verifyAccessToken,
    namedAgent: createNamedAgent((id, by) => database.read((tx) => linkedAgent(tx, id, by))),
    noteUse: createNotedUses(world.now, (id, at) => background.transaction((tx) => noteUse(tx, id, at))),
  });
}
