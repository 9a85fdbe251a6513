/** Paths of programs. Everything else is opened by people, who get a page when there is nothing. */
const ofPrograms = /^\/(v1|mcp|oauth|\.well-known|healthz|readyz|metrics)(\/|$)/;

/** Whether people open an address in a browser. */
export function isAddressForPeople(url: string): boolean {
  const [path = ''] = url.split('?');
  return !ofPrograms.test(path);
}
