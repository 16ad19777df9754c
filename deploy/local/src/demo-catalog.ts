/** A subject of the catalog. */
export interface DemoCategory {
  /** Id in the storefront. */
  readonly external_id: string;
  readonly slug: string;
  readonly name: string;
  readonly position: number;
}

/** A way to buy a course, as the operator API takes it. */
export interface DemoPlan {
  /** Id in the storefront. */
  readonly external_id: string;
  readonly name: string;
  readonly plan_type: 'one_time_purchase' | 'specific_length';
  readonly price: { readonly amount_minor: number; readonly currency: string };
  readonly access_days?: number;
}

/** Categories of each school by its slug, each with the slugs of its courses. */
const CATEGORIES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  harbour: {
    Navigation: ['celestial-navigation', 'weather-at-sea', 'night-sailing'],
    Seamanship: ['knots-and-splices', 'night-sailing'],
  },
  orchard: {
    Trees: ['grafting', 'pruning-in-winter'],
    Soil: ['soil-science'],
  },
};

export function demoCategories(school: string): readonly DemoCategory[] {
  return Object.keys(CATEGORIES[school] ?? {}).map((name, position) => {
    const slug = name.toLowerCase();
    return { external_id: `category-${slug}`, slug, name, position };
  });
}

/** Slugs of the categories of a course. */
export function demoCategoriesOf(school: string, course: string): readonly string[] {
  const categories = Object.entries(CATEGORIES[school] ?? {}).filter(([, courses]) => courses.includes(course));
  return categories.map(([name]) => name.toLowerCase());
}

const twd = (amount_minor: number) => ({ amount_minor, currency: 'TWD' });

/** The plans of a course: for good, and for a year. */
export function demoPlans(course: string): readonly [forGood: DemoPlan, forYear: DemoPlan] {
  return [
    { external_id: `${course}-for-good`, name: 'For good', plan_type: 'one_time_purchase', price: twd(240_000) },
    {
      external_id: `${course}-year`,
      name: 'One year',
      plan_type: 'specific_length',
      price: twd(150_000),
      access_days: 365,
    },
  ];
}
