import type { DemoDay } from './demo-day.js';

/** A consulting service of a demo school, with one slot and one purchase, which the storefront books. */
export interface DemoConsulting {
  readonly external_id: string;
  readonly slug: string;
  readonly name: string;
  readonly terms: object;
  /** Slugs of its lecturers. */
  readonly lecturers: readonly string[];
  readonly slot: { readonly external_id: string; readonly starts_at: string; readonly join_url: string };
  /** `student` is the `external_id` of the student. */
  readonly purchase: { readonly external_id: string; readonly student: string };
}

/** The slot is in two weeks. */
export function demoConsulting(student: string, day: DemoDay): readonly DemoConsulting[] {
  return [
    {
      external_id: 'one-to-one',
      slug: 'one-to-one',
      name: 'One to One',
      terms: { timezone: 'Asia/Taipei', sessions_included: 3, price: { amount_minor: 300_000, currency: 'TWD' } },
      lecturers: ['lecturer'],
      slot: {
        external_id: 'one-to-one-1',
        starts_at: day.ahead(14, '09:00'),
        join_url: 'https://meet.example/one-to-one',
      },
      purchase: { external_id: `one-to-one-${student}`, student },
    },
  ];
}
