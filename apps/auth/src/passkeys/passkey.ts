import type { Authenticated } from '#src/people/authenticated.js';

/** A credential record (Web Authentication Level 3 §4), as its person sees it. */
export interface Passkey {
  readonly passkey_id: string;
  readonly name: string;
  readonly credential_id: Buffer;
  readonly transports: readonly string[];
  readonly backed_up: boolean;
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
  readonly transports: readonly string[];
}

/** What an assertion is held against, and who has signed in when it is right. */
export interface StoredPasskey extends Authenticated {
  readonly passkey_id: string;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly backup_eligible: boolean;
}
