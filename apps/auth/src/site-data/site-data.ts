import { Injectable } from '@nestjs/common';
import { SiteEraser } from '@lyceum/messaging';
import { MembersOfDeletedSite } from '#src/members/members-of-deleted-site.js';
import { SiteDirectoryPublisher } from '#src/sites/site-directory.publisher.js';

/** The data of a deleted site in auth: its entry in the directory, its members, and people that no other site has. */
@Injectable()
export class SiteData {
  constructor(eraser: SiteEraser, members: MembersOfDeletedSite, directory: SiteDirectoryPublisher) {
    eraser.register({
      // The audit log is append-only: AUDIT_LOG_MONTHS ends its entries.
      keeps: ['audit_log', 'deleted_sites'],
      erase: async (siteId, step) => {
        await directory.remove(siteId);
        await members.erase(siteId, step);
      },
    });
  }
}
