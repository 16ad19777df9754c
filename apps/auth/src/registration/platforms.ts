/** A vendor's platform: one client for the whole deployment, found by the name that it registers with. */
export interface Platform {
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly logo_uri: string | null;
}

/** Platforms that may register by name. Empty until a deployment names those that it has an agreement with. */
export const PLATFORMS: readonly Platform[] = [];
