import { Refusal } from '../../../contracts/errors.js';
import type { Caller } from '../../domain/caller.js';
import type { Services } from '../services.js';

/** @throws Refusal admin_required */
export async function requireOperator(
  { reading: { read }, access: { operators } }: Pick<Services, 'reading' | 'access'>,
  { actor }: Pick<Caller, 'actor'>,
): Promise<void> {
  if (!(await read((tx) => operators.includes(tx, actor.id)))) {
    throw new Refusal('admin_required', 'Only an operator of the service may do this.');
  }
}
