/** Where files, pages and their servers say in which charset they are. What they say is a label, such as `koi8-r`, `cp1251` or `Latin-1`. */

/** The parameter of a media type: `text/plain; charset=koi8-r`. */
export function charsetOfType(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?\s*([\w:.+ -]{1,40})/i.exec(contentType.slice(0, 500))?.[1]?.trim();
}

/** The first line of an XML document, an XHTML page included: `<?xml version="1.0" encoding="koi8-r"?>`. */
export function charsetOfXml(bytes: Uint8Array): string | undefined {
  return readable(
    /^\s{0,99}<\?xml\s[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']([\w:.-]{1,40})["']/i.exec(startOf(bytes))?.[1],
  );
}

/** The charset that a page declares in its first kilobyte, where browsers look for it too. */
export function charsetOfPage(bytes: Uint8Array): string | undefined {
  return readable(/<meta\s[^>]{0,500}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i.exec(startOf(bytes))?.[1]);
}

function startOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
}

/** A declaration that can be read byte by byte is not in UTF-16, even if it says so (HTML standard, 13.2.3.2). */
function readable(label: string | undefined): string | undefined {
  return label !== undefined && /^(?:cs)?(?:utf-?16|unicode|ucs-?2|iso-10646-ucs-2)/i.test(label) ? 'utf-8' : label;
}
