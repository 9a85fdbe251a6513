export type Form = 'pdf' | 'html' | 'text';

const htmlNames = new Set(['html', 'htm', 'xhtml']);
const textNames = new Set(
  [
    'txt text md markdown mdx rst adoc asciidoc org tex bib log srt vtt',
    'csv tsv json jsonl ndjson json5 geojson xml rss atom yaml yml toml ini cfg conf properties ics vcf eml',
    'js mjs cjs jsx ts tsx css scss py rb go rs java kt swift c h cc cpp hpp cs php pl sh bash sql r lua diff patch',
  ].flatMap((names) => names.split(' ')),
);
const textTypes =
  /^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|toml|x-ndjson|jsonl|javascript|x-javascript|sql|csv|x-tex|x-sh)$/;
/** Types of text that only a program can read. */
const noText = new Set(['text/rtf', 'text/richtext']);

/**
 * Decides how a file is read: by its first bytes, then by its name, then by its media type. The name comes before the
 * type because systems send wrong types: the type of a spreadsheet program for .csv, octet-stream for .md.
 */
export function formOf(filename: string, contentType: string, bytes: Uint8Array): Form | null {
  // The PDF specification allows other bytes before the header; readers look for it in the first kilobyte.
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const form = byName(filename) ?? byType(contentType);
  if (start.startsWith('%PDF-')) return form === 'text' && !isWholePdf(bytes) ? form : 'pdf';
  return form === 'text' || form === 'html' ? form : start.includes('%PDF-') ? 'pdf' : form;
}

/** A text may begin with the header of PDFs, because it is about them. It has no table of objects. */
function isWholePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('startxref');
}

/** The same for a web page. Its name counts only if the server gives no media type. */
export function formOfPage(url: URL, contentType: string, bytes: Uint8Array): Form | null {
  const type = mediaType(contentType);
  const silent = type === '' || type === 'application/octet-stream';
  return silent ? formOf(url.pathname, '', bytes) : byType(contentType);
}

function byName(filename: string): Form | null {
  const extension = /\.([^./\\]+)$/.exec(filename.trim())?.[1]?.toLowerCase() ?? '';
  if (extension === 'pdf') return 'pdf';
  if (htmlNames.has(extension)) return 'html';
  return textNames.has(extension) ? 'text' : null;
}

function byType(contentType: string): Form | null {
  const type = mediaType(contentType);
  if (type === 'application/pdf' || type === 'application/x-pdf') return 'pdf';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  return (type.startsWith('text/') && !noText.has(type)) || textTypes.test(type) ? 'text' : null;
}

function mediaType(contentType: string): string {
  const [type = ''] = contentType.split(';');
  return type.trim().toLowerCase();
}
