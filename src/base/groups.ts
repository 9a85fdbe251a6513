/** Groups values by key. Groups, and the values in them, keep the order of the input. */
export function groupedBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

/**
 * Divides items into groups, in their order: each takes as many as fit into `most.size` and `most.items` together. An item that
 * is larger by itself is a group of its own.
 */
export function inGroups<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  most: { readonly size: number; readonly items?: number },
): T[][] {
  const groups: T[][] = [];
  let room = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const group = groups.at(-1);
    if (group && size <= room && group.length < (most.items ?? Number.POSITIVE_INFINITY)) group.push(item);
    else {
      groups.push([item]);
      room = most.size;
    }
    room -= size;
  }
  return groups;
}
