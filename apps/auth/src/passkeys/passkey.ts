import type { Authenticated } from '#src/people/authenticated.js';

/** Hints for a browser where to look for the passkey; those that a browser may not know are left out. */
export const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** A credential record (Web Authentication Level 3 §4), as its person sees it. */
export interface Passkey {
  readonly passkey_id: string;
  readonly name: string;
  readonly credential_id: Buffer;
  readonly transports: readonly Transport[];
  readonly backed_up: boolean;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** A passkey of a person among those of all sites, as the page of a reset lists them. */
export interface PasskeyAnywhere {
  readonly passkey_id: string;
  readonly name: string;
  readonly site_id: string;
  readonly site_name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** What its registration says of it. */
export interface NewPasskey {
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly backup_eligible: boolean;
  readonly backed_up: boolean;
  readonly transports: readonly Transport[];
}

/** What an assertion is held against, and who has signed in when it is right. */
export interface StoredPasskey extends Authenticated {
  readonly passkey_id: string;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly backup_eligible: boolean;
}
