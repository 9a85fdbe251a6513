/** A body of several kinds: a member whose value names the kind, and the members that only some kinds have. */
export interface BodyKinds {
  readonly by: string;
  /**
   * Value of that member → the name of the shape, the members that it needs, and those that it may have. Members that no kind
   * names belong to all kinds.
   */
  readonly of: Readonly<
    Record<string, { readonly name: string; readonly needs: readonly string[]; readonly takes: readonly string[] }>
  >;
}

/** The description of an operation beyond its shapes: names for clients, sentences, and an example. */
export interface Documentation {
  /** The operationId: a name for generated clients. */
  readonly id: string;
  /** The name of the shape of its body. */
  readonly body?: string;
  /** The kinds of its body, where the members depend on the value of one of them. */
  readonly bodyKinds?: BodyKinds;
  /** Whether the body may have members that its shape does not name. */
  readonly takesMore?: true;
  /** Sentences for people who write a client. */
  readonly description?: string;
  /** Whether its answer says when a search engine has not confirmed a deletion. */
  readonly erases?: true;
  /** Whether it changes only what is no history, so that it never has a receipt. */
  readonly recordsNothing?: true;
  /** The query of the example. */
  readonly query?: Readonly<Record<string, string>>;
  /** The body of the example. */
  readonly request?: unknown;
  /** Status → the answer of the example. `description` replaces the description of the shape. */
  readonly answers: Readonly<Record<number, { readonly description?: string; readonly body: unknown }>>;
}
