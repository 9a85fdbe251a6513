/** The description of an operation beyond its shapes: names for clients, sentences, and an example. */
export interface Documentation {
  /** The operationId: a name for generated clients. */
  readonly id: string;
  /** The name of the shape of its body. */
  readonly body?: string;
  /** Whether the body may have members that its shape does not name. */
  readonly takesMore?: true;
  /** Sentences for people who write a client. */
  readonly description?: string;
  /** Whether its answer says when a search engine has not confirmed a deletion. */
  readonly erases?: true;
  /** The query of the example. */
  readonly query?: Readonly<Record<string, string>>;
  /** The body of the example. */
  readonly request?: unknown;
  /** Status → the answer of the example. `description` replaces the description of the shape. */
  readonly answers: Readonly<Record<number, { readonly description?: string; readonly body: unknown }>>;
}
