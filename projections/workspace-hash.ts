/** SQL of the hash of a text in a workspace. As a key of an index it takes a third of the two. */
export const hashIn = (workspace: string, text: string): string =>
  `hashtextextended(${text}, uuid_hash_extended(${workspace}, 0))`;
