import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { MemberOfSite } from '#src/people/claims.policy.js';
import { memberAtSite } from '#src/people/member-at-site.js';
import { rememberedScopes } from './remembered-scopes.js';

const REMEMBERED = {
  name: 'consent_remembered',
  text: rememberedScopes({ personId: '$1', clientKey: '$2', siteId: '$3', resource: '$4' }),
};
const MEMBER_AND_REMEMBERED = {
  name: 'member_and_consent_remembered',
  text: `
    SELECT m.*, coalesce((${REMEMBERED.text}), '{}') AS approved FROM (${memberAtSite('$1', '$3')}) m`,
};

export interface ConsentKey {
  readonly person_id: string;
  readonly client_key: string;
  readonly site_id: string;
  readonly resource: string;
}

const keyValues = (key: ConsentKey): string[] => [key.person_id, key.client_key, key.site_id, key.resource];

@Injectable()
export class ConsentsRepository {
  constructor(private readonly sql: Sql) {}

  async remembered(key: ConsentKey): Promise<readonly string[]> {
    const [row] = await this.sql.query<{ scopes: string[] }>(REMEMBERED, keyValues(key));
    return row?.scopes ?? [];
  }

  /** The same with the person. Undefined for a person who may not use the site. */
  async memberAndRemembered(
    key: ConsentKey,
  ): Promise<(MemberOfSite & { readonly approved: readonly string[] }) | undefined> {
    const [row] = await this.sql.query<MemberOfSite & { approved: string[] }>(MEMBER_AND_REMEMBERED, keyValues(key));
    return row;
  }

  async forgetClient(manager: EntityManager, clientKey: string): Promise<void> {
    await manager.query('DELETE FROM consents WHERE client_key = $1', [clientKey]);
  }

  async withdraw(
    manager: EntityManager,
    { person_id, site_id, client_key }: Pick<ConsentKey, 'person_id' | 'site_id' | 'client_key'>,
  ): Promise<void> {
    await manager.query('DELETE FROM consents WHERE person_id = $1 AND client_key = $2 AND site_id = $3', [
      person_id,
      client_key,
      site_id,
    ]);
  }
}
