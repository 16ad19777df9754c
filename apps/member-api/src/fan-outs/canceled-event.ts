/** True for a registration `r` that was not canceled before its event `t` was: its member is notified of that. */
export const CANCELED_WITH_EVENT = `(r.state in ('registered', 'waitlisted', 'checked_in')
  or (r.state = 'canceled' and r.canceled_at = t.canceled_at))`;
