/** The result of one public test vector. */
export interface Outcome {
  readonly name: string;
  readonly right: boolean;
}

/** Runs every vector of a folder. */
export type Suite = (folder: string) => Iterable<Outcome>;
