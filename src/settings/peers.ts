import type { VerifierKey } from '../verifier/note.js';

/**
 * The public calendars, by the addresses in their promises. The pools of the reference client
 * (`a.pool.opentimestamps.org` …) are other names for these.
 */
export const publicCalendars = [
  'https://alice.btc.calendar.opentimestamps.org',
  'https://bob.btc.calendar.opentimestamps.org',
  'https://finney.calendar.eternitywall.com',
  'https://btc.calendar.catallaxy.com',
] as const;

/** A witness signs only checkpoints that contain every checkpoint it has signed before. */
export interface WitnessSetting {
  /** A key of type cosignature/v1. */
  readonly key: VerifierKey;
  /** The address without `/add-checkpoint`. */
  readonly url: string;
}

/** A provider of OpenID Connect at which people sign in. */
export interface OidcSetting {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether an address counts as verified when the provider does not say so in the form of the specification. */
  readonly assumesVerified: boolean;
}

/** The sender of e-mails. The name may be empty. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

export interface SmtpSetting {
  /** `smtp://` or `smtps://`, with credentials where the server needs them. */
  readonly url: string;
  readonly from: Sender;
}
