/** A letter, or another character, where it is drawn. Lengths are in points, on the page as it is stored. */
export interface Glyph {
  readonly text: string;
  /** Where it begins on its baseline. */
  readonly x: number;
  readonly y: number;
  /** How far the next letter is from it without kerning. */
  readonly width: number;
  readonly size: number;
  /** The direction of the writing in degrees, counterclockwise: 0 is from left to right, 90 upwards. */
  readonly direction: number;
}

/** A text in a box of a page and is not part of its drawing: the value of a field of a form, or a note. */
export interface Typed {
  readonly text: string;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Everything that is written on a page, without an order. */
export interface PageContent {
  readonly glyphs: readonly Glyph[];
  readonly typed: readonly Typed[];
  /** How many characters its fonts give no meaning for; they are not among the glyphs. */
  readonly unknown: number;
  /** How many of `typed` are values of fields. */
  readonly fields: number;
}
