/* Descriptions of operations, which are the same at the flat path and below a student. */

export const ENROLLING =
  'Idempotent: a student who has access by hand by the same plan and until the same end is returned with 200. With ' +
  'another plan or end it is `already_exists` with the id of the enrollment, which stays as it is. Access by an ' +
  'order or the like gets a second grant, which stays when the first one ends. An enrollment that had ended is ' +
  'active again, with 200 too. A course may be a draft, so that a cohort can be prepared; students see it once it ' +
  'is published. With `plan_id` and without `expires_at`, access ends as the plan says: a subscription gives its ' +
  'first period. With `external_id`, a repetition needs the same one: a student who is enrolled without it, and an ' +
  '`external_id` of another enrollment, are `already_exists` with the id of that enrollment. Needs the role owner or ' +
  'admin.';

export const UPDATING =
  'JSON Merge Patch (RFC 7396). `expires_at` extends or shortens access, null makes it for life. Grants that last ' +
  'longer are cut; a grant by hand adds what is missing. An enrollment that has expired is active again, with the ' +
  'progress that it has. Another end of one that was revoked is refused: `extend` gives access again. `external_id` ' +
  'and `metadata` change in every state.';

export const EXTENDING =
  'Takes exactly one of `days` and `expires_at`. Days are added after the end of access, or after now when it has ' +
  'expired or was revoked: the enrollment is active again then. Access for life stays as it is. Each request with ' +
  '`days` adds them, so repeat one with its `Idempotency-Key` only. `expires_at` moves the end, and null makes ' +
  'access for life; an end before the present one is refused.';

export const EXPIRING =
  'Ends access now, as its time would: the state is `expired`. Expiring twice changes nothing and returns 200; a ' +
  'revoked enrollment, or one that has not begun, is refused.';

export const REVOKING =
  'Ends access now, with all its grants. Revoking twice changes nothing and returns 200; an expired one is refused.';
