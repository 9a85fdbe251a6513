import type { z } from 'zod';
import { agentIdPattern } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { feedbackFile } from '../../../contracts/feedback.js';
import { storedFile } from '../../../projections/feedback/files.js';
import { RawJson } from '../../base/json-text.js';
import { isEpochId } from '../../domain/erc8004/epoch.js';
import { operation } from '../operation.js';
import { exampleNote } from '../public-log/files.js';
import { samples } from '../samples.js';
import { exampleAgentId } from './examples.js';

const example: z.infer<typeof feedbackFile> = {
  schema: 'counterfoil-feedback/1',
  agentRegistry: 'eip155:1:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432',
  agentId: 22,
  clientAddress: 'eip155:1:0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  createdAt: '2026-03-15T00:10:00.000Z',
  value: 9000,
  valueDecimals: 4,
  tag1: 'successRate',
  tag2: 'counterfoil',
  agn_id: exampleAgentId,
  epoch: '2026-03-14',
  from: '2026-03-14T00:00:00.000Z',
  to: '2026-03-15T00:00:00.000Z',
  counts: { tasks: 20, success: 18, partial: 0, error: 1, refused: 1, tool_denied: 1, policy_blocked: 0 },
  success_rate: 0.947368,
  refusal_rate: 0.05,
  latency_p50_ms: 1200,
  latency_p95_ms: 4100,
  root: samples.otherHash,
  checkpoint: exampleNote,
};

export const feedbackOperation = operation({
  method: 'GET',
  path: '/v1/agent-id/:agn_id/feedback/:epoch.json',
  summary: 'The file of a feedback about an agent in a registry of ERC-8004',
  access: 'anybody',
  serving: { publicFile: true, revalidates: true },
  answers: { 200: feedbackFile },
  refusals: ['feedback_not_found'],
  documentation: {
    id: 'getFeedback',
    description:
      'What the public receipts of an agent say about one epoch. The bytes are canonical JSON (RFC 8785); their Keccak-256 is the ' +
      '`feedbackHash` on the chain. They never change and are served permanently, also after the link of the agent has ended.',
    answers: { 200: { description: 'The file.', body: example } },
  },
  async handle({ params: { agn_id = '', epoch = '' } }, { reading: { read } }) {
    const isName = agentIdPattern.test(agn_id) && isEpochId(epoch);
    const bytes = isName ? await read((tx) => storedFile(tx, agn_id, epoch)) : null;
    if (bytes === null) throw new Refusal('feedback_not_found');
    return {
      status: 200,
      body: new RawJson(Buffer.from(bytes).toString('utf8')),
      headers: { 'cache-control': 'public, max-age=31536000, immutable, no-transform' },
    };
  },
});
