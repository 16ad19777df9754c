/**
 * SQL condition: a pending order of the site `$1` has a line with an item. The storefront may already have taken the
 * payment, so the item is kept until the order is paid, failed or expired.
 */
export function pendingLines(item: string): string {
  return `exists (select 1 from orders o join order_lines l on l.site_id = o.site_id and l.order_id = o.id
    where o.site_id = $1 and o.state = 'pending' and l.item_id ${item})`;
}
