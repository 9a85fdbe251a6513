import { Refusal } from '../../../contracts/errors.js';
import { memoriesEnding } from '../../../projections/memory/queries.js';
import { isUuid } from '../../base/world.js';
import type { Caller } from '../../domain/caller.js';
import { requireAccess } from '../../domain/caller.js';
import type { WorkspaceOperation } from '../operation.js';
import type { Services } from '../services.js';

/** The digits at the end of an id that are its short form. Those at the beginning are the time, which neighbours share. */
const shortDigits = 12;

/** The short form of the id of a memory: fewer tokens for a model that reads it and repeats it. */
export const shortId = (id: string): string => id.slice(-shortDigits);

/**
 * The whole id of a memory that a caller has named by its id or by its short form. Anything else is returned as it is, for the operation to
 * refuse. Short forms are looked up among the memories that the caller reaches and no others, so that they do not say what else exists.
 * @param operation whose rights are checked first, because they are refused first
 * @throws Refusal memory_not_found, ambiguous_id, and the refusals of the rights
 */
export async function memoryIdOf(
  { access }: Pick<WorkspaceOperation, 'access'>,
  given: string,
  caller: Caller,
  { reading }: Pick<Services, 'reading'>,
): Promise<string> {
  const id = given.trim().toLowerCase();
  if (isUuid(id) || !/^[0-9a-f]{12}$/.test(id)) return id;
  requireAccess(caller, access);
  const found = await reading.read((tx) => memoriesEnding(tx, caller.workspaceId, caller.namespaceIds, id));
  const [first] = found;
  if (first === undefined) throw new Refusal('memory_not_found', `You reach no memory whose id ends with ${id}.`);
  if (found.length > 1) {
    const sentence = `Several memories have ids that end with ${id}. Send one of these whole ids: ${found.join(', ')}.`;
    throw new Refusal('ambiguous_id', sentence, { memory_ids: found });
  }
  return first;
}
