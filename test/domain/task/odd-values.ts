/** Values on both sides of the bounds of task receipts, for every member alike. */
export const oddValues: readonly unknown[] = [
  ...[null, true, '', ' ', 'x', '@a', '@ab', 'USD', 'EUR', 'usd', 'ABCDEFGHIJK', 'resolved', 'open', 'success_rate'],
  // Times.
  ...['2026-02-29T00:00:00Z', '2024-02-29T00:00:00Z', '2026-11-22T08:00:00', '2026-11-22T24:00:00Z', '2026-11-22'],
  ...['0000-01-01T00:00:00Z', '2026-11-22T08:00:60Z', '2026-11-22 08:00:00Z', '2026-11-22t08:00:00.5z'],
  ...['2026-13-01T00:00:00Z', '2026-11-22T08:00:00+0100', '2026-11-22T08:00:00+24:00', '2026-11-22T08:00:00.Z'],
  // Lengths and characters.
  ...['a'.repeat(40), 'a'.repeat(41), 'é'.repeat(64), '😀'.repeat(64), '😀'.repeat(65), 'x'.repeat(128)],
  ...['x'.repeat(129), 'x'.repeat(1024), '😀'.repeat(1024), 'x'.repeat(1025)],
  ...['a\tb', 'a\u0085b', 'a\u2028b', '\u202e', '\u200d'],
  // Identifiers.
  ...['a--b', '-a', 'A', `rcp_${'0'.repeat(32)}`, `apr_${'a'.repeat(32)}`, `rcp_${'0'.repeat(31)}`, 'f'.repeat(32)],
  ...['0'.repeat(64), 'F'.repeat(64), '0'.repeat(16), 'A'.repeat(16), '01919f3a-5c00-7a10-8a4e-2f6f0d1c9b01'],
  // Numbers.
  ...[0, 1, -1, 0.5, 1.5, -0.000001, 1e-6, 1e-7, 0.1234567, 1e-12, 1e-13, 1e9, 1_000_000_001, 1e21, 1e300],
  ...[2 ** 53, 2 ** 53 - 1],
  // Lists and objects.
  ...[[], {}, [0], ['x'], [{}], [{ type: 'jws' }], [{ type: 1 }], [{ tool: 'a', ok: true }], [{ tool: 'a' }]],
  ...[Array(16).fill({ type: 'x' }), Array(17).fill({ type: 'x' }), Array(20).fill('x'), Array(21).fill('x')],
  ...[Array(256).fill('x'), Array(257).fill('x'), ['x'.repeat(128)], ['x'.repeat(129)], ['😀'.repeat(128)]],
  ...[Array(257).fill({ tool: 'a', ok: true }), { schema: 'counterfoil-market/1' }, { schema: 'counterfoil-market/2' }],
];

/** The places of a value that can be changed: the members of all objects, and the items of all lists in it. */
export function placesIn(value: unknown): (readonly [object, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.keys(value).map((key) => [value, key] as const);
  return [...own, ...Object.values(value).flatMap(placesIn)];
}

/** A copy of a value with another value at one of its places. @param other undefined removes what is there */
export function changed(value: unknown, at: number, other: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const places = placesIn(copy);
  const [container, key = ''] = places[at % places.length] ?? [];
  if (container && other === undefined) Reflect.deleteProperty(container, key);
  else if (container) Reflect.set(container, key, other);
  // An item that was removed from a list is null in JSON.
  return JSON.parse(JSON.stringify(copy));
}
