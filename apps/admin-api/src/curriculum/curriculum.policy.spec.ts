import { CURRICULUM_LIMITS } from '@lyceum/contracts';
import { isSameOrder, requireRoom, requireSameCourse, requireWholeOrder } from './curriculum.policy.js';

const CURRENT = [
  { id: 'a', lecture_ids: ['1', '2'] },
  { id: 'b', lecture_ids: [] },
];

it.each(['sections', 'lectures'] as const)('lets a course have as many %s as the limit, and no more', (kind) => {
  const limit = CURRICULUM_LIMITS[kind];
  expect(() => requireRoom(kind, limit - 1)).not.toThrow();
  expect(() => requireRoom(kind, limit)).toThrow(`A course has at most ${limit} ${kind}`);
});

it.each([
  ['other sections first', [CURRENT[1], CURRENT[0]]],
  ['a lecture in another section', [CURRENT[1], { id: 'a', lecture_ids: ['2', '1'] }]],
])('accepts %s', (_name, order) => {
  expect(() => requireWholeOrder(CURRENT, order as typeof CURRENT)).not.toThrow();
});

it.each([
  ['a missing section', [CURRENT[0]], '/sections'],
  ['a missing lecture', [{ id: 'a', lecture_ids: ['1'] }, CURRENT[1]], '/sections'],
  ['a section that occurs twice', [CURRENT[0], CURRENT[1], CURRENT[1]], '/sections/2/id'],
  ['a lecture that occurs twice', [CURRENT[0], { id: 'b', lecture_ids: ['1'] }], '/sections/1/lecture_ids/0'],
  ['a lecture of another course', [{ id: 'a', lecture_ids: ['1', '2', '9'] }, CURRENT[1]], '/sections/0/lecture_ids/2'],
])('refuses an order with %s', (_name, order, pointer) => {
  expect(() => requireWholeOrder(CURRENT, order as typeof CURRENT)).toThrow(
    expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ pointer })] }),
  );
});

it('names at most 20 missing parts', () => {
  const lecture_ids = Array.from({ length: 21 }, (_, n) => `l${n}`);
  const faults = (ids: readonly string[]) => {
    try {
      requireWholeOrder([{ id: 'a', lecture_ids: ids }], [{ id: 'a', lecture_ids: [] }]);
    } catch (error) {
      return (error as { readonly errors: readonly { readonly detail: string }[] }).errors.map(({ detail }) => detail);
    }
    return [];
  };
  expect(faults(lecture_ids.slice(1))).toEqual([`Lacks ${lecture_ids.slice(1).join(', ')}`]);
  expect(faults(lecture_ids)).toEqual([`Lacks ${lecture_ids.slice(0, 20).join(', ')} and 1 more`]);
});

it('tells orders apart by the sections of lectures', () => {
  expect(isSameOrder(CURRENT, structuredClone(CURRENT))).toBe(true);
  const moved = [
    { id: 'a', lecture_ids: ['1'] },
    { id: 'b', lecture_ids: ['2'] },
  ];
  expect(isSameOrder(CURRENT, moved)).toBe(false);
});

it('keeps a part in its course', () => {
  expect(() => requireSameCourse({ course_id: 'x' }, { course_id: 'x' })).not.toThrow();
  expect(() => requireSameCourse({ course_id: 'x' }, { course_id: 'y' })).toThrow('stay in their course');
});
