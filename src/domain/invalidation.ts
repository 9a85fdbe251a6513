/** Since when a memory is not valid any more, and why. */
interface Invalidation {
  readonly at: string;
  readonly reason: string | null;
}

/** A sentence for people. The reason is quoted: a caller has written it. */
export function invalidatedSentence({ at, reason }: Invalidation): string {
  return `It was invalidated on ${at.slice(0, 10)}${reason === null ? '' : `: ${JSON.stringify(reason)}`}.`;
}
