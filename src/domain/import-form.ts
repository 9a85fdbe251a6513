import { isUtf8 } from 'node:buffer';

export type Form = 'pdf' | 'html' | 'text';

/** A kind of file that is not read, as the end of a sentence about it that says what to do. */
export interface NotRead {
  readonly notRead: string;
}

const namesIn = (...lists: readonly string[]) => new Set(lists.flatMap((names) => names.split(' ')));

const htmlNames = namesIn('html htm xhtml xht');
/** Names of texts, also of those in other charsets than UTF-8. Other names say nothing, and their bytes decide. */
const textNames = namesIn(
  'txt text md markdown mdx rst adoc asciidoc org tex bib log srt vtt po',
  'csv tsv json jsonl ndjson json5 geojson ipynb xml rss atom yaml yml toml ini cfg conf properties env ics vcf',
  'js mjs cjs jsx ts tsx vue svelte css scss less py rb go rs java kt scala groovy gradle swift dart c h cc cpp hpp cs php pl sh bash bat',
  'ps1 sql r lua ex exs erl hs clj jl diff patch tf tfvars hcl proto graphql cmake mk',
);
/** Files whose whole name says that they are texts. */
const wholeNames = namesIn(
  'readme license licence copying notice authors contributing changelog changes todo news makefile dockerfile',
);
const mailNames = namesIn('eml mbox mht mhtml');
/** Files that are archives of ZIP inside, so their first bytes say that they are not texts, even when no more is there. */
const zipNames = namesIn('docx xlsx pptx odt ods odp epub zip jar');
const textTypes =
  /^(?:application\/(?:json|xml|yaml|x-yaml|toml|x-ndjson|jsonl|javascript|x-javascript|sql|csv|x-tex|x-sh)|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml))$/;
/** Types of text that only a program can read. */
const noText = new Set(['text/rtf', 'text/richtext']);
const mailTypes = /^(?:message\/|multipart\/|application\/(?:mbox|x-mimearchive)$)/;
/** Files that are sent as one of these are not meant to be read, even if its bytes happen to be a text. */
const media = /^(?:image|audio|video|font)\//;

const mail: NotRead = {
  notRead:
    'it is an e-mail message, whose parts may be encoded: import its text, and each attachment, as a file of its own',
};
const program: NotRead = { notRead: 'it is of a kind that import does not read: import PDF, HTML or text' };
const noUtf8: NotRead = {
  notRead:
    'neither its name nor its media type says that it is a text, and it is not UTF-8: declare its type and charset in the Content-Type, for example text/plain; charset=windows-1251, if it is a text',
};

/**
 * Decides how a file is read: by its first bytes, then by its name, then by its media type, then by all bytes: valid UTF-8 without
 * NUL is text. The name comes before the type because systems send wrong types: the type of a spreadsheet program for .csv,
 * octet-stream for .md.
 */
export function formOf(filename: string, contentType: string, bytes: Uint8Array): Form | NotRead {
  // The PDF specification allows other bytes before the header; readers look for it in the first kilobyte.
  const start = firstBytes(bytes);
  const form = byName(filename) ?? byType(contentType);
  if (start.startsWith('%PDF-')) return form === 'text' && !isWholePdf(bytes) ? form : 'pdf';
  if (form !== null) return form;
  if (start.includes('%PDF-') && (isWholePdf(bytes) || !isUtf8(bytes))) return 'pdf';
  const extension = extensionOf(filename);
  if (start.startsWith('PK') && zipNames.has(extension)) return program;
  return extension === '' && beginsLikeHtml(start) ? 'html' : byBytes(bytes, start);
}

/** A text may begin with the header of PDFs, because it is about them. It has no table of objects. */
function isWholePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('startxref');
}

/** The same for a web page. Its name counts only if the server gives no media type. */
export function formOfPage(url: URL, contentType: string, bytes: Uint8Array): Form | NotRead {
  const type = mediaType(contentType);
  if (type === '' || type === 'application/octet-stream') return formOf(url.pathname, '', bytes);
  const form = byType(contentType);
  if (form !== null) return form;
  if (media.test(type)) return program;
  const start = firstBytes(bytes);
  return beginsLikeHtml(start) ? 'html' : byBytes(bytes, start);
}

function byName(filename: string): Form | NotRead | null {
  const extension = extensionOf(filename);
  if (extension === 'pdf') return 'pdf';
  if (htmlNames.has(extension)) return 'html';
  if (mailNames.has(extension)) return mail;
  const isText = textNames.has(extension) || (extension === '' && wholeNames.has(lastPart(filename)));
  return isText ? 'text' : null;
}

function byType(contentType: string): Form | NotRead | null {
  const type = mediaType(contentType);
  if (type === 'application/pdf' || type === 'application/x-pdf') return 'pdf';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (mailTypes.test(type)) return mail;
  return (type.startsWith('text/') && !noText.has(type)) || textTypes.test(type) ? 'text' : null;
}

function byBytes(bytes: Uint8Array, start: string): Form | NotRead {
  if (start.startsWith('{\\rtf')) return program;
  // UTF-16 with its mark is no less certain; what follows it is checked when it is read.
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')) return 'text';
  if (bytes.includes(0)) return program;
  return isUtf8(bytes) ? 'text' : noUtf8;
}

function beginsLikeHtml(start: string): boolean {
  return /^(?:\xef\xbb\xbf)?\s{0,64}<(?:!doctype\s+html|html)[\s>]/i.test(start);
}

function firstBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
}

function extensionOf(filename: string): string {
  return /\.([^./\\]+)$/.exec(filename.trim())?.[1]?.toLowerCase() ?? '';
}

function lastPart(path: string): string {
  return /[^/\\]*$/.exec(path.trim())?.[0].toLowerCase() ?? '';
}

function mediaType(contentType: string): string {
  const [type = ''] = contentType.split(';');
  return type.trim().toLowerCase();
}
