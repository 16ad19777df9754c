import type { Review } from '#src/clients/client.js';

export interface ListedDocument {
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly review: Review;
  readonly fetched_at: Date;
  readonly last_used_at: Date | null;
}
