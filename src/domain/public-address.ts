import ipaddr from 'ipaddr.js';

/** Top-level names that no public resolver answers. A local resolver may answer them with any address. */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)$/;

/**
 * Whether an address belongs to the public internet: not to this machine or a local network, and not a form of IPv6
 * that a gateway translates to IPv4. Unassigned addresses are not public either.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // Only 2000::/3 of IPv6 is assigned. The library calls every address that is in none of its lists unicast.
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
}

/** The host of a URL as an address, without the brackets of IPv6; null if the host is a name. */
export function addressOf(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : null;
}

/**
 * Returns the reason why a request to a URL is forbidden, as the end of a sentence, or null. It checks only the text of
 * the URL: a name is resolved when the connection is made, and its addresses are checked then. The URL parser has
 * already converted 0x7f.1, 2130706433 and 0177.0.0.1 to 127.0.0.1.
 */
export function forbiddenBy(url: URL): string | null {
  // The parser removes the standard port of a scheme. Port 80 with https and port 443 with http are not standard.
  if (url.port !== '') return 'is on a non-standard port';
  const address = addressOf(url);
  if (address !== null) return isPublicAddress(address) ? null : 'is not an address of the public internet';
  const name = url.hostname.replace(/\.$/, '');
  // A resolver completes a name without a dot with its search domain.
  return !name.includes('.') || localNames.test(name) ? 'is a local name' : null;
}
