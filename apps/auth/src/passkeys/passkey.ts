import type { Authenticated } from '#src/people/authenticated.js';

/** Hints for a browser about the location of the passkey; unknown values are left out. */
export const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** A credential record (Web Authentication Level 3 §4), as shown to its person. */
export interface Passkey {
  readonly passkey_id: string;
  readonly name: string;
  readonly credential_id: Buffer;
  readonly transports: readonly Transport[];
  readonly backed_up: boolean;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** A passkey of a person at any site, as the reset page lists it. */
export interface PasskeyAnywhere {
  readonly passkey_id: string;
  readonly name: string;
  readonly site_id: string;
  readonly site_name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** The result of a registration. */
export interface NewPasskey {
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly backup_eligible: boolean;
  readonly backed_up: boolean;
  readonly transports: readonly Transport[];
}

/** The record that verifies an assertion, with the person that it signs in. */
export interface StoredPasskey extends Authenticated {
  readonly passkey_id: string;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly backup_eligible: boolean;
}
