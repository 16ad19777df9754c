import { Injectable } from '@nestjs/common';
import type { Grant } from 'oidc-provider';
import type { NewGrant } from '#src/grants/new-grant.js';
import { GrantsService } from '#src/grants/grants.service.js';
import type { Authenticated } from '#src/people/authenticated.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { datedGrant } from './engine.internals.js';

/** The scopes that a person grants a client, and the withheld ones of the request. */
export interface Granting {
  readonly granted: readonly string[];
  readonly withheld: readonly string[];
}

export interface Granted extends Granting {
  readonly client_id: string;
}

/** Writes new grants in place of the engine, which cannot check that sign-in, client and approval are still valid. */
@Injectable()
export class NewGrants {
  constructor(private readonly grants: GrantsService) {}

  /** Undefined when all grants of the person have ended since the sign-in, or client or approval are gone. */
  async make(
    provider: { readonly Grant: typeof Grant },
    site: SiteRecord,
    who: Authenticated,
    granted: Granted,
  ): Promise<Grant | undefined> {
    const { grant, row } = newGrant(provider, site, who, granted);
    return (await this.grants.save(row)) ? grant : undefined;
  }
}

/** A grant of the engine, and its row. */
export function newGrant(
  provider: { readonly Grant: typeof Grant },
  site: SiteRecord,
  { person_id, sign_outs }: Authenticated,
  { client_id, granted, withheld }: Granted,
): { readonly grant: Grant; readonly row: NewGrant } {
  const grant = new provider.Grant({ accountId: person_id, clientId: client_id });
  // The engine checks scopes twice: as OpenID scopes, and at the resource. Withheld ones are rejected.
  grant.addOIDCScope(granted.join(' '));
  grant.addResourceScope(site.base_url, granted.join(' '));
  if (withheld.length > 0) {
    grant.rejectOIDCScope(withheld.join(' '));
    grant.rejectResourceScope(site.base_url, withheld.join(' '));
  }
  const grant_id = randomToken();
  const payload = datedGrant(grant, grant_id, LIFETIMES.grant);
  const { site_id } = site;
  const kept = { scopes: granted, payload, expires_at: payload.exp };
  return { grant, row: { grant_id, site_id, person_id, sign_outs, client_id, ...kept } };
}
