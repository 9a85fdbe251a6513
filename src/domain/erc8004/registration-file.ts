import { z } from 'zod';

/** The largest registration file that is read, in bytes, and the longest address of one. */
export const registrationBytes = 65_536;

const named = z.object({ name: z.string(), endpoint: z.string() });
const list = z.array(z.unknown());

/**
 * Whether a registration file of ERC-8004 names an identity of this service: as its member `counterfoil`, alone or in a list,
 * or as the endpoint of a service with the name `counterfoil`. Earlier drafts call the services `endpoints`.
 */
export function namesIdentity(file: unknown, agnId: string): boolean {
  if (!isObject(file)) return false;
  const { counterfoil, services, endpoints } = file;
  if (counterfoil === agnId) return true;
  if (list.safeParse(counterfoil).data?.includes(agnId)) return true;
  return [services, endpoints].some((given) =>
    (list.safeParse(given).data ?? []).some((one) => {
      const { success, data } = named.safeParse(one);
      return success && data.name.toLowerCase() === 'counterfoil' && data.endpoint === agnId;
    }),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text in a `data:` address; null for another address. */
export function textInAddress(uri: string): string | null {
  const [, type, rest] = /^data:([^,]{0,200}),(.*)$/is.exec(uri) ?? [];
  if (type === undefined || rest === undefined) return null;
  if (/;\s*base64\s*$/i.test(type)) return Buffer.from(rest, 'base64').toString('utf8');
  try {
    return decodeURIComponent(rest);
  } catch {
    // Some tools write the text as it is, where a percent sign means itself.
    return rest;
  }
}
