/**
 * The places at which a text has a part, also where they overlap (Knuth, Morris and Pratt, "Fast pattern matching in strings", 1977).
 * Asking `indexOf` again behind each place needs the product of both lengths for texts such as `ab-ab-ab-`.
 */
export function* occurrences(text: string, part: string): Iterable<number> {
  if (part === '') return;
  const borders = bordersOf(part);
  let same = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (same > 0 && part.charCodeAt(same) !== code) same = borders[same - 1] ?? 0;
    if (part.charCodeAt(same) === code) same += 1;
    if (same < part.length) continue;
    yield at - part.length + 1;
    same = borders[same - 1] ?? 0;
  }
}

/** For each beginning of a text, the length of its longest border: what it both starts and ends with, without the whole. */
function bordersOf(text: string): number[] {
  const borders = [0];
  let same = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (same > 0 && text.charCodeAt(at) !== text.charCodeAt(same)) same = borders[same - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(same)) same += 1;
    borders.push(same);
  }
  return borders;
}
