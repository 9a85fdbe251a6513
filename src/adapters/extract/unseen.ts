/** The style that an element has from those around it. The text is seen where all of it is true. */
export interface Inherited {
  readonly visible: boolean;
  readonly sized: boolean;
  readonly coloured: boolean;
  readonly indented: boolean;
}

export const seen: Inherited = { visible: true, sized: true, coloured: true, indented: true };

export const isSeen = ({ visible, sized, coloured, indented }: Inherited): boolean =>
  visible && sized && coloured && indented;

type Style = ReadonlyMap<string, string>;
type Attributes = Readonly<Record<string, string>>;

/**
 * The style of an element by its attributes, or null if nothing in it can be seen. Instructions for models are hidden in pages in
 * these ways. Style sheets are not applied: without a whole cascade, text would be left out that readers see.
 */
export function styleOf(name: string, attributes: Attributes, around: Inherited): Inherited | null {
  if ('hidden' in attributes || attributes['aria-hidden']?.trim().toLowerCase() === 'true') return null;
  if ((name === 'dialog' && !('open' in attributes)) || 'popover' in attributes) return null;
  if (attributes.style === undefined) return around;
  const style = declarations(attributes.style);
  return isRemoved(style) ? null : inherited(style, around);
}

/** The last declaration of each property, but one that is important stays. */
function declarations(text: string): Style {
  const style = new Map<string, string>();
  const important = new Set<string>();
  for (const declaration of withoutComments(text).toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(0, colon)).trim();
    const [value = '', mark] = declaration.slice(colon + 1).split('!');
    if (property === '' || value.trim() === '' || (mark === undefined && important.has(property))) continue;
    if (mark !== undefined) important.add(property);
    style.set(property, value.trim());
  }
  return style;
}

function withoutComments(text: string): string {
  let rest = '';
  let from = 0;
  for (let at = text.indexOf('/*'); at >= 0; at = text.indexOf('/*', from)) {
    rest += `${text.slice(from, at)} `;
    const end = text.indexOf('*/', at + 2);
    from = end < 0 ? text.length : end + 2;
  }
  return rest + text.slice(from);
}

/** The contents of such an element cannot be shown again by a style of its own. */
function isRemoved(style: Style): boolean {
  const value = (property: string) => style.get(property) ?? '';
  if (value('display') === 'none' || value('content-visibility') === 'hidden') return true;
  if (isFaint(value('opacity')) || isFaint(argumentOf(value('filter'), 'opacity'))) return true;
  if (isAway(style) || isClipped(value('clip'), value('clip-path'))) return true;
  const transform = value('transform');
  if (isNothing(argumentOf(transform, 'scale')) || isNothing(argumentOf(transform, 'scalex'))) return true;
  if (isNothing(argumentOf(transform, 'scaley')) || isNothing(value('scale'))) return true;
  const isCut = ['overflow', 'overflow-x', 'overflow-y'].some((property) => /hidden|clip/.test(value(property)));
  return isCut && ['width', 'height', 'max-width', 'max-height'].some((property) => isTiny(value(property)));
}

const edges = ['left', 'top', 'right', 'bottom'];
const margins = ['margin-left', 'margin-top', 'margin-right', 'margin-bottom'];

/** Rows of slides are moved by some widths of the page, and one of the slides is seen. So only elements that are placed alone are away soon. */
function isAway(style: Style): boolean {
  const position = style.get('position') ?? '';
  const lengths = (properties: readonly string[]) => properties.map((property) => style.get(property) ?? '');
  if (/^(?:absolute|fixed)$/.test(position)) {
    if (lengths(edges).some((edge) => isFar(edge, 900))) return true;
    if (lengths(['left', 'right']).some((edge) => isFar(`-${edge}`, 5000))) return true;
  }
  if (position === 'relative' && lengths(edges).some((edge) => isFar(edge, 5000))) return true;
  const moved = style.get('transform') ?? '';
  const moves = ['translate', 'translatex', 'translatey', 'translate3d'].map((name) => argumentOf(moved, name));
  const each = [...moves, style.get('translate') ?? ''].flatMap((move) => move.split(/[\s,]+/));
  return [...each, ...lengths(margins)].some((length) => isFar(length, 5000));
}

function isClipped(clip: string, path: string): boolean {
  const rectangle = /^rect\(([^)]*)\)$/
    .exec(clip)?.[1]
    ?.trim()
    .split(/[\s,]+/);
  if (rectangle?.every(isTiny)) return true;
  const inset = lengthOf(argumentOf(path, 'inset').split(/\s/)[0] ?? '');
  return (inset?.unit === '%' && inset.number >= 50) || isNothing(argumentOf(path, 'circle').split(/\s/)[0] ?? '');
}

