import { Injectable } from '@nestjs/common';
import type { Grant } from 'oidc-provider';
import { withActingDevice } from '#src/audit/acting-device.js';
import type { Authenticated } from '#src/people/authenticated.js';
import type { SiteRecord } from '#src/sites/site.js';
import { ApprovalsRepository } from '../browser-state/approvals.repository.js';
import { newGrant } from './new-grants.js';
import type { Granted } from './new-grants.js';

interface Decision {
  readonly uid: string;
  /** The version of the client on the page. */
  readonly version: number;
  /** The result of the interaction with this grant. */
  readonly result: (grantId: string) => object;
}

/** Approvals on the consent page: the remembered consent, its audit entry, the grant and the result of the page. */
@Injectable()
export class Approvals {
  constructor(private readonly approvals: ApprovalsRepository) {}

  /** False, and nothing is kept, when all grants of the person have ended, or the client is gone or has changed. */
  save(
    provider: { readonly Grant: typeof Grant },
    site: SiteRecord,
    who: Authenticated,
    granted: Granted,
    { uid, version, result }: Decision,
  ): Promise<boolean> {
    const { row } = newGrant(provider, site, who, granted);
    const details = withActingDevice({ scopes: granted.granted });
    const approval = { grant: row, resource: site.base_url, version, details, uid, result: result(row.grant_id) };
    return this.approvals.approve(approval);
  }
}
