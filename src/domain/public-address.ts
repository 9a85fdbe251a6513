import ipaddr from 'ipaddr.js';

/** Top-level names that no public resolver answers; a local one may, with anything. */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)$/;

/**
 * Whether an address is one of the public internet: neither of this machine nor of a network around it, nor a form of
 * IPv6 that leads to an IPv4 address behind a gateway. What a registry has not given out is not public either.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // Of IPv6 only 2000::/3 has been given out. The library calls everything that is in none of its lists unicast.
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
}

/** The host of a URL as an address, without the brackets of IPv6; null when it is a name. */
export function addressOf(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : null;
}

/**
 * Why a URL may not be asked, as far as its text tells: half a sentence, or null. Names are resolved by whoever connects,
 * and what they resolve to is judged then. The parser of URLs has made 0x7f.1, 2130706433 and 0177.0.0.1 into 127.0.0.1.
 */
export function forbiddenBy(url: URL): string | null {
  // The parser leaves the standard port of a scheme out. Port 80 over https and 443 over http are not standard.
  if (url.port !== '') return 'is on a non-standard port';
  const address = addressOf(url);
  if (address !== null) return isPublicAddress(address) ? null : 'is not an address of the public internet';
  const name = url.hostname.replace(/\.$/, '');
  // A name without a dot is one that a search domain completes.
  return !name.includes('.') || localNames.test(name) ? 'is a local name' : null;
}
