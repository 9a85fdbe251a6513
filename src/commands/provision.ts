import type { Bodies } from '../../contracts/entries/entry.js';
import type { World } from '../base/world.js';
import type { Command } from './command.js';
import { system } from './open-workspace.js';
import { recording } from './record.js';

/** Gives a workspace another plan, or switches its memory API. Only the operator of the service may do it, not the people of the workspace. */
export function provision(world: World, given: Bodies['workspace.provisioned']): Command<string> {
  const record = recording(world);
  return {
    actor: system,
    reads: {},
    decide: () => record.entry({ kind: 'workspace.provisioned', body: given }, record.receipt),
  };
}
