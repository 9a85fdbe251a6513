/** One request, by whoever holds the key of the bench. */
export interface StallRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Made when it is sent. */
  body?(): string | Uint8Array;
}

/** Bodies that are dear to read, check or answer. */
export const stallBodies: readonly StallRequest[] = [];
