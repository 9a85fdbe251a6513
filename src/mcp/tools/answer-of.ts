import { Refusal } from '../../../contracts/errors.js';
import { type Call, call } from '../../api/call.js';
import type { WorkspaceOperation } from '../../api/operation.js';
import type { Arguments, Calling } from '../tool.js';
import { type ArgumentList, checkArguments, withIssues } from './arguments.js';

type Request = Pick<Call, 'params' | 'query' | 'body'>;

/**
 * The body of the answer of an operation to the arguments of a tool or a prompt.
 * @throws Refusal that names the arguments as the tool does
 */
export async function answerOf(
  operation: WorkspaceOperation,
  list: ArgumentList,
  args: Pick<Arguments, 'value'>,
  calling: Calling,
  request: Request,
): Promise<unknown> {
  const { caller, client, idempotencyKey, signal } = calling;
  const check = () => checkArguments(list, args.value);
  try {
    return (await call(operation, { caller, client, idempotencyKey, signal, check, ...request }, calling)).body;
  } catch (error) {
    throw error instanceof Refusal ? withIssues(error, list) : error;
  }
}
