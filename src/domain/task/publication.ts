import type { Publication } from '../../../contracts/entries/task.js';
import type { NamedTask } from '../../../contracts/task-receipt.js';
import { publicName } from '../public-name.js';

/** The identity to which the handle of a receipt is linked with proof. */
interface ProvedIdentity {
  readonly agentId: string;
  readonly vendor: string | null;
}

/**
 * How the public sees a task receipt.
 * @param workspace the public tag of the workspace
 */
export function publicationOf(workspace: string, task: NamedTask, identity: ProvedIdentity | undefined): Publication {
  return {
    workspace,
    agent_id: identity?.agentId ?? null,
    vendor: publicName(task.market?.vendor) ?? publicName(identity?.vendor) ?? task.platform,
  };
}
