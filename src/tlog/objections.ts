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
 * together, so nothing is signed until the operator has decided about it. It is stored outside of the database.
 */
export interface Objections {
  /** The objections that the operator has not decided about. */
  open(): readonly Objection[];
  /** Durable when it returns. The same one again, or another of a witness that has an open one, changes nothing. */
  record(objection: Objection): void;
  /** Records that the log will be signed in spite of all open objections. */
  dismiss(): void;
}
