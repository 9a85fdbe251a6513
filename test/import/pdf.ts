import { deflateSync } from 'node:zlib';

export interface Stream {
  readonly dictionary?: string;
  readonly bytes: Uint8Array;
}

/** A PDF of these objects, the first of which is its catalog, with the table of where they stand. */
export function pdfOf(objects: readonly (string | Stream)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const starts: number[] = [];
  let length = parts[0]?.length ?? 0;
  const push = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part);
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [i, object] of objects.entries()) {
    starts.push(length);
    push(`${i + 1} 0 obj\n`);
    if (typeof object === 'string') push(object);
    else {
      push(`<< ${object.dictionary ?? ''} /Length ${object.bytes.length} >>\nstream\n`);
      push(object.bytes);
      push('\nendstream');
    }
    push('\nendobj\n');
  }
  const table = length;
  push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`);
  for (const start of starts) push(`${String(start).padStart(10, '0')} 00000 n \n`);
  push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${table}\n%%EOF\n`);
  return Buffer.concat(parts);
}

/** A page for each list of lines; each line is set 14 points below the one before. */
export function textPdf(pages: readonly (readonly string[])[]): Buffer {
  const contents = pages.map((lines) =>
    Buffer.from(`BT /F1 12 Tf 72 720 Td ${lines.map((line) => `(${line}) Tj 0 -14 Td`).join(' ')} ET`, 'latin1'),
  );
  return pdfWith(contents.map((bytes) => ({ bytes })));
}

/** A page for each stream of what is drawn on it, and further objects from number `4 + 2 * pages` on. */
export function pdfWith(contents: readonly Stream[], resources = '', more: readonly (string | Stream)[] = []): Buffer {
  const kids = contents.map((_, i) => `${4 + 2 * i} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...contents.flatMap((stream, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * i} 0 R
          /Resources << /Font << /F1 3 0 R >> ${resources} >> >>`,
      stream,
    ]),
    ...more,
  ]);
}

export function deflated(bytes: Uint8Array): Stream {
  return { dictionary: '/Filter /FlateDecode', bytes: deflateSync(bytes, { level: 9 }) };
}
