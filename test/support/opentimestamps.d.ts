/** Everything that the tests use of the package, which has no types of its own. Bytes are arrays of numbers there. */
declare module 'opentimestamps' {
  type Bytes = number[];

  class Op {
    call(message: Bytes): Bytes;
    _TAG_NAME(): string;
    readonly arg?: Bytes;
  }
  class Unary extends Op {}
  class Binary extends Op {
    constructor(argument: Bytes);
  }

  class TimeAttestation {
    _TAG(): Bytes;
    readonly uri?: string;
    readonly height?: number;
    readonly payload?: Bytes;
  }

  class Timestamp {
    constructor(message: Bytes);
    readonly msg: Bytes;
    readonly attestations: TimeAttestation[];
    readonly ops: Map<Op, Timestamp>;
    add(operation: Op): Timestamp;
    merge(other: Timestamp): void;
    static deserialize(context: object, message: Bytes): Timestamp;
  }

  class DetachedTimestampFile {
    static deserialize(bytes: Uint8Array): DetachedTimestampFile;
    static fromHash(operation: Op, digest: Uint8Array): DetachedTimestampFile;
    readonly timestamp: Timestamp;
    serializeToBytes(): Uint8Array;
  }

  const library: {
    readonly info: (file: DetachedTimestampFile, options?: { readonly verbose?: boolean }) => string;
    readonly Timestamp: typeof Timestamp;
    readonly DetachedTimestampFile: typeof DetachedTimestampFile;
    readonly Context: { readonly StreamDeserialization: new (bytes: Uint8Array) => object };
    readonly Ops: {
      readonly OpAppend: typeof Binary;
      readonly OpPrepend: typeof Binary;
      readonly OpReverse: typeof Unary;
      readonly OpSHA1: typeof Unary;
      readonly OpRIPEMD160: typeof Unary;
      readonly OpSHA256: typeof Unary;
    };
    readonly Notary: {
      readonly PendingAttestation: new (uri: string) => TimeAttestation;
      readonly BitcoinBlockHeaderAttestation: new (height: number) => TimeAttestation;
      readonly LitecoinBlockHeaderAttestation: new (height: number) => TimeAttestation;
      readonly UnknownAttestation: new (tag: Bytes, payload: Bytes) => TimeAttestation;
    };
  };
  export default library;
}
