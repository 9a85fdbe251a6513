import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import grpc from '@grpc/grpc-js';

/** An error of a call with its trailers, as the client reads it. */
export type Refusal = Error & Pick<grpc.StatusObject, 'code' | 'details' | 'metadata'>;

export function refusal(code: grpc.status, details: string, trailers: Readonly<Record<string, string>> = {}): Refusal {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

export const notLeaderError = ({ host, port }: Address): Refusal =>
  refusal(grpc.status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

export const deletedError = (stream: string): Refusal =>
  refusal(grpc.status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const deniedError = (): Refusal =>
  refusal(grpc.status.UNAUTHENTICATED, 'Access Denied.', { exception: 'access-denied' });

export const nameOf = (identifier: StreamIdentifier | undefined): string =>
  identifier ? Buffer.from(identifier.getStreamName_asU8()).toString() : '';

export function uuidOf(uuid: UUID | undefined): string {
  const structured = uuid?.getStructured();
  if (!structured) return uuid?.getString() ?? '';
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(structured.getMostSignificantBits())), 0);
  bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(structured.getLeastSignificantBits())), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
