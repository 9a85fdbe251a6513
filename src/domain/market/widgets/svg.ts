const themes = ['dark', 'light'] as const;
type ThemeName = (typeof themes)[number];

/** Colours as in the pages of the service. Each text has a contrast of at least 4.5 to the sheet. */
export interface Theme {
  readonly sheet: string;
  readonly line: string;
  readonly ink: string;
  readonly soft: string;
  readonly accent: string;
  readonly up: string;
  readonly down: string;
}

export const themeOf: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    sheet: '#1e2023',
    line: '#383a3d',
    ink: '#ebe7df',
    soft: '#a8a297',
    accent: '#8fbbd9',
    up: '#74cf9d',
    down: '#ff9488',
  },
  light: {
    sheet: '#fffefb',
    line: '#dad4c7',
    ink: '#211f1b',
    soft: '#625c52',
    accent: '#274c66',
    up: '#1c6a45',
    down: '#ae2a20',
  },
};

/** The look of a widget. */
export interface Frame {
  readonly theme: ThemeName;
  readonly width: number;
  readonly height: number;
}

const sans = 'system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Helvetica, Arial, sans-serif';
const mono = 'ui-monospace, SF Mono, Menlo, Consolas, Liberation Mono, DejaVu Sans Mono, monospace';

/** Widths of characters in parts of the font size: those of the widest of the fonts above, in bold. */
const narrow = new Set('., :;|!ijl·');
const wide = new Set('%+−mMW@');
const widthOf = (character: string): number => {
  if (narrow.has(character)) return 0.4;
  return wide.has(character) ? 1 : 0.7;
};
const monoWidth = 0.61;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as SVG may contain it. Characters that XML has no place for are left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, '')
    .replace(/[&<>"']/g, (one) => escapes[one] ?? '');

interface Line {
  readonly x: number;
  /** Of the base line. */
  readonly y: number;
  readonly size: number;
  /** The width that the text may have; a longer one is made smaller, and then cut off. */
  readonly room: number;
  readonly fill: string;
  readonly font?: 'sans' | 'mono';
  readonly weight?: 400 | 600 | 700;
  /** An element behind it in the same line, for which the room leaves space. */
  readonly after?: string;
  /** Whether x is its right end. */
  readonly isRight?: boolean;
}

/** No text is smaller. */
const leastSize = 9;

/** The width that a text has at most. */
export const textWidth = (text: string, size: number, font: 'sans' | 'mono' = 'sans'): number =>
  font === 'mono'
    ? [...text].length * size * monoWidth
    : [...text].reduce((sum, character) => sum + widthOf(character) * size, 0);

/** One line of text that stays within its room. */
export function textLine(text: string, line: Line): string {
  const { x, y, room, fill, font = 'sans', weight = 400, isRight = false, after = '' } = line;
  const size = Math.max(Math.min(line.size, room / textWidth(text, 1, font)), Math.min(leastSize, line.size));
  const shown = cutTo(text, room, size, font);
  return (
    `<text x="${round(x)}" y="${round(y)}" font-family="${font === 'mono' ? mono : sans}" font-size="${round(size)}" ` +
    `font-weight="${weight}" fill="${fill}"${isRight ? ' text-anchor="end"' : ''}>${escaped(shown)}${after}</text>`
  );
}

/** The beginning of a text that fits, with an ellipsis where something is missing. */
function cutTo(text: string, room: number, size: number, font: 'sans' | 'mono'): string {
  // What was made to fit exactly may be wider by a rounding error.
  if (textWidth(text, size, font) <= room + 0.01) return text;
  const kept = [...text];
  while (kept.length > 1 && textWidth(`${kept.join('')}…`, size, font) > room) kept.pop();
  return `${kept.join('')}…`;
}

/** A text behind another one in the same line. */
export const textAfter = (text: string, size: number, fill: string): string =>
  `<tspan dx="${round(size * 0.7)}" font-size="${round(size)}" font-weight="600" fill="${fill}">${escaped(text)}</tspan>`;

/** Coordinates have one decimal. */
export const round = (value: number): number => Math.round(value * 10) / 10;

interface Drawing {
  readonly title: string;
  readonly description: string;
  /** Elements in the order in which they are painted. */
  readonly elements: readonly string[];
}

/** A whole widget: a sheet with a border, and what is drawn on it. */
export function widget({ theme, width, height }: Frame, draw: (colours: Theme) => Drawing): string {
  const colours = themeOf[theme];
  const { title, description, elements } = draw(colours);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="7.5" fill="${colours.sheet}" stroke="${colours.line}"/>`,
    ...elements,
    '</svg>',
    '',
  ].join('\n');
}

/** The places of a widget's parts. Small ones have less space around them, and no line at the foot. */
export function layoutOf({ width, height }: Frame) {
  const isSmall = height < 84;
  const margin = isSmall ? 10 : Math.min(16, width / 14);
  const labelSize = isSmall ? 10.5 : 12;
  return {
    isSmall,
    margin,
    labelSize,
    left: margin,
    right: width - margin,
    room: width - 2 * margin,
    labelY: margin + labelSize * 0.85,
    footY: height - margin + 1,
    footSize: 10.5,
    /** The base line of the large number: in the middle of what is left between the label and the foot. */
    mainY: isSmall ? height - margin - 1 : height / 2 + height * 0.1,
    mainSize: isSmall ? 21 : Math.min(46, height * 0.29, width * 0.13),
  } as const;
}

/** A moment as the foot shows it. */
export const momentText = (asOf: string): string => `${asOf.slice(0, 10)} ${asOf.slice(11, 16)} UTC`;

/** The colour of a change. */
export function changeFill(change: string, { up, down, soft }: Theme): string {
  const value = Number(change);
  if (value === 0) return soft;
  return value > 0 ? up : down;
}
