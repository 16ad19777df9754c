/**
 * Condition on `webhook_deliveries`: their endpoint exists. Deliveries of a deleted one are hidden until they are old
 * enough to be deleted.
 */
export const OF_ENDPOINT = `exists (
  select from webhook_endpoints e where e.site_id = webhook_deliveries.site_id and e.id = webhook_deliveries.endpoint_id)`;
