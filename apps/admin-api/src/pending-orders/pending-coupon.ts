/** SQL condition: a pending order names the coupon `$2` of the site `$1`, which the buyer keeps until the payment. */
export const PENDING_COUPON = `exists (select 1 from coupons c
  join orders o on o.site_id = c.site_id and o.coupon_code::citext = c.code and o.state = 'pending'
  where c.site_id = $1 and c.id = $2)`;
