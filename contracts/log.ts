import { z } from 'zod';

export { logChain, treeOfLog } from './chains.js';

export const logKeys = z
  .object({
    data: z.array(
      z
        .object({
          id: z.string(),
          name: z.string().describe('The name of the log.'),
          verifier_key: z.string().describe('The key in the form of C2SP signed notes, for verifiers.'),
          not_before: z.iso.datetime(),
          index: z.int().describe('Its position in the log.'),
          state: z
            .enum(['in use', 'retired', 'disowned', 'unvouched'])
            .describe(
              'A retired key signs no checkpoint of more than retired_after leaves. The leaf of a disowned or unvouched key came into the log by mistake, and the log has said so, or not yet; such a key signs nothing.',
            ),
          retired_after: z
            .int()
            .nullable()
            .describe(
              'Leaves of the largest checkpoint that the key signs; null for a key in use, 0 for one that signs nothing.',
            ),
        })
        .meta({ id: 'LogKey', description: 'A key that signs, or has signed, the checkpoints of the log.' }),
    ),
  })
  .meta({ id: 'LogKeys', description: 'The oldest first.' });
