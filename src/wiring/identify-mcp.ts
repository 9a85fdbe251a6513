import { agentKeyBySecretHash } from '../../projections/agents/keys.js';
import { linkedAgent } from '../../projections/agents/queries.js';
import { noteUse } from '../../projections/uses/uses.js';
import type { Database } from '../adapters/database/database.js';
import { createNamedAgent } from '../http/identify.js';
import { createIdentifyMcp } from '../http/identify-mcp.js';
import { createNotedUses } from '../http/noted-uses.js';
import type { IdentifyMcp } from '../mcp/credentials.js';
import type { World } from '../world.js';

interface Core {
  readonly world: World;
  readonly database: Database;
  /** Where uses are written, behind the statements of requests. */
  readonly background: Database;
}

/** How /mcp finds out who calls. */
export function wireIdentifyMcp({ world, database, background }: Core): IdentifyMcp {
  return createIdentifyMcp({
    findAgentKey: (hash, begun) =>
      database.read((tx) => {
        begun();
        return agentKeyBySecretHash(tx, hash);
      }),
    namedAgent: createNamedAgent((id, by) => database.read((tx) => linkedAgent(tx, id, by))),
    noteUse: createNotedUses(world.now, (id, at) => background.transaction((tx) => noteUse(tx, id, at))),
  });
}
