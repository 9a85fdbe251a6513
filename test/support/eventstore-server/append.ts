import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import type { AppendReq, BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { deletedError, nameOf, notLeaderError, type Refusal, refusal, uuidOf } from './errors.js';
import type { Node } from './node.js';
import { type Append, type Expected, type Outcome, type Proposed, sizeOf } from './store.js';

type UnaryCall = grpc.ServerReadableStream<AppendReq, InstanceType<typeof streams.AppendResp>>;
type Answer<T> = (error: Refusal | null, value?: T) => void;

/** `Append`: one message with the options, one for each event, and one answer. */
export function append(node: Node, call: UnaryCall, answer: Answer<InstanceType<typeof streams.AppendResp>>): void {
  let to: { stream: string; expected: Expected } | undefined;
  const events: Proposed[] = [];
  call.on('data', (request: AppendReq) => {
    const options = request.getOptions();
    if (options) to = { stream: nameOf(options.getStreamIdentifier()), expected: expectedOf(options) };
    const message = request.getProposedMessage();
    if (message) events.push(proposedOf(message));
  });
  call.on('error', () => undefined);
  // A call whose connection is lost ends too, and says a moment later that it was cancelled: its events are not all of the append.
  call.on('end', () => setImmediate(() => call.cancelled || complete()));
  const complete = () => {
    const refused = node.refuse(call);
    if (refused) return answer(refused);
    if (!to) return answer(refusal(grpc.status.INVALID_ARGUMENT, 'the first message has no options'));
    const size = events.reduce((sum, event) => sum + sizeOf(event), 0);
    if (size > node.maxAppendSize) return answer(tooLarge(node.maxAppendSize));
    const done = node.commit({ ...to, events }, call);
    if (done === 'unanswered') return;
    if (done === 'timeout')
      return answer(refusal(grpc.status.ABORTED, 'Operation timed out: the write was not acknowledged.'));
    if (done === 'not-leader') return answer(notLeaderError(node.leader()));
    if (done.result === 'deleted') return answer(deletedError(to.stream));
    answer(null, unaryAnswer(to.expected, done));
  };
}

function unaryAnswer(expected: Expected, outcome: Exclude<Outcome, { result: 'deleted' }>) {
  const response = new streams.AppendResp();
  if (outcome.result === 'stored') {
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(String(outcome.revision));
    const position = new streams.AppendResp.Position();
    position.setCommitPosition(String(outcome.position));
    position.setPreparePosition(String(outcome.position));
    success.setPosition(position);
    response.setSuccess(success);
    return response;
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (outcome.current === null) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(outcome.current));
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty());
  else if (expected === 'no-stream') wrong.setExpectedNoStream(new shared.Empty());
  else if (expected === 'stream-exists') wrong.setExpectedStreamExists(new shared.Empty());
  else wrong.setExpectedRevision(String(expected));
  response.setWrongExpectedVersion(wrong);
  return response;
}

type BatchCall = grpc.ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** `BatchAppend`: many appends on one call, each collected under its correlation id until its last message. */
export function batchAppend(node: Node, call: BatchCall): void {
  const open = new Map<string, { stream: string; expected: Expected; events: Proposed[] }>();
  call.on('data', (request: BatchAppendReq) => {
    const id = uuidOf(request.getCorrelationId());
    const options = request.getOptions();
    const collected = open.get(id) ?? {
      stream: nameOf(options?.getStreamIdentifier()),
      expected: options ? expectedOfBatch(options) : 'any',
      events: [],
    };
    open.set(id, collected);
    collected.events.push(...request.getProposedMessagesList().map(proposedOf));
    if (!request.getIsFinal()) return;
    open.delete(id);
    const response = answerBatch(node, call, collected);
    if (!response) return;
    response.setCorrelationId(request.getCorrelationId());
    const identifier = new shared.StreamIdentifier();
    identifier.setStreamName(Buffer.from(collected.stream));
    response.setStreamIdentifier(identifier);
    call.write(response);
  });
  call.on('error', () => undefined);
  call.on('end', () => call.end());
}

function answerBatch(node: Node, call: BatchCall, collected: Append): BatchAppendResp | undefined {
  const size = collected.events.reduce((sum, event) => sum + sizeOf(event), 0);
  const refused = node.refuse(call);
  if (refused) {
    call.emit('error', refused);
    return undefined;
  }
  if (size > node.maxAppendSize) {
    const detail = new shared.MaximumAppendSizeExceeded();
    detail.setMaxappendsize(node.maxAppendSize);
    return batchError(grpc.status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', detail.serializeBinary());
  }
  const done = node.commit(collected, call);
  if (done === 'unanswered') return undefined;
  if (done === 'timeout')
    return batchError(grpc.status.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout().serializeBinary());
  if (done === 'not-leader') {
    call.emit('error', notLeaderError(node.leader()));
    return undefined;
  }
  if (done.result === 'deleted')
    return batchError(grpc.status.FAILED_PRECONDITION, 'StreamDeleted', new shared.StreamDeleted().serializeBinary());
  if (done.result === 'wrong-version') return batchWrongVersion(collected.expected, done.current);
  const response = new streams.BatchAppendResp();
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(String(done.revision));
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(String(done.position));
  position.setPreparePosition(String(done.position));
  success.setPosition(position);
  response.setSuccess(success);
  return response;
}

function batchWrongVersion(expected: Expected, current: number | null): BatchAppendResp {
  const wrong = new shared.WrongExpectedVersion();
  if (current === null) wrong.setCurrentNoStream(new empty.Empty());
  else wrong.setCurrentStreamRevision(String(current));
  if (expected === 'any') wrong.setExpectedAny(new empty.Empty());
  else if (expected === 'no-stream') wrong.setExpectedNoStream(new empty.Empty());
  else if (expected === 'stream-exists') wrong.setExpectedStreamExists(new empty.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  return batchError(grpc.status.FAILED_PRECONDITION, 'WrongExpectedVersion', wrong.serializeBinary());
}

function batchError(code: number, type: string, detail: Uint8Array): BatchAppendResp {
  const details = new any.Any();
  details.pack(detail, `event_store.client.${type}`);
  const status = new statuses.Status();
  status.setCode(code);
  status.setMessage(type);
  status.setDetails(details);
  const response = new streams.BatchAppendResp();
  response.setError(status);
  return response;
}

function expectedOf(options: AppendReq.Options): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no-stream';
  if (options.hasStreamExists()) return 'stream-exists';
  return Number(options.getRevision());
}

function expectedOfBatch(options: BatchAppendReq.Options): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no-stream';
  if (options.hasStreamExists()) return 'stream-exists';
  return Number(options.getStreamPosition());
}

function proposedOf(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): Proposed {
  const metadata = message.getMetadataMap();
  return {
    id: uuidOf(message.getId()),
    type: metadata.get('type') ?? '',
    contentType: metadata.get('content-type') ?? 'application/octet-stream',
    data: Uint8Array.from(message.getData_asU8()),
    customMetadata: Uint8Array.from(message.getCustomMetadata_asU8()),
  };
}

const tooLarge = (max: number): Refusal =>
  refusal(grpc.status.INVALID_ARGUMENT, `Maximum Append Size of ${max} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(max),
  });
