/** True while the subscription `s` gives access. The days of grace after a late payment do, too. */
export const LIVE_SUBSCRIPTION = `s.state in ('trialing', 'active', 'past_due')`;
