import { CURRICULUM_LIMITS } from '@lyceum/contracts';
import { shownTree, treeOf } from './curriculum-tree.policy.js';

type Sections = Parameters<typeof treeOf>[0];

const uuid = (n: number): string => `019ab3c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const section = (n: number, lectures: readonly number[], title = `Section ${n}`): Sections[number] => ({
  section_id: uuid(n),
  title,
  drip_days: 0,
  opens_at: null,
  lectures: lectures.map((one) => ({
    lecture_id: uuid(one),
    slug: `l${one}`,
    title,
    lecture_type: 'video',
    state: 'published',
    free_preview: false,
    duration_seconds: 0,
    published_at: '2026-11-20T08:00:00.000Z',
  })),
});
const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));
const numbers = (sections: ReturnType<typeof shownTree>) =>
  sections.map(({ lectures, more_lectures = 0 }) => [lectures.length, more_lectures]);

it('shows each lecture of a course that fits', () => {
  const sections = [section(1, [2, 3]), section(4, []), section(5, [6])];
  const shown = shownTree(sections);
  expect(shown).toStrictEqual(treeOf(sections));
  expect(shown[0]?.lectures[1]).toEqual({
    id: uuid(3),
    slug: 'l3',
    title: 'Section 1',
    lecture_type: 'video',
    state: 'published',
    free_preview: false,
    duration_seconds: 0,
  });
});

it('leaves out the last lectures of the course, and counts them in their sections', () => {
  const sections = [section(1, [2, 3]), section(4, [5, 6])];
  const whole = shownTree(sections);
  // `more_lectures` and a comma of each section.
  const limit = bytes(whole) + 2 * (',"more_lectures":2'.length + 1);
  expect(numbers(shownTree(sections, limit))).toEqual([
    [2, 0],
    [2, 0],
  ]);
  expect(numbers(shownTree(sections, limit - 1))).toEqual([
    [2, 0],
    [1, 1],
  ]);
  expect(numbers(shownTree(sections, 0))).toEqual([
    [0, 2],
    [0, 2],
  ]);
});

it('fits the largest course into the result of a tool, with all sections', () => {
  const { sections: count, lectures, titleLength } = CURRICULUM_LIMITS;
  const title = '課'.repeat(titleLength);
  const each = lectures / count;
  const sections = Array.from({ length: count }, (_, n) =>
    section(
      n,
      Array.from({ length: each }, (_one, m) => 1_000 + n * each + m),
      title,
    ),
  );
  const shown = shownTree(sections);
  expect(shown).toHaveLength(count);
  expect(bytes(shown)).toBeLessThan(55 * 1_024 + 1);
  const [first, last] = [shown[0], shown.at(-1)];
  expect([first?.more_lectures, last?.more_lectures]).toEqual([undefined, each]);
  expect(numbers(shown).reduce((sum, [some = 0, others = 0]) => sum + some + others, 0)).toBe(lectures);
});
