import type { DemoDay } from './demo-day.js';

/** The review of a learner of the demo, as the storefront of the school posts it, with ids of the storefront. */
export interface DemoReview {
  /** `external_id` of the student. */
  readonly student: string;
  /** `external_id` of the course. */
  readonly course: string;
  readonly rating: number;
  readonly title: string | null;
  readonly body: string;
  readonly occurred_at: string;
}

/** Two reviews of a course, whose average is no whole number. */
export function demoReviews(
  [first, second]: readonly [string, string],
  course: string,
  day: DemoDay,
): readonly DemoReview[] {
  return [
    {
      student: first,
      course,
      rating: 5,
      title: 'Clear and calm',
      body: 'Each lecture has one idea, and enough time to try it.',
      occurred_at: day.ago(21, '18:00'),
    },
    {
      student: second,
      course,
      rating: 4,
      title: null,
      body: 'I would like more exercises between the lectures.',
      occurred_at: day.ago(5, '09:30'),
    },
  ];
}
