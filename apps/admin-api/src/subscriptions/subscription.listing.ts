/** SQL of members from other tables, by property. */
export const SUBSCRIPTION_PARTS = {
  person_id: `(select s.person_id from students s
    where s.site_id = subscriptions.site_id and s.id = subscriptions.student_id)`,
  plan_name: `(select p.name from membership_plans p
    where p.site_id = subscriptions.site_id and p.id = subscriptions.plan_id)`,
} as const;

/** Condition on `subscriptions`: those that give access. The clock may not have written their end yet. */
export const LIVE_SUBSCRIPTIONS = `subscriptions.state in ('trialing', 'active', 'past_due')
  and (subscriptions.live_until is null or subscriptions.live_until > now())`;

/** SQL of the ids of the live subscriptions of a member, by the table of the member. */
export const SUBSCRIPTIONS_OF_MEMBER = `
  array(select subscriptions.id from students
    join subscriptions on subscriptions.site_id = students.site_id and subscriptions.student_id = students.id
    where students.site_id = members.site_id and students.member_id = members.id and ${LIVE_SUBSCRIPTIONS}
    order by subscriptions.created_at, subscriptions.id)`;
