/** Everything that the metadata of a stream says of its events: each of these hides old ones at once. */
export interface StreamMetadata {
  readonly $maxCount?: number;
  /** Seconds. */
  readonly $maxAge?: number;
  /** The first revision that is shown. */
  readonly $tb?: number;
}

/** How many of the first events are hidden. */
export function hiddenBefore(
  { $maxCount, $maxAge, $tb }: StreamMetadata,
  events: readonly { readonly createdMs: number }[],
): number {
  const oldest = $maxAge === undefined ? 0 : Date.now() - 1000 * $maxAge;
  const aged = $maxAge === undefined ? 0 : events.findIndex(({ createdMs }) => createdMs >= oldest);
  return Math.min(
    events.length,
    Math.max($tb ?? 0, $maxCount === undefined ? 0 : events.length - $maxCount, aged === -1 ? events.length : aged),
  );
}