function inherited(style: Style, around: Inherited): Inherited {
  const visibility = style.get('visibility');
  const indent = style.get('text-indent');
  return {
    visible:
      visibility === undefined || isInherited(visibility) ? around.visible : !/^(?:hidden|collapse)$/.test(visibility),
    sized: isSized(style.get('font-size') ?? sizeOfFont(style.get('font')), around.sized),
    coloured: isColoured(style, around.coloured),
    indented:
      indent === undefined || isInherited(indent) ? around.indented : !isFar(indent, 900) && !isFar(`-${indent}`, 900),
  };
}

const isInherited = (value: string): boolean => /^(?:inherit|unset|revert|revert-layer)$/.test(value);

function sizeOfFont(font: string | undefined): string | undefined {
  // A weight is a number without a unit too, but never 0.
  return font?.split(/[\s/]+/).find((part) => lengthOf(part)?.unit || isNothing(part));
}

/** Letters of less than two pixels cannot be read. Mails set 0 around cells that have their own size. */
function isSized(size: string | undefined, around: boolean): boolean {
  if (size === undefined || isInherited(size) || /^(?:smaller|larger)$/.test(size)) return around;
  const length = lengthOf(size);
  if (length === null) return true;
  const { number, unit } = length;
  const isRelative = /^(?:em|%|ex|ch|lh)$/.test(unit);
  const least =
    unit === '%'
      ? 10
      : /^(?:r?em|ex|ch|r?lh|vw|vh|in|cm)$/.test(unit)
        ? 0.1
        : unit === 'mm'
          ? 0.5
          : unit === 'pt'
            ? 1.5
            : 2;
  return number >= least && (around || !isRelative);
}

/** Letters of gradients are transparent before a background that has their shape. */
function isColoured(style: Style, around: boolean): boolean {
  const isShaped = ['background-clip', '-webkit-background-clip'].some((name) => style.get(name)?.includes('text'));
  const colour = style.get('-webkit-text-fill-color') ?? style.get('color');
  if (isShaped) return true;
  if (colour === undefined || isInherited(colour) || colour === 'currentcolor') return around;
  if (isTransparent(colour)) return false;
  const behind = style.get('background-color') ?? style.get('background');
  return behind === undefined || written(behind) !== written(colour);
}

function isTransparent(colour: string): boolean {
  if (colour === 'transparent' || /^#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)$/.test(colour)) return true;
  const parts =
    /^(?:rgb|hsl)a?\(([^)]*)\)$/
      .exec(colour)?.[1]
      ?.trim()
      .split(/[\s,/]+/) ?? [];
  return parts.length === 4 && isNothing(parts[3] ?? '');
}

/** White and black in the ways in which they are usually written, and every other colour as it is. */
function written(colour: string): string {
  const plain = colour.replace(/\s+/g, '').replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/, '#$1$1$2$2$3$3');
  if (/^(?:white|#ffffff|rgb\(255,255,255\))$/.test(plain)) return 'white';
  return /^(?:black|#000000|rgb\(0,0,0\))$/.test(plain) ? 'black' : plain;
}

interface Length {
  readonly number: number;
  /** Empty for a plain number. */
  readonly unit: string;
}

function lengthOf(value: string): Length | null {
  const [, number, unit = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/.exec(value) ?? [];
  return number === undefined ? null : { number: Number(number), unit };
}

const isNothing = (value: string): boolean => lengthOf(value)?.number === 0;

function isTiny(value: string): boolean {
  const length = lengthOf(value);
  return length !== null && (length.number === 0 || (length.unit === 'px' && Math.abs(length.number) <= 1));
}

function isFaint(value: string): boolean {
  const length = lengthOf(value);
  return length !== null && length.number <= (length.unit === '%' ? 2 : 0.02);
}

/** @param least the pixels from which a negative length is outside of every screen */
function isFar(value: string, least: number): boolean {
  const { number, unit } = lengthOf(value) ?? { number: 0, unit: '' };
  if (unit === 'px' || unit === 'pt') return number <= -least;
  if (unit === 'em' || unit === 'rem' || unit === 'ch') return number <= -least / 16;
  return (unit === 'vw' || unit === 'vh') && number <= -100;
}

/** The argument of a function in a value: `0` of `scale` in `scale(0)`. */
function argumentOf(value: string, name: string): string {
  const at = value.indexOf(`${name}(`);
  if (at < 0) return '';
  const end = value.indexOf(')', at);
  return value.slice(at + name.length + 1, end < 0 ? undefined : end).trim();
}
