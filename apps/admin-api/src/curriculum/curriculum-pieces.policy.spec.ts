import { CURRICULUM_LIMITS, TOPOLOGY_LIMITS } from '@lyceum/contracts';
import { partOf, piecesOf } from './curriculum-pieces.policy.js';

type Sections = Parameters<typeof piecesOf>[0];

const uuid = (n: number): string => `019ab3c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const lecture = (n: number, title: string): Sections[number]['lectures'][number] => ({
  lecture_id: uuid(n),
  slug: `l${n}`.padEnd(100, 'x'),
  title,
  lecture_type: 'download',
  state: 'published',
  free_preview: true,
  duration_seconds: 360_000,
  published_at: '2026-11-20T08:00:00.000Z',
});
const section = (n: number, lectures: Sections[number]['lectures'], title = 'Section'): Sections[number] => ({
  section_id: uuid(n),
  title,
  drip_days: 3650,
  opens_at: null,
  lectures,
});
const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));
const ids = (sections: Sections): [string, string][] =>
  sections.flatMap(({ section_id, lectures }) =>
    lectures.map(({ lecture_id }) => [section_id, lecture_id] as [string, string]),
  );

it('keeps a curriculum that fits in one piece, also an empty one', () => {
  const sections = [section(1, [lecture(2, 'One')]), section(3, [])];
  expect(piecesOf(sections)).toEqual([sections]);
  expect(piecesOf([])).toEqual([[]]);
});

it('begins a piece for the first lecture beyond the limit, and not for the last one within it', () => {
  const sections = [section(1, [lecture(2, 'One'), lecture(3, 'Two')])];
  const limit = bytes(sections);
  expect(piecesOf(sections, limit)).toHaveLength(1);
  const [first, second] = piecesOf(sections, limit - 1);
  expect(first).toEqual([section(1, [lecture(2, 'One')])]);
  expect(second).toEqual([section(1, [lecture(3, 'Two')])]);
});

it('begins a piece for a section without lectures', () => {
  const sections = [section(1, []), section(2, [])];
  expect(piecesOf(sections, bytes(sections))).toHaveLength(1);
  expect(piecesOf(sections, bytes(sections) - 1)).toEqual([[section(1, [])], [section(2, [])]]);
});

it.each([1, CURRICULUM_LIMITS.sections])('keeps each lecture of the largest curriculum, in %p sections', (count) => {
  const title = '課'.repeat(CURRICULUM_LIMITS.titleLength);
  const each = CURRICULUM_LIMITS.lectures / count;
  const sections = Array.from({ length: count }, (_, n) =>
    section(
      n,
      Array.from({ length: each }, (_one, m) => lecture(10_000 + n * each + m, title)),
      title,
    ),
  );
  const pieces = piecesOf(sections);
  expect(pieces.flatMap(ids)).toEqual(ids(sections));
  expect(pieces.length).toBeGreaterThan(4);
  expect(pieces.length).toBeLessThanOrEqual(10);
  for (const piece of pieces) {
    expect(bytes(piece)).toBeLessThanOrEqual(CURRICULUM_LIMITS.pieceBytes);
    expect(piece.length).toBeGreaterThan(0);
  }
});

it('leaves room for the envelope of an event', () => {
  expect(TOPOLOGY_LIMITS.eventBytes - CURRICULUM_LIMITS.pieceBytes).toBeGreaterThanOrEqual(8 * 1024);
});

it('returns the part that changed, without the others', () => {
  const sections = [section(1, [lecture(2, 'One'), lecture(3, 'Two')]), section(4, [lecture(5, 'Three')])];
  expect(partOf(sections, uuid(3))).toEqual([section(1, [lecture(3, 'Two')])]);
  expect(partOf(sections, uuid(4))).toEqual([section(4, [])]);
  expect(partOf(sections, uuid(9))).toEqual([]);
  expect(partOf(sections, null)).toEqual([]);
});
