import { withAccents } from './accents.js';
import { withWholeCells } from './cells.js';
import { inReadingOrder } from './columns.js';
import { withLeaders } from './leaders.js';
import { directionsOf, type Letter } from './letters.js';
import { textOfBlocks } from './lines.js';
import type { PageContent } from './page.js';
import { piecesOf } from './pieces.js';
import { rowsOf } from './rows.js';
import { withScripts } from './scripts.js';
import { withTallCells } from './tall-cells.js';
import { typedPieces } from './typed-pieces.js';

/**
 * The text of a page in the order of reading: a line for each line, tabs between cells of a table, columns one after the other.
 * What is written in another direction than most of the page, such as a watermark, comes last.
 */
export function pageText({ glyphs, typed }: PageContent): string {
  const directions = directionsOf(glyphs);
  const [main = { degrees: 0, letters: [] }, ...others] = directions;
  const drawn = pieces(main.letters);
  const all = [...drawn, ...typedPieces(typed, main.degrees, drawn)];
  const texts = [all, ...others.map(({ letters }) => pieces(letters))].map((parts) =>
    textOfBlocks(inReadingOrder(withScripts(rowsOf(parts))).map((rows) => withWholeCells(withTallCells(rows)))),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

const pieces = (letters: readonly Letter[]) => piecesOf(withLeaders(withAccents(letters)));
