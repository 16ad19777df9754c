/**
 * SQL condition: the grant `alias` did not end with all grants of its site or client. Rows of grants that ended so are
 * deleted in batches, so they may still exist (ADR 198).
 */
export const isLive = (alias: string): string => `
  not exists (select from grant_endings e
               where e.target_id in (${alias}.site_id, ${alias}.client_key) and e.ended_at >= ${alias}.created_at)`;
