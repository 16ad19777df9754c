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
export function demoReviews([first, second]: readonly [string, string], course: string): readonly DemoReview[] {
  return [
    {
      student: first,
      course,
      rating: 5,
      title: 'Clear and calm',
      body: 'Each lecture has one idea, and enough time to try it.',
      occurred_at: '2026-10-05T18:00:00.000Z',
    },
    {
      student: second,
      course,
      rating: 4,
      title: null,
      body: 'I would like more exercises between the lectures.',
      occurred_at: '2026-10-06T09:30:00.000Z',
    },
  ];
}
