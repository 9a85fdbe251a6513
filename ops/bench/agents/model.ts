/** The arguments of a call. */
export type Args = Readonly<Record<string, unknown>>;

/** The members of the JSON Schema of a tool that are read. */
export interface Schema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
}

/** The answer to a call as a client has it. */
export interface Result {
  readonly refused: boolean;
  /** The text content, or the message of an error of JSON-RPC. */
  readonly text: string;
  /** Undefined where there is no structured content, as in refusals. */
  readonly structured: unknown;
  /** The code of a refusal. It is counted, and no model reads it. */
  readonly code: string | null;
}

/** A memory that a result names. */
export interface Named {
  readonly id: string;
  /** The text of the result about it. */
  readonly content: string;
}

/** A scripted model: how it writes arguments, and what it reads of results. */
export interface Model {
  readonly name: string;
  /** Whether it reads the instructions of the server. Not every client gives them to its model. */
  readonly isInstructed: boolean;
  /** The arguments as it writes them. @param isCareful whether it has read before that its arguments were wrong */
  sent(schema: Schema, args: Args, isCareful: boolean): Args;
  /** Everything that it reads of a result. */
  reads(result: Result): string;
  /** The sentences of a result that say what to do. */
  sentences(result: Result): string;
  /** The id of the memory that a write has stored. */
  written(result: Result): string | undefined;
  /** The other memories that a result names. */
  named(result: Result): readonly Named[];
  /** The memory of these that it takes to be about the subject. */
  picks(named: readonly Named[], subject: string): Named | undefined;
}
