import { uuidv7 } from '@lyceum/platform';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { lecture, section } from './world.js';
import type { Lecture, Section, Sent } from './world.js';

const QUERY = `{ viewer { enrolledCourses(first: 2) { nodes { courseId slug lecturesCount completedLecturesCount
  nextLecture { id title }
  curriculum { id title position availableAt lectures {
    id slug title position lectureType durationSeconds freePreview completed completedAt positionSeconds } }
} } } }`;

let api: TestApi;
let member: { site_id: string; person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  member = await api.member();
});
afterAll(() => api.stop());

const named = (title: string, lectures: Lecture[], drip_days = 0): Section => section(lectures, { title, drip_days });

let enrollments = 0;

/** A course that the member is enrolled in, newer than all before. */
async function enrolled(
  given: { started_at?: string; first_started_at?: string; state?: 'active' | 'expired' } = {},
): Promise<string> {
  const { course_id } = await api.world.course({ site_id: member.site_id });
  const started_at = new Date(Date.UTC(2026, 0, 1, 0, (enrollments += 1))).toISOString();
  await api.world.enrollment({ ...member, course_id, started_at, ...given });
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
const at = (minute: number) => `2026-04-05T06:${String(minute).padStart(2, '0')}:00.000Z`;

describe('the curriculum of a course', () => {
  it('returns an empty curriculum before the first event', async () => {
    expect(await read(await enrolled())).toMatchObject({
      curriculum: [],
      nextLecture: null,
      lecturesCount: 0,
      completedLecturesCount: 0,
    });
  });

  it('returns every member of sections and lectures', async () => {
    const course_id = await enrolled();
    const quiz = lecture('quiz', { lecture_type: 'quiz', free_preview: true, title: 'What is "a knot"?' });
    const loops = named('Loops', [quiz]);
    await publish(course_id, [loops]);
    expect(await read(course_id, count(1))).toMatchObject({
      curriculum: [
        {
          id: loops.section_id,
          title: 'Loops',
          position: 1,
          availableAt: null,
          lectures: [
            {
              id: quiz.lecture_id,
              slug: 'quiz',
              title: 'What is "a knot"?',
              position: 1,
              lectureType: 'QUIZ',
              durationSeconds: 90,
              freePreview: true,
              completed: false,
              completedAt: null,
              positionSeconds: null,
            },
          ],
        },
      ],
    });
  });

  it('leaves out drafts and sections without a published lecture', async () => {
    const course_id = await enrolled();
    const draft = lecture('draft', { state: 'draft' });
    await publish(course_id, [
      named('Empty', []),
      named('Planned', [draft]),
      named('Loops', [draft, lecture('bowline'), lecture('slip')]),
      named('Bends', [lecture('sheet')]),
    ]);
    const course = await read(course_id, count(3));
    expect(titles(course)).toEqual([
      [1, 'Loops', ['1 bowline', '2 slip']],
      [2, 'Bends', ['1 sheet']],
    ]);
  });

  it('follows a new order, and ignores an older version', async () => {
    const course_id = await enrolled();
    const [loops, bends] = [named('Loops', [lecture('bowline'), lecture('slip')]), named('Bends', [lecture('sheet')])];
    await publish(course_id, [loops, bends], { version: 2 });
    await read(course_id, count(3));
    await publish(course_id, [bends, { ...loops, lectures: loops.lectures.toReversed() }], { version: 3 });
    const moved = [
      [1, 'Bends', ['1 sheet']],
      [2, 'Loops', ['1 slip', '2 bowline']],
    ];
    await read(course_id, (course) => titles(course).toString() === moved.toString());
    await publish(course_id, [loops], { version: 1 });
    const marker = await enrolled();
    await publish(marker, [loops]);
    await read(marker, count(2));
    expect(titles(await read(course_id))).toEqual(moved);
  });

  it('serves the same from resolvers', async () => {
    const course_id = await enrolled();
    await publish(course_id, [named('Loops', [lecture('bowline'), lecture('slip')], 4_000)]);
    const compiled = await read(course_id, count(2));
    const { body } = await api.query(
      QUERY.replace('{ viewer {', '{ viewer { notifications(after: "x") { totalCount }'),
    );
    expect(body.errors).toHaveLength(1);
    expect(body.data.viewer.enrolledCourses.nodes[0]).toEqual(compiled);
  });
});

describe('the progress of a member in lectures', () => {
  it('returns position and completion per lecture, the next lecture, and counts', async () => {
    const course_id = await enrolled();
    const [first, second, third] = [lecture('first'), lecture('second'), lecture('third')] as const;
    await publish(course_id, [named('Loops', [first, second]), named('Bends', [third])]);
    const step = ({ lecture_id }: Lecture, minute: number, completed_at: string | null, version = 1) =>
      api.world.progress(
        { ...member, course_id, lecture_id, watched_at: at(minute), position_seconds: minute, completed_at },
        { version },
      );
    const state = ({ nextLecture, curriculum, completedLecturesCount }: Data): unknown => ({
      next: nextLecture?.id ?? null,
      count: completedLecturesCount,
      lectures: curriculum.flatMap(({ lectures }: Data) =>
        lectures.map((one: Data) => [one.positionSeconds, one.completed, one.completedAt]),
      ),
    });
    const becomes = async (expected: { next: string | null; count: number; lectures: unknown[] }) => {
      const same = (course: Data) => JSON.stringify(state(course)) === JSON.stringify(expected);
      expect(state(await read(course_id, same))).toEqual(expected);
    };
    const unseen = [null, false, null];
    await becomes({ next: first.lecture_id, count: 0, lectures: [unseen, unseen, unseen] });
    await step(first, 2, null);
    await becomes({ next: first.lecture_id, count: 0, lectures: [[2, false, null], unseen, unseen] });
    await step(first, 3, at(3), 2);
    await step(third, 4, at(4));
    await becomes({ next: second.lecture_id, count: 2, lectures: [[3, true, at(3)], unseen, [4, true, at(4)]] });
    // An older event does not change the lecture, the last of which is still the one that the course resumes with.
    await step(first, 1, null, 1);
    await step(second, 5, at(5));
    await becomes({
      next: null,
      count: 3,
      lectures: [
        [3, true, at(3)],
        [5, true, at(5)],
        [4, true, at(4)],
      ],
    });
    const { body } = await api.query(
      '{ viewer { enrolledCourses(first: 1) { nodes { lastWatchedLecture { lectureId } } } } }',
    );
    expect(body.data.viewer.enrolledCourses.nodes[0].lastWatchedLecture.lectureId).toBe(second.lecture_id);
  });

  it('ignores lectures that are not published, and progress of another person, site and an unlinked student', async () => {
    const course_id = await enrolled();
    const [own, draft] = [lecture('own'), lecture('draft', { state: 'draft' })];
    const step = { ...member, course_id, lecture_id: own.lecture_id, watched_at: at(1), completed_at: at(1) };
    await api.world.progress({ ...step, lecture_id: draft.lecture_id });
    await api.world.progress({ ...step, person_id: uuidv7() });
    await api.world.progress({ ...step, site_id: api.sites[1].site_id });
    await api.world.progress({ ...step, person_id: null });
    const seen = lecture('seen');
    await publish(course_id, [named('Loops', [draft, own, seen])]);
    // The consumer applies it after the others.
    await api.world.progress({ ...step, lecture_id: seen.lecture_id, position_seconds: 7 });
    const course = await read(course_id, ({ completedLecturesCount }) => completedLecturesCount > 0);
    expect(course).toMatchObject({ lecturesCount: 2, completedLecturesCount: 1, nextLecture: { id: own.lecture_id } });
    const [{ lectures }] = course.curriculum;
    expect(lectures.map(({ positionSeconds }: Data) => positionSeconds)).toEqual([null, 7]);
  });
});

describe('a section that opens later', () => {
  it('opens the days of its drip after the start of the enrollment', async () => {
    const [now, later, other] = [lecture('now'), lecture('later'), lecture('other')];
    const sections = [named('Opened', [now], 3), named('Closed', [later], 40_000), named('Open', [other], 0)];
    const course_id = await enrolled({ started_at: '2026-02-28T12:30:00.250Z' });
    await publish(course_id, sections);
    const course = await read(course_id, count(3));
    expect(course.curriculum.map(({ availableAt }: Data) => availableAt)).toEqual([
      null,
      '2135-09-05T12:30:00.250Z',
      null,
    ]);
    expect(course.nextLecture.id).toBe(now.lecture_id);
    for (const { lecture_id } of [now, other]) {
      await api.world.progress({ ...member, course_id, lecture_id, watched_at: at(1), completed_at: at(1) });
    }
    expect(await read(course_id, ({ completedLecturesCount }) => completedLecturesCount === 2)).toMatchObject({
      nextLecture: null,
    });
  });

  it('opens at its date for every member, and after the days of its drip', async () => {
    const course_id = await enrolled({ started_at: '2026-03-10T00:00:00.000Z' });
    const dated = (title: string, opens_at: string, drip_days = 0): Section => ({
      ...named(title, [lecture(title)], drip_days),
      opens_at,
    });
    await publish(course_id, [
      dated('past', '2026-02-01T00:00:00.000Z'),
      dated('future', '2090-02-01T08:00:00.000Z'),
      dated('later', '2026-02-01T00:00:00.000Z', 40_000),
    ]);
    const course = await read(course_id, count(3));
    expect(course.curriculum.map(({ availableAt }: Data) => availableAt)).toEqual([
      null,
      '2090-02-01T08:00:00.000Z',
      '2135-09-15T00:00:00.000Z',
    ]);
  });

  it('keeps a section open for a member who renewed after an interruption', async () => {
    const again = { started_at: new Date().toISOString(), first_started_at: '2026-01-01T00:00:00.000Z' };
    const course_id = await enrolled(again);
    const next = lecture('next');
    await publish(course_id, [named('Open before', [next], 14), named('Closed', [lecture('later')], 40_000)]);
    const course = await read(course_id, count(2));
    expect(course.curriculum.map(({ availableAt }: Data) => availableAt)).toEqual([null, '2135-07-09T00:00:00.000Z']);
    expect(course.nextLecture.id).toBe(next.lecture_id);
  });

  it('keeps a section closed until an enrollment of the future has begun', async () => {
    const course_id = await enrolled({ started_at: '2090-01-01T00:00:00.000Z' });
    await publish(course_id, [named('Week 1', [lecture('one')]), named('Week 2', [lecture('two')], 7)]);
    const course = await read(course_id, count(2));
    expect(course.curriculum.map(({ availableAt }: Data) => availableAt)).toEqual([
      '2090-01-01T00:00:00.000Z',
      '2090-01-08T00:00:00.000Z',
    ]);
    expect(course.nextLecture).toBeNull();
  });
});

it('shows the curriculum of an expired course', async () => {
  const course_id = await enrolled({ started_at: '2091-01-01T00:00:00.000Z', state: 'expired' });
  await publish(course_id, [named('Loops', [lecture('bowline')])]);
  expect(titles(await read(course_id, count(1)))).toEqual([[1, 'Loops', ['1 bowline']]]);
});
