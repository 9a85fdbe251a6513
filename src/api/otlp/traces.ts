import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { type TracesTaken, tracesIn, tracesTaken } from '../../../contracts/otlp.js';
import { answeredBefore, onceIn, type RepeatedAnswer } from '../../commands/once.js';
import { countOf, createRefusedSpans, type RefusedSpans, remarksOf, sentencesOf } from '../../domain/otlp/refused.js';
import { Encoded } from '../answer.js';
import { bytes, type ContentHeaders, type Operation, operation } from '../operation.js';
import type { ForReceipts } from '../services.js';

const protobuf = 'application/x-protobuf';
/** More sentences help no one, and clients write them to their logs. */
const messageCharacters = 2000;

export const tracesOperation = operation({
  method: 'POST',
  path: '/v1/otlp/v1/traces',
  summary: 'Send OpenTelemetry spans; those of GenAI agents become task receipts',
  access: 'submit task receipts',
  counted: 'taskReceipts',
  serving: { ownBudget: true },
  body: bytes(tracesIn),
  alsoEncodedAs: protobuf,
  answers: { 200: tracesTaken },
  refusals: [
    'invalid_json',
    'invalid_request',
    'tenant_paused',
    'plan_action_limit',
    'meter_unavailable',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'exportTraces',
    takesMore: true,
    description:
      'OTLP over HTTP, in protobuf or JSON, with or without gzip; the answer is in the encoding of the request, and refusals are ' +
      'always JSON. Each root span of an agent or a workflow becomes one task receipt together with the GenAI spans below it; its ' +
      'receipt_id is the ids of trace and span, joined by a hyphen. Spans that come before their root wait for it for up to 10 ' +
      'minutes after the last span of the trace. Spans that are not about GenAI are ignored. An export has at most 64 MiB after ' +
      'decompression, 2,000,000 values and 20,000 spans.',
    request: {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'travel' } }] },
          scopeSpans: [
            {
              spans: [
                {
                  traceId: '5b8efff798038103d269b633813fc60c',
                  spanId: 'eee19b7ec3c1b174',
                  name: 'invoke_agent planner',
                  startTimeUnixNano: '1773480400000000000',
                  endTimeUnixNano: '1773480413000000000',
                  attributes: [
                    { key: 'gen_ai.operation.name', value: { stringValue: 'invoke_agent' } },
                    { key: 'gen_ai.agent.name', value: { stringValue: 'planner' } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    answers: {
      200: {
        description:
          'The receipts are in the ledger, and spans that wait for their root are on disk. Some may be refused.',
        body: {
          partialSuccess: {
            rejectedSpans: 1,
            errorMessage: '1 span refused: a span ends before it starts.',
          },
        },
      },
    },
  },
  async handle(
    { caller, body, content, once, lastReceipt },
    { reading: { read }, writing: { run, transaction, world }, receipts },
  ) {
    const format = formatOf(content);
    const earlier = await read((tx) => answeredBefore(tx, caller.workspaceId, once, world.now()));
    if (earlier) return inFormat(format, earlier, receipts);
    const found = await receipts.readTraces(caller.workspaceId, body, { format, gzip: isCompressed(content) });
    if ('tooLarge' in found) {
      throw new Refusal(
        'body_too_large',
        `The export is over ${limits.otlpBytes / 1024 ** 2} MiB after decompression.`,
      );
    }
    if ('unreadable' in found) {
      const sentence = `This is not an export of traces: ${found.unreadable}.`;
      throw new Refusal(format === 'json' ? 'invalid_json' : 'invalid_request', sentence);
    }
    const actor = { ...caller.actor, via: 'otlp' } as const;
    const refused = createRefusedSpans();
    refused.addAll(found.refused);
    refused.addAll(
      await receipts.recordSpans({ run, caller: { ...caller, actor }, traces: found.traces, complete: false }),
    );
    const answer = { status: 200, body: answerOf(refused.spans(), found.remarks), receipt: lastReceipt() } as const;
    const done = once
      ? await transaction((tx) => onceIn(tx, caller.workspaceId, once, world.now(), async () => answer))
      : answer;
    return inFormat(format, done, receipts);
  },
});

/** @throws Refusal invalid_request for another type than the two of OTLP */
function formatOf({ type }: ContentHeaders): 'protobuf' | 'json' {
  if (type === protobuf) return 'protobuf';
  if (type === 'application/json') return 'json';
  throw new Refusal('invalid_request', `content-type must be ${protobuf} or application/json.`);
}

/** @throws Refusal invalid_request */
function isCompressed({ encoding }: ContentHeaders): boolean {
  if (encoding === 'gzip') return true;
  if (encoding === '' || encoding === 'identity') return false;
  throw new Refusal('invalid_request', 'content-encoding must be gzip, or absent.');
}

/** @param remarks of which those with a count of spans are refusals, as those spans became no receipts */
function answerOf(refused: RefusedSpans, remarks: RefusedSpans): TracesTaken {
  const rejectedSpans = countOf(refused);
  if (rejectedSpans === 0 && remarks.size === 0) return {};
  const errorMessage = [sentencesOf(refused), remarksOf(remarks)].filter((part) => part !== '').join(' ');
  return { partialSuccess: { rejectedSpans, errorMessage: errorMessage.slice(0, messageCharacters) } };
}

type Done = RepeatedAnswer | { readonly status: 200; readonly body: TracesTaken; readonly receipt: string | null };

/** The answer in the encoding of the request. */
function inFormat(format: 'protobuf' | 'json', { body, receipt }: Done, { encodeTracesAnswer }: ForReceipts) {
  if (format === 'json') return { status: 200, body, receipt } as const;
  const { partialSuccess } = tracesTaken.parse('text' in body ? JSON.parse(body.text) : body);
  const encoded = encodeTracesAnswer(partialSuccess?.rejectedSpans ?? 0, partialSuccess?.errorMessage ?? '');
  return { status: 200, body: new Encoded(protobuf, encoded), receipt } as const;
}

export const otlpOperations: readonly Operation[] = [tracesOperation];
