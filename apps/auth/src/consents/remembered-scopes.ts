interface ConsentColumns {
  /** SQL expressions. */
  readonly personId: string;
  readonly clientKey: string;
  readonly siteId: string;
  readonly resource: string;
}

/** SQL that selects the scopes that a person approved within the last 90 days. */
export function rememberedScopes({ personId, clientKey, siteId, resource }: ConsentColumns): string {
  return `
    SELECT scopes FROM consents
     WHERE person_id = ${personId} AND client_key = ${clientKey} AND site_id = ${siteId} AND resource = ${resource}
       AND expires_at > now()`;
}
