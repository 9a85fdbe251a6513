import { z } from 'zod';
import { field } from '../../../contracts/input.js';
import { memoryDeleted } from '../../../contracts/memory.js';
import { memoryDeleteOperation } from '../../api/memories/one.js';
import { memoryIdOf, shortId } from '../../api/memories/short-id.js';
import type { Tool } from '../tool.js';
import { argument, argumentList } from './argument-list.js';
import { answerOf } from './arguments.js';

const list = argumentList('invalid_request', {
  id: argument(field(z.string().min(1), 'invalid_request'), 'Id of the memory, short or whole.'),
  reason: argument(field(z.string().optional(), 'invalid_request'), 'Why, for the person who confirms it; not stored.'),
});

export const forget: Tool = {
  needs: memoryDeleteOperation,
  definition: {
    name: 'forget',
    title: 'Forget a memory',
    description:
      'Forget and erase one stored memory permanently, such as a fact that is wrong or private. Its receipt stays.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
  async call(args, calling) {
    const { id } = args.value;
    const known =
      typeof id === 'string' ? await memoryIdOf(memoryDeleteOperation, id, calling.caller, calling.services) : '';
    const params = { memory_id: known };
    const deleted = memoryDeleted.parse(await answerOf(memoryDeleteOperation, list, args, calling, { params }));
    return {
      text: `Forgotten: ${shortId(deleted.id)}, receipt ${deleted.receipt_id}.`,
      structured: { memory_id: deleted.id, deleted: true, receipt_id: deleted.receipt_id },
    };
  },
};
