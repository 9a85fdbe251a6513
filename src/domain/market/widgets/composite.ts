import { changeText, levelText } from './numbers.js';
import { changeFill, type Frame, layoutOf, momentText, round, type Theme, textLine, textWidth, widget } from './svg.js';

/** The composite index as the feed shows it. Numbers are its decimal digits. */
export interface Composite {
  readonly asOf: string;
  readonly value: string;
  readonly change: string | null;
  /** Closed days, oldest first. */
  readonly history: readonly { readonly day: string; readonly value: string }[];
}

/** The value of the composite index, its change of the day and its last 30 days. @param composite null while it has no value */
export function compositeWidget(composite: Composite | null, frame: Frame): string {
  return widget(frame, (colours) => {
    if (composite === null) {
      return {
        title: 'CFX composite index: no data yet',
        description: 'The composite index has no value yet.',
        elements: withoutValue(frame, colours),
      };
    }
    const { value, change, asOf } = composite;
    const changed = change === null ? '' : changeText(change);
    return {
      title: `CFX composite index: ${levelText(value)}${changed === '' ? '' : `, ${changed} today`}`,
      description: `Composite index ${value}, change of the day ${change === null ? 'unknown' : `${change} percent`}, as of ${asOf}.`,
      elements: withValue(composite, changed, frame, colours),
    };
  });
}

const name = 'CFX Composite';

function withoutValue(frame: Frame, { soft }: Theme): string[] {
  const { left, room, labelSize, labelY, mainY, mainSize } = layoutOf(frame);
  return [
    textLine(name, { x: left, y: labelY, size: labelSize, room, fill: soft, weight: 600 }),
    textLine('no data yet', { x: left, y: mainY, size: mainSize * 0.7, room, fill: soft }),
  ];
}

function withValue(
  { value, change, history, asOf }: Composite,
  changed: string,
  frame: Frame,
  colours: Theme,
): string[] {
  const layout = layoutOf(frame);
  const { isSmall, left, right, room, labelSize, labelY, mainSize, footY, footSize } = layout;
  const shown = levelText(value);
  const changeSize = isSmall ? 12 : 14;
  const changeRoom = Math.min(room * 0.6, textWidth(changed, changeSize));
  const { box, valueY, valueRoom } = places(shown, history.length > 1, layout, frame);
  const label = textWidth(name, labelSize) > room - changeRoom - 6 ? 'CFX' : name;
  const lines = [
    textLine(label, {
      x: left,
      y: labelY,
      size: labelSize,
      room: room - changeRoom - 6,
      fill: colours.soft,
      weight: 600,
    }),
    ...(box === null ? [] : sparkline(history, box, colours.accent)),
    textLine(shown, { x: left, y: valueY, size: mainSize, room: valueRoom, fill: colours.ink, weight: 700 }),
  ];
  if (changed !== '') {
    const fill = changeFill(change ?? '0', colours);
    const own = { x: right, y: labelY, size: changeSize, room: changeRoom, fill } as const;
    lines.push(textLine(changed, { ...own, weight: 600, isRight: true }));
  }
  if (!isSmall) lines.push(textLine(momentText(asOf), { x: left, y: footY, size: footSize, room, fill: colours.soft }));
  return lines;
}

/** Where the value and the line of days are: side by side, and in a narrow and high widget one above the other. */
function places(shown: string, hasLine: boolean, layout: ReturnType<typeof layoutOf>, { width, height }: Frame) {
  const { isSmall, left, right, room, labelY, mainY, mainSize, footY, footSize, margin } = layout;
  if (!hasLine) return { box: null, valueY: mainY, valueRoom: room };
  const bottom = isSmall ? height - margin - 3 : footY - footSize - 7;
  if (!isSmall && width < 240 && height > 110) {
    const valueY = labelY + mainSize + 10;
    return { box: { left, right: right - 3, top: valueY + 12, bottom }, valueY, valueRoom: room };
  }
  const valueRoom = Math.min(textWidth(shown, mainSize), room * 0.68);
  const lineLeft = Math.max(left + valueRoom + 10, left + room * 0.5);
  return { box: { left: lineLeft, right: right - 3, top: labelY + 10, bottom }, valueY: mainY, valueRoom };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const dayMs = 86_400_000;

/** A line through the values of days, with its last point marked; nothing below two days. Days without a value are passed over. */
function sparkline(
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
