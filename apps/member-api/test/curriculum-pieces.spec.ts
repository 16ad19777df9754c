import { CURRICULUM_LIMITS } from '@lyceum/contracts';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { lecture, section } from './world.js';
import type { Lecture, Section, Sent } from './world.js';

const QUERY = `{ viewer { enrolledCourses(first: 2) { nodes { courseId lecturesCount completedLecturesCount
  nextLecture { id } curriculum { title position lectures { slug position } } } } } }`;

interface Piece {
  readonly index: number;
  readonly count: number;
}

let api: TestApi;
let member: { site_id: string; person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  member = await api.member();
});
afterAll(() => api.stop());

const named = (title: string, lectures: Lecture[], drip_days = 0): Section => section(lectures, { title, drip_days });

/** A course that the member is enrolled in. */
async function enrolled(): Promise<string> {
  const { course_id } = await api.world.course({ site_id: member.site_id });
  await api.world.enrollment({ ...member, course_id });
  return course_id;
}

const publish = (course_id: string, sections: readonly Section[], sent?: Sent): Promise<void> =>
  api.world.curriculum({ site_id: member.site_id, course_id, sections }, sent);

async function read(course_id: string, done: (course: Data) => boolean = () => true): Promise<Data> {
  const of = (data: Data) => data.viewer?.enrolledCourses.nodes.find(({ courseId }: Data) => courseId === course_id);
  return of(await api.until(QUERY, (data) => of(data) !== undefined && done(of(data))));
}

const titles = ({ curriculum }: Data): unknown[] =>
  curriculum.map(({ position, title, lectures }: Data) => [
    position,
    title,
    lectures.map((one: Data) => `${one.position} ${one.slug}`),
  ]);
const count = (expected: number) => (course: Data) => course.lecturesCount === expected;

it('shows a curriculum of several events when all have arrived, in any order', async () => {
  const course_id = await enrolled();
  const before = named('Before', [lecture('before')]);
  await publish(course_id, [before]);
  await read(course_id, count(1));
  const { lectures: most } = CURRICULUM_LIMITS;
  const long = named(
    'Long',
    Array.from({ length: most }, (_, n) => lecture(`l-${n}`, { state: n === 1 ? 'draft' : 'published' })),
  );
  const cut = (from: number, to: number): Section => ({ ...long, lectures: long.lectures.slice(from, to) });
  const send = (version: number, piece: Piece, sections: Section[]) =>
    api.world.curriculum({ site_id: member.site_id, course_id, sections, piece }, { version, name: 'piece' });
  await send(2, { index: 2, count: 3 }, [cut(1_500, most), before]);
  await send(2, { index: 0, count: 3 }, [cut(0, 700)]);
  // The change itself has no curriculum, and a piece of an older version does not count.
  await api.world.curriculum({ site_id: member.site_id, course_id, sections: [], piece: null }, { version: 2 });
  await send(1, { index: 1, count: 3 }, [cut(0, 1)]);
  const marker = await enrolled();
  await publish(marker, [named('Marker', [lecture('marker')])]);
  await read(marker, count(1));
  expect(titles(await read(course_id))).toEqual([[1, 'Before', ['1 before']]]);
  await send(2, { index: 1, count: 3 }, [cut(700, 1_500)]);
  const published = long.lectures.filter(({ state }) => state === 'published');
  expect(titles(await read(course_id, count(most)))).toEqual([
    [1, 'Long', published.map(({ slug }, index) => `${index + 1} ${slug}`)],
    [2, 'Before', ['1 before']],
  ]);
  const reversed = { ...long, lectures: long.lectures.toReversed() };
  await send(3, { index: 0, count: 2 }, [{ ...reversed, lectures: reversed.lectures.slice(0, 900) }]);
  await send(3, { index: 1, count: 2 }, [{ ...reversed, lectures: reversed.lectures.slice(900) }]);
  const course = await read(course_id, ({ nextLecture }) => nextLecture.id === reversed.lectures[0]?.lecture_id);
  expect(course).toMatchObject({ lecturesCount: most - 1, completedLecturesCount: 0 });
  await publish(course_id, [before], { version: 4 });
  expect(titles(await read(course_id, count(1)))).toEqual([[1, 'Before', ['1 before']]]);
});
