/** The progress of a learner of the demo, as the storefront of the school records it, with ids of the storefront. */
export interface DemoProgress {
  /** `external_id` of the student. */
  readonly student: string;
  /** `external_id` of the course. */
  readonly course: string;
  readonly lecture_id: string;
  readonly lecture_title: string;
  readonly position_seconds: number;
  readonly completion_rate: number;
  readonly occurred_at: string;
}

const FIRST = { lecture_id: '0199f6a0-0000-7000-8000-00000000c1a1', lecture_title: 'The first lecture' };
const SECOND = { lecture_id: '0199f6a0-0000-7000-8000-00000000c1a2', lecture_title: 'The second lecture' };

/** The first student is in the middle of the course; the second one has begun. */
export function demoProgress([first, second]: readonly [string, string], course: string): readonly DemoProgress[] {
  const watched = { course, completion_rate: 0.1 };
  return [
    { ...watched, ...SECOND, student: first, position_seconds: 120, occurred_at: '2026-10-01T19:00:00.000Z' },
    {
      ...watched,
      ...FIRST,
      student: first,
      position_seconds: 754,
      completion_rate: 0.25,
      occurred_at: '2026-10-02T19:30:00.000Z',
    },
    { ...watched, ...FIRST, student: second, position_seconds: 31, occurred_at: '2026-10-03T08:15:00.000Z' },
  ];
}
