/** Of `membership_plans`: what everybody may see and buy. */
export const LISTED_MEMBERSHIP_PLANS = `state = 'active' and visible and (ends_at is null or ends_at > now())`;
