import { CURRICULUM_LIMITS } from '@lyceum/contracts';
import { CURRICULUM_BYTES, fittingLectures } from './fitting-lectures.policy.js';

const course = (sections: number, each: number, title: string) =>
  Array.from({ length: sections }, (_, s) => ({
    title,
    lectures: Array.from({ length: each }, (_one, l) => ({ lecture_id: `${s}-${l}`, title })),
  }));
const ids = (sections: readonly { lectures: readonly { lecture_id: string }[] }[]): string[] =>
  sections.flatMap(({ lectures }) => lectures.map(({ lecture_id }) => lecture_id));

it('keeps every lecture of an ordinary course', () => {
  const sections = course(10, 10, 'A lecture of ordinary length');
  expect(fittingLectures(sections, null)).toEqual({ sections, leftOff: 0 });
});

it('keeps the largest course below its bytes, with every section', () => {
  const sections = course(
    CURRICULUM_LIMITS.sections,
    CURRICULUM_LIMITS.lectures / CURRICULUM_LIMITS.sections,
    '紙'.repeat(CURRICULUM_LIMITS.titleLength),
  );
  const fitting = fittingLectures(sections, null);
  expect(Buffer.byteLength(JSON.stringify(fitting.sections))).toBeLessThanOrEqual(CURRICULUM_BYTES);
  expect(fitting.sections).toHaveLength(CURRICULUM_LIMITS.sections);
  expect(fitting.leftOff).toBe(CURRICULUM_LIMITS.lectures - ids(fitting.sections).length);
  expect(ids(fitting.sections)).toContain('0-0');
});

it('prefers the next lecture and those after it, and keeps the order', () => {
  const fifth = 'x'.repeat(CURRICULUM_BYTES / 5);
  expect(ids(fittingLectures(course(2, 2, fifth), '1-0').sections)).toEqual(['1-0', '1-1']);
  expect(ids(fittingLectures(course(1, 4, fifth), '0-3').sections)).toEqual(['0-0', '0-1', '0-3']);
});
