import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { wholeNumber } from './memory.js';

export const logAnchorsQuery = {
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

const witness = z.object({
  name: z.string(),
  key_id: z.string(),
  signed_at: z.iso.datetime().nullable().describe('As the witness says; null for a signature without a time.'),
});

const opentimestamps = z
  .object({
    state: z.enum(['pending', 'submitted', 'attested', 'confirmed']),
    submitted_at: z.iso.datetime().nullable(),
    height: z.int().nullable(),
    block_hash: z.string().nullable(),
    block_time: z.iso.datetime().nullable(),
  })
  .describe(
    'pending: nothing was submitted; submitted: calendars have promised a proof; attested: a proof names a block of Bitcoin; ' +
      'confirmed: the header of that block was checked.',
  );

const ethereum = z
  .object({
    state: z.enum(['mined', 'final', 'unproved', 'lost']),
    chain_id: z.int(),
    contract: z.string(),
    tx_hash: z.string(),
    block_number: z.int(),
    block_hash: z.string(),
    block_time: z.iso.datetime(),
  })
  .nullable()
  .describe(
    'mined: a block has it; final: the block is final, and bundles show the proof; unproved: it is final, and the node could not show ' +
      'the proof; lost: its block was replaced by one without it. Null for a checkpoint that has no transaction of its own.',
  );

const anchoredCheckpoint = z
  .object({
    size: z.int().describe('The number of leaves under the checkpoint.'),
    root: z.string(),
    signed_at: z.iso.datetime(),
    note: z.string().describe('The signed note, with the cosignatures of the witnesses.'),
    witnesses: z.array(witness),
    opentimestamps,
    ethereum,
  })
  .meta({ id: 'AnchoredCheckpoint', description: 'A checkpoint of the log, and how far it is anchored elsewhere.' });

export const logAnchors = z
  .object({ data: z.array(anchoredCheckpoint), next_cursor: z.string().nullable() })
  .meta({ id: 'LogAnchors', description: 'The newest checkpoint first.' });
