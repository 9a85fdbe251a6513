import { behind, type CurveKey, curveKey, curveNames, curves } from './curves.js';
import { fromBase64 } from './encodings.js';

const pem = /^\s*-----BEGIN PUBLIC KEY-----[ \t]*\r?\n([A-Za-z0-9+/=\r\n \t]+)-----END PUBLIC KEY-----\s*$/;

/**
 * The SubjectPublicKeyInfo of one of the three curves in one PEM block (RFC 7468). Its DER is compared with the only form
 * that each curve has, so there are no lengths or parameters with which a key could be written in two ways.
 */
export function fromPem(text: string): CurveKey | null {
  const [, body] = pem.exec(text) ?? [];
  const der = body === undefined ? null : fromBase64(body.replace(/\s/g, ''));
  if (der === null) return null;
  for (const curve of curveNames) {
    for (const [length, prefix] of curves[curve].spki) {
      const point = behind(prefix, der);
      if (point) return point.length === length ? curveKey(curve, point) : null;
    }
  }
  return null;
}

/** The DER of a key, as `node:crypto` reads it. */
export function toSpki({ curve, bytes }: CurveKey): Buffer {
  const prefix = curves[curve].spki.get(bytes.length);
  if (!prefix) throw new Error(`a key of ${curve} has no form of ${bytes.length} bytes`);
  return Buffer.concat([prefix, bytes]);
}
