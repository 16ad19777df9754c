import { uuidv7 } from '@lyceum/platform';
import { memberApi } from '#src/member-api.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { lecture, section } from './world.js';

const QUERY = `{ viewer { enrolledCourses { nodes { courseId completedLecturesCount
  lastWatchedLecture { lectureId title positionSeconds watchedAt } } } } }`;

let api: TestApi;
let member: { site_id: string; person_id: string };
/** The student of the member. */
let student_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  member = await api.member();
  student_id = member.person_id;
});
afterAll(() => api.stop());

async function enrolled(): Promise<string> {
  const { course_id } = await api.world.course({ site_id: member.site_id });
  await api.world.enrollment({ ...member, course_id });
  return course_id;
}

async function lastOf(course_id: string): Promise<Data> {
  return (await courseOf(course_id)).lastWatchedLecture;
}

/** Reads the course after a later event, of another course, has been applied. */
async function courseOf(course_id: string): Promise<Data> {
  const marker = await enrolled();
  await api.world.progress({ ...member, student_id, course_id: marker, watched_at: '2026-01-01T00:00:00.000Z' });
  const of = (data: Data, id: string) =>
    data.viewer?.enrolledCourses.nodes.find(({ courseId }: Data) => courseId === id);
  const data = await api.until(
    QUERY,
    (given) => Boolean(of(given, marker)?.lastWatchedLecture) && of(given, course_id),
  );
  return of(data, course_id);
}

const at = (minute: number) => `2026-04-05T06:${String(minute).padStart(2, '0')}:00.000Z`;

describe('where a member stopped', () => {
  it('returns null before the first play, then the lecture, its title and the position', async () => {
    const course_id = await enrolled();
    expect(await lastOf(course_id)).toBeNull();
    const { lecture_id } = await api.world.progress({ ...member, course_id, watched_at: at(1), position_seconds: 61 });
    expect(await lastOf(course_id)).toEqual({
      lectureId: lecture_id,
      title: 'Bowline',
      positionSeconds: 61,
      watchedAt: '2026-04-05T06:01:00.000Z',
    });
  });

  it('returns the lecture watched last, in any order of events', async () => {
    const [forward, backward] = [await enrolled(), await enrolled()];
    const steps = [1, 2, 3].map((minute) => ({
      lecture_id: uuidv7(),
      watched_at: at(minute),
      position_seconds: minute,
    }));
    for (const step of steps) await api.world.progress({ ...member, course_id: forward, ...step });
    for (const step of steps.toReversed()) await api.world.progress({ ...member, course_id: backward, ...step });
    const expected = { positionSeconds: 3, lectureId: steps[2]?.lecture_id };
    expect(await lastOf(forward)).toMatchObject(expected);
    expect(await lastOf(backward)).toMatchObject(expected);
  });

  it('decides a tie equally in any order of events', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    const ties = [uuidv7(), uuidv7()].map((lecture_id, n) => ({ lecture_id, watched_at: at(1), position_seconds: n }));
    for (const tie of ties) await api.world.progress({ ...member, course_id: one, ...tie });
    for (const tie of ties.toReversed()) await api.world.progress({ ...member, course_id: other, ...tie });
    expect(await lastOf(one)).toMatchObject({ positionSeconds: 1 });
    expect(await lastOf(other)).toMatchObject({ positionSeconds: 1 });
  });

  it('returns the newer version of one lecture at one instant', async () => {
    const course_id = await enrolled();
    const step = { ...member, course_id, lecture_id: uuidv7(), watched_at: at(1) };
    await api.world.progress({ ...step, position_seconds: 9 }, { version: 2 });
    await api.world.progress({ ...step, position_seconds: 8 }, { version: 1 });
    expect(await lastOf(course_id)).toMatchObject({ positionSeconds: 9 });
  });

  it('hides progress from another person, another site and an unlinked student', async () => {
    const course_id = await enrolled();
    const step = { course_id, watched_at: at(1) };
    await api.world.progress({ ...member, ...step, person_id: uuidv7() });
    await api.world.progress({ ...member, ...step, site_id: api.sites[1].site_id });
    await api.world.progress({ ...member, ...step, person_id: null });
    expect(await lastOf(course_id)).toBeNull();
  });
});

describe('progress of a student who is another person now', () => {
  const rebuild = () => memberApi.commands?.['rebuild']?.run(api.config, ['progress']);

  /** A course with one lecture, in which the member is enrolled, and progress in it. */
  async function started() {
    const course_id = await enrolled();
    const [one, other] = [lecture('one'), lecture('other')];
    await api.world.curriculum({ site_id: member.site_id, course_id, sections: [section([one, other])] });
    const step = (minute: number) => ({ course_id, watched_at: at(minute), completed_at: at(minute) });
    return { course_id, lectures: [one.lecture_id, other.lecture_id] as const, step };
  }

  const NONE = { lastWatchedLecture: null, completedLecturesCount: 0 };

  it.each([
    ['another person', uuidv7()],
    ['no person', null],
  ])('leaves the former person when the student is %s, also in a rebuild', async (_which, person_id) => {
    const { course_id, lectures, step } = await started();
    const progress = { ...member, student_id: uuidv7(), lecture_id: lectures[0], ...step(1) };
    await api.world.progress(progress, { version: 1 });
    expect(await courseOf(course_id)).toMatchObject({ completedLecturesCount: 1 });
    await api.world.progress({ ...progress, person_id }, { name: 'linked', version: 2 });
    expect(await courseOf(course_id)).toMatchObject(NONE);
    await rebuild();
    expect(await courseOf(course_id)).toMatchObject(NONE);
  });

  it('keeps away an event of the former person that comes late', async () => {
    const { course_id, lectures, step } = await started();
    const progress = { ...member, student_id: uuidv7(), lecture_id: lectures[0], ...step(1) };
    await api.world.progress({ ...progress, person_id: uuidv7() }, { name: 'linked', version: 2 });
    await api.world.progress(progress, { version: 1 });
    expect(await courseOf(course_id)).toMatchObject(NONE);
  });

  it('exchanges the progress of two students, also in a rebuild', async () => {
    const { course_id, lectures, step } = await started();
    const other = { ...member, person_id: uuidv7() };
    const [first, second] = lectures;
    const own = { student_id: uuidv7(), lecture_id: first, ...step(2) };
    const later = { student_id: uuidv7(), ...step(1), completed_at: null, position_seconds: 7 };
    const gained = [first, second].map((lecture_id) => ({ ...later, lecture_id }));
    await api.world.progress({ ...member, ...own });
    for (const one of gained) await api.world.progress({ ...other, ...one });
    expect(await courseOf(course_id)).toMatchObject({ completedLecturesCount: 1 });
    // The rows of the other student are older than those of the member.
    ({ student_id } = later);
    for (const one of gained) await api.world.progress({ ...member, ...one }, { name: 'linked', version: 2 });
    await api.world.progress({ ...other, ...own }, { name: 'linked', version: 2 });
    const expected = { completedLecturesCount: 0, lastWatchedLecture: { lectureId: second, positionSeconds: 7 } };
    expect(await courseOf(course_id)).toMatchObject(expected);
    await rebuild();
    expect(await courseOf(course_id)).toMatchObject(expected);
    student_id = member.person_id;
  });
});
