import { changeText, countText, priceText } from './numbers.js';
import {
  changeFill,
  type Frame,
  layoutOf,
  momentText,
  type Theme,
  textAfter,
  textLine,
  textWidth,
  widget,
} from './svg.js';

/** A ticker as the feed shows it. Numbers are its decimal digits. */
export interface Quote {
  readonly asOf: string;
  readonly price: string | null;
  readonly change: string | null;
  /** Of 24 hours. */
  readonly tasks: string;
}

/** The price of a capability, its change and its tasks of 24 hours. @param quote null where there was no task in 30 days */
export function tickerWidget(symbol: string, quote: Quote | null, frame: Frame): string {
  return widget(frame, (colours) => {
    if (quote === null) {
      return {
        title: `${symbol}: not traded in 30 days`,
        description: `There was no task of the capability ${symbol} in 30 days.`,
        elements: untraded(symbol, frame, colours),
      };
    }
    const { price, change, tasks, asOf } = quote;
    const texts = textsOf(quote);
    const changed = texts.change === '' ? '' : `, ${texts.change}`;
    return {
      title: `${symbol}: ${texts.price}${changed}, ${texts.tasks} in 24 h`,
      description:
        `${symbol}: price ${price === null ? 'unknown' : `${price} US dollars`}, change ${change === null ? 'unknown' : `${change} percent`}, ` +
        `tasks in 24 hours ${tasks}, as of ${asOf}.`,
      elements: frame.width < 240 ? inRows(symbol, quote, frame, colours) : inLine(symbol, quote, frame, colours),
    };
  });
}

function untraded(symbol: string, frame: Frame, { soft }: Theme): string[] {
  const { left, room, labelSize, labelY, mainY, mainSize } = layoutOf(frame);
  return [
    textLine(symbol, { x: left, y: labelY, size: labelSize, room, fill: soft, font: 'mono', weight: 600 }),
    textLine('not traded in 30 days', { x: left, y: mainY, size: mainSize * 0.62, room, fill: soft }),
  ];
}

const textsOf = ({ price, change, tasks }: Quote) => ({
  price: price === null ? 'no price' : priceText(price),
  change: change === null ? '' : changeText(change),
  tasks: `${countText(tasks)} ${tasks === '1' ? 'task' : 'tasks'}`,
});

/** The price, or that there is none. */
function priceLine(quote: Quote, size: number, { ink, soft }: Theme) {
  return quote.price === null
    ? ({ size: size * 0.65, fill: soft, weight: 400 } as const)
    : ({ size, fill: ink, weight: 700 } as const);
}

/** In a narrow widget: symbol, price, and change with tasks below each other. */
function inRows(symbol: string, quote: Quote, frame: Frame, colours: Theme): string[] {
  const { isSmall, left, right, room, labelSize, labelY, footSize } = layoutOf(frame);
  const { price, change, tasks } = textsOf(quote);
  const footY = frame.height - (isSmall ? 8 : 16);
  const mainY = (labelY + footY) / 2 + (isSmall ? 1.5 : 9);
  const changeRoom = Math.min(room * 0.55, textWidth(change, 11));
  const fill = changeFill(quote.change ?? '0', colours);
  const symbolLine = { x: left, size: labelSize, room, fill: colours.soft, font: 'mono', weight: 600 } as const;
  return [
    textLine(symbol, { ...symbolLine, y: isSmall ? labelY - 2 : labelY }),
    textLine(price, { x: left, y: mainY, room, ...priceLine(quote, isSmall ? 17 : 30, colours) }),
    ...(change === '' ? [] : [textLine(change, { x: left, y: footY, size: 11, room: changeRoom, fill, weight: 600 })]),
    textLine(tasks, {
      x: change === '' ? left : right,
      y: footY,
      size: footSize,
      room: room - changeRoom - 8,
      fill: colours.soft,
      isRight: change !== '',
    }),
  ];
}

/** In a wide widget: the change follows the price. */
function inLine(symbol: string, quote: Quote, frame: Frame, colours: Theme): string[] {
  const { isSmall, left, right, room, labelSize, labelY, mainY, mainSize, footY, footSize } = layoutOf(frame);
  const { price, change, tasks } = textsOf(quote);
  const changeSize = isSmall ? 12.5 : 16;
  const changeRoom = change === '' ? 0 : textWidth(change, changeSize) + changeSize * 0.7;
  const after = change === '' ? '' : textAfter(change, changeSize, changeFill(quote.change ?? '0', colours));
  const foot = isSmall ? tasks : `${tasks} in 24 h`;
  const moment = momentText(quote.asOf);
  const footRoom = textWidth(foot, footSize);
  const soft = { size: footSize, fill: colours.soft } as const;
  const symbolRoom = isSmall ? room - footRoom - 10 : room;
  return [
    textLine(symbol, {
      x: left,
      y: labelY,
      size: labelSize,
      room: symbolRoom,
      fill: colours.soft,
      font: 'mono',
      weight: 600,
    }),
    textLine(price, { x: left, y: mainY, room: room - changeRoom, after, ...priceLine(quote, mainSize, colours) }),
    isSmall
      ? textLine(foot, { ...soft, x: right, y: labelY, room: footRoom, isRight: true })
      : textLine(foot, { ...soft, x: left, y: footY, room }),
    ...(!isSmall && footRoom + textWidth(moment, footSize) + 12 <= room
      ? [textLine(moment, { ...soft, x: right, y: footY, room, isRight: true })]
      : []),
  ];
}
