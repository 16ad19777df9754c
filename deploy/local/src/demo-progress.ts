import type { DemoDay } from './demo-day.js';
import type { DemoLecture, DemoSection } from './demo-curricula.js';

/** The progress of a learner of the demo, as the storefront of the school records it, with ids of the storefront. */
export interface DemoProgress {
  /** `external_id` of the student. */
  readonly student: string;
  /** `external_id` of the course. */
  readonly course: string;
  /** `external_id` of the lecture. */
  readonly lecture: string;
  readonly position_seconds: number;
  readonly completed: boolean;
  readonly occurred_at: string;
}

/** The first student is in the third lecture of the course; the second one has begun. */
export function demoProgress(
  [first, second]: readonly [string, string],
  { external_id: course, curriculum }: { readonly external_id: string; readonly curriculum: readonly DemoSection[] },
  day: DemoDay,
): readonly DemoProgress[] {
  const [one, two, three] = curriculum.flatMap(({ lectures }) => lectures);
  if (one === undefined || two === undefined || three === undefined) throw new Error(`${course} has too few lectures`);
  const watched = (lecture: DemoLecture, position?: number) => demoProgressOf(course, lecture, position);
  return [
    { ...watched(one), student: first, occurred_at: day.ago(35, '19:00') },
    { ...watched(two), student: first, occurred_at: day.ago(35, '19:20') },
    { ...watched(three, 754), student: first, occurred_at: day.ago(3, '19:30') },
    { ...watched(one, 31), student: second, occurred_at: day.ago(7, '08:15') },
  ];
}

/** Without a position, the student has completed the lecture. */
export function demoProgressOf(
  course: string,
  { external_id: lecture, duration_seconds }: DemoLecture,
  position?: number,
): Omit<DemoProgress, 'student' | 'occurred_at'> {
  return { course, lecture, position_seconds: position ?? duration_seconds, completed: position === undefined };
}
