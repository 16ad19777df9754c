import type { Principal, Site } from '@lyceum/contracts';
import type { ListFilters } from '#src/catalog/listing.policy.js';

/** The request behind a message: its sender, its site, and the list filters in its headers. */
export interface CallerContext {
  readonly method: string | undefined;
  readonly site: Site;
  readonly principal: Principal | null;
  readonly filters: ListFilters;
}
