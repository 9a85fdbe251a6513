/** A witness's word that it has signed more of this log than there is, or another log of the same name. */
export interface Objection {
  readonly witness: string;
  /** Leaves that the witness has signed. */
  readonly size: number;
  /** A sentence. */
  readonly reason: string;
}

/**
 * What witnesses hold against this log. An objection is evidence that the store and the memory of its signer were set back
 * together, so nothing is signed until whoever runs the service has decided about it. Kept outside of the store.
 */
export interface Objections {
  /** Those that nobody has decided about. */
  open(): readonly Objection[];
  /** Durable when it returns. The same one again, or another of a witness that has an open one, changes nothing. */
  record(objection: Objection): void;
  /** Records that all that are open are to be signed over. */
  dismiss(): void;
}
