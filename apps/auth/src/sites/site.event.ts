import { siteEvents } from '@lyceum/contracts';
import type { NewEvent } from '@lyceum/messaging';
import { toDirectoryEntry } from './site.js';
import type { SiteRecord } from './site.js';

export function toSiteEvent(site: SiteRecord): NewEvent<typeof siteEvents> {
  return {
    aggregate_id: site.site_id,
    aggregate_version: site.version,
    site_id: site.site_id,
    data: toDirectoryEntry(site),
  };
}
