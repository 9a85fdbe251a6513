/** A memory that an import writes. */
export interface ImportedMemory {
  readonly content: string;
  /** JSON text. */
  readonly metadata: string;
  readonly source: string | null;
  readonly playground: boolean;
  /** Without it, the default namespace. */
  readonly namespace: string | undefined;
  /** The reason, of a memory that was invalidated where it comes from; otherwise null. */
  readonly invalidated: string | null;
  /** Sentences without a full stop: values that the reader did not understand, and where they are now. */
  readonly assumed?: readonly string[];
}

/** One memory of what is imported: the memory, or a sentence that says why it cannot be one, or why it must not be written. */
export interface ImportItem {
  /** Where it is in what is imported, for people. */
  readonly place: string;
  readonly memory: ImportedMemory | LeftOut | string;
}

/** A memory that was deleted in the service that it comes from: it is not written, and nothing is missing without it. */
export class LeftOut {
  /**
   * @param reason a sentence without a full stop
   * @param source the source of the memory, had it been written
   */
  constructor(
    readonly reason: string,
    readonly source: string,
  ) {}
}

/** Remarks of a reader about all that is imported. */
export interface ImportReport {
  /** Memories are missing in what is imported: a page, or the end of a list. */
  incomplete(sentence: string): void;
  /** Something was not read, or was taken for something, without the loss of a memory. */
  assumed(place: string, sentence: string): void;
}

/** Thrown when a record of another service cannot become a memory. The message says why, for people. */
export class NotImportable extends Error {}

/** A memory of another service, and what is known about its origin there. The service that imports sets its own provenance. */
interface Foreign {
  readonly content: string;
  /** The JSON text of its metadata there, an object. */
  readonly metadata: string;
  /** JSON text: the origin, as the member `imported` of the metadata. */
  readonly imported: string;
  readonly source: string;
  readonly assumed?: readonly string[];
}

/** Adds the origin to the metadata. The other members keep their order and the spelling of their numbers. */
export function importedMemory({ content, metadata, imported, source, assumed = [] }: Foreign): ImportedMemory {
  const members = metadata.trim().slice(1, -1).trim();
  const all = `{${members === '' ? '' : `${members},`}"imported":${imported}}`;
  return { content, metadata: all, source, playground: false, namespace: undefined, invalidated: null, assumed };
}
