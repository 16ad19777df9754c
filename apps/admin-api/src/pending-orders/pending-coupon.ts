/** Pending orders that name the coupon `$2` of the site `$1`, which their buyers keep until the payment. */
const NAMED = `coupons c
  join orders o on o.site_id = c.site_id and o.coupon_code::citext = c.code and o.state = 'pending'
  where c.site_id = $1 and c.id = $2`;

/** The order was recorded within the times of the coupon. */
const WITHIN = `o.created_at >= coalesce(c.starts_at, '-infinity') and o.created_at < coalesce(c.expires_at, 'infinity')`;

/** SQL condition: a pending order names the coupon. */
export const PENDING_COUPON = `exists (select 1 from ${NAMED})`;

/** SQL query: whether such orders exist, and the first and last instant at which one was recorded within the times. */
export const PENDING_OF_COUPON = `select count(*) > 0 as exist,
    min(o.created_at) filter (where ${WITHIN}) as first, max(o.created_at) filter (where ${WITHIN}) as last
  from ${NAMED}`;
