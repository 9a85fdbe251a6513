import { round } from './svg.js';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const dayMs = 86_400_000;

/** A line through the values of days, with its last point marked; nothing below two days. Days without a value are passed over. */
export function sparkline(
  history: readonly { readonly day: string; readonly value: string }[],
  { left, top, right, bottom }: Box,
  colour: string,
): string[] {
  const days = history.map(({ day, value }) => ({ at: Date.parse(day) / dayMs, value: Number(value) }));
  const [first, last] = [days[0], days[days.length - 1]];
  if (first === undefined || last === undefined || first.at === last.at) return [];
  const values = days.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const points = days.map(({ at, value }) => {
    const x = left + ((right - left) * (at - first.at)) / (last.at - first.at);
    const y = most === least ? (top + bottom) / 2 : bottom - ((bottom - top) * (value - least)) / (most - least);
    return `${round(x)} ${round(y)}`;
  });
  const [endX, endY] = (points[points.length - 1] ?? '').split(' ');
  const line = `M${points.join('L')}`;
  return [
    `<path d="${line}L${round(right)} ${round(bottom + 3)}L${round(left)} ${round(bottom + 3)}Z" fill="${colour}" fill-opacity="0.14"/>`,
    `<path d="${line}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"/>`,
    `<circle cx="${endX}" cy="${endY}" r="2.4" fill="${colour}"/>`,
  ];
}
