import type { Principal, Site } from '@lyceum/contracts';
import type { Wishes } from '#src/catalogue/listing.policy.js';

/** The request behind a message: its sender, its site, and the filters that its headers set for lists. */
export interface CallerContext {
  readonly method: string | undefined;
  readonly site: Site;
  readonly principal: Principal | null;
  readonly wishes: Wishes;
}
