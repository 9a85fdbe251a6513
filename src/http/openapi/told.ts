/** What is told of an operation beyond what its route says: its name, and what a call of it looks like. */
export interface Told {
  /** The operationId: a name for generated clients. */
  readonly id: string;
  /** The name of its body's shape. */
  readonly body?: string;
  /** Sentences for whoever writes a client. */
  readonly description?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Members of the body, or text where the body is not read as an object. */
  readonly request?: unknown;
  /** Status → what comes with it. `says` stands in the place of the shape's own description. */
  readonly answers: Readonly<Record<number, { readonly says?: string; readonly body: unknown }>>;
}

/** By method and path as OpenAPI writes it. */
export type Book = Readonly<Record<string, Told>>;
