/** A membership plan of a demo school. */
export interface DemoMembershipPlan {
  readonly external_id: string;
  readonly name: string;
  readonly terms: object;
  /** Slugs of its courses. */
  readonly courses: readonly string[];
}

const twd = (amount_minor: number) => ({ amount_minor, currency: 'TWD' });

export function demoMembershipPlans(courses: readonly string[]): readonly DemoMembershipPlan[] {
  return [
    {
      external_id: 'all-courses',
      name: 'All courses',
      terms: {
        plan_type: 'recurring',
        prices: [
          { interval: 'month', price: twd(60_000), trial_days: 14 },
          { interval: 'year', price: twd(600_000) },
        ],
      },
      courses,
    },
    {
      external_id: 'friends',
      name: 'Friends of the school',
      // Long, so that its renewal finds a subscription that has not ended.
      terms: { plan_type: 'recurring', prices: [{ interval: 'year', interval_count: 5, price: twd(250_000) }] },
      courses: [],
    },
  ];
}
