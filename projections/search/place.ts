/** The position of a document: its namespace and its number in the order of writing. */
export interface Place {
  readonly namespaceId: string;
  readonly seq: number;
}
