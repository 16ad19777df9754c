import type { Principal } from '@lyceum/contracts';
import type { Limit, Quota } from '@lyceum/rate-limit';

export type Kind = 'read' | 'write';

/** Requests a minute, at all replicas together. The OpenAPI description shows them. */
interface Limits {
  /** The limit for a person with one client at a site. */
  readonly client: Limit;
  /** The limit for a person with all clients at a site: a client that registers again gives no new quota. */
  readonly person: Limit;
  /** The limit for all people and clients of a site. */
  readonly site: Limit;
  /** The limit for an address at all sites: requests without a valid token, and those of open routes. */
  readonly source: Limit;
}

function limitsOf(
  kind: Kind,
  { client, person, site }: Readonly<Record<Exclude<keyof Limits, 'source'>, number>>,
): Limits {
  const minute = { windowSeconds: 60, unit: `${kind} requests` };
  return {
    client: { ...minute, name: kind, hits: client },
    // Most people use one client: for them a tenth costs no statement beside that of the client's quota.
    person: { ...minute, name: `${kind}-person`, hits: person, unshared: person / 10 },
    site: { ...minute, name: `${kind}-site`, hits: site },
    // Many people may share one address. Addresses that send little cost no statement.
    source: { ...minute, name: `${kind}-source`, hits: site, unshared: client },
  };
}

export const QUOTAS: Readonly<Record<Kind, Limits>> = {
  read: limitsOf('read', { client: 600, person: 1_200, site: 6_000 }),
  write: limitsOf('write', { client: 200, person: 400, site: 2_000 }),
};

const ITEMS = { windowSeconds: 60, unit: 'items of bulk requests' };

/** Items of bulk requests a minute, at all replicas together, beside the requests themselves. */
export const ITEM_QUOTAS: Readonly<Record<'client' | 'site', Limit>> = {
  client: { ...ITEMS, name: 'items', hits: 2_500 },
  site: { ...ITEMS, name: 'items-site', hits: 5_000 },
};

export function kindOf(method: string): Kind {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

/** The narrowest first: a request that it refuses takes nothing from the others. */
export function quotasOf(
  kind: Kind,
  { site_id, person_id, client_id }: Pick<Principal, 'site_id' | 'person_id' | 'client_id'>,
): readonly [Quota, ...Quota[]] {
  const { client, person, site } = QUOTAS[kind];
  return [
    { limit: client, subject: `${site_id}:${person_id}:${client_id}` },
    { limit: person, subject: `${site_id}:${person_id}` },
    { limit: site, subject: site_id },
  ];
}

/** The quota of a request without a known person. */
export function quotaOfSource(kind: Kind, source: string): Quota {
  return { limit: QUOTAS[kind].source, subject: source };
}

/** Each item of a bulk request is a write: rows, an event and a search text. */
export function quotasOfItems(
  { site_id, person_id, client_id }: Pick<Principal, 'site_id' | 'person_id' | 'client_id'>,
  items: number,
): readonly [Quota, ...Quota[]] {
  return [
    { limit: ITEM_QUOTAS.client, subject: `${site_id}:${person_id}:${client_id}`, cost: items },
    { limit: ITEM_QUOTAS.site, subject: site_id, cost: items },
  ];
}
