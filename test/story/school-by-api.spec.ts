import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { eventually } from '@lyceum/testing';
import { graphql, send } from '../clients/http.js';
import { tokenFor } from '../clients/tokens.js';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { Model } from './model.js';

const site = systemStack().sites[0]!;
const CLASS = 20;
const COURSES = 5;
const EXTENSION_DAYS = 30;
const DAY = 86_400_000;
/** One to read the school, four by bulk, a plan and a publication of each course, and the class. */
const MOST_REST_CALLS = 20;
/** The course, three sections, the lectures by an operation that a search finds, a plan and the publication. */
const MOST_TOOL_CALLS = 9;
/** Students of the class who have watched a lecture. */
const BEGINNERS = 3;
const SECTIONS = ['Light and water', 'First pictures'];
const LECTURES = ['Paper', 'Brushes'];
const OUTLINE = [
  { title: 'Light and water', lectures: ['Paper', 'Brushes', 'Water', 'Light'] },
  { title: 'First pictures', lectures: ['Leaf', 'Stone', 'Cloud'] },
  { title: 'Own pictures', lectures: ['Motif', 'Sketch', 'Picture'] },
];
const DESCRIPTION = '<p>Eight weeks of painting with water.</p>';
const contentOf = (title: string): string => `<p>All about ${title.toLowerCase()}.</p>`;
const VIDEO = { title: 'Watch', kind: 'video', url: 'https://vimeo.com/76979871' };
const VIEWER = /* GraphQL */ `
  query ($slug: String!) {
    viewer {
      enrolledCourse(slug: $slug) {
        lecturesCount
        completedLecturesCount
        completionRate
        descriptionHtml
        nextLecture {
          contentHtml
          playerUrl
        }
        curriculum {
          title
          lectures {
            title
            completed
          }
        }
      }
    }
  }
`;

interface Row {
  readonly id: string;
}
interface Bulk {
  readonly all_succeeded: boolean;
  readonly results: readonly { readonly index: number; readonly status: number; readonly id: string }[];
}
interface Enrollment extends Row {
  readonly expires_at: string;
}
interface Listed extends Enrollment {
  readonly student_id: string;
  readonly last_watched: { readonly position_seconds: number } | null;
}
interface Seen {
  readonly lecturesCount: number;
  readonly completedLecturesCount: number;
  readonly completionRate: number;
  readonly descriptionHtml: string | null;
  readonly nextLecture: { readonly contentHtml: string | null; readonly playerUrl: string | null };
  readonly curriculum: readonly object[];
}

/** Calls the REST API, and counts the calls and the characters of their bodies. */
class Rest {
  readonly traffic = { calls: 0, characters: 0 };

  constructor(private readonly token: string) {}

  async call<Body>(path: string, json?: object, method = json === undefined ? 'GET' : 'POST'): Promise<Body> {
    const { status, body } = await send<Body>(`${site.base_url}/api/v1${path}`, { method, token: this.token, json });
    this.traffic.calls += 1;
    this.traffic.characters += JSON.stringify(json ?? '').length + JSON.stringify(body).length;
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** The ids of the new objects, in the order of the items. */
  async createAll(collection: string, items: readonly object[]): Promise<string[]> {
    const { results } = await this.call<Bulk>(`/${collection}/bulk`, { atomic: true, items });
    expect(results.map(({ status }) => status)).toEqual(items.map(() => 201));
    return results.map(({ id }) => id);
  }
}

/** Prints what a task cost, for the comparison with other ways to do it. The long proof keeps the figures. */
function report(task: string, { calls, characters }: Rest['traffic'], start: number, most?: number): void {
  const seconds = Number(((performance.now() - start) / 1000).toFixed(2));
  process.stdout.write(`    ${task}: ${calls} calls, ${characters} characters, ${seconds} s\n`);
  const file = process.env['LYCEUM_FIGURES'];
  if (file === undefined) return;
  const figures = [
    { title: `${task}: calls`, value: calls, unit: 'calls', ...(most === undefined ? {} : { at_most: most }) },
    { title: `${task}: characters`, value: characters, unit: 'characters' },
    { title: `${task}: time`, value: seconds, unit: 's' },
  ];
  appendFileSync(file, figures.map((figure) => `${JSON.stringify(figure)}\n`).join(''));
}

const unique = randomUUID().replaceAll('-', '');
const slugOf = (index: number): string => `school-${unique}-${index}`;
const learners = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    email: `${prefix}-${unique}-${index}@example.com`,
    name: `Learner ${index + 1}`,
  }));
const planIn = (currency: string) => ({
  name: 'A term',
  plan_type: 'specific_length',
  price: { amount_minor: 90_000, currency },
  access_days: 90,
});

async function memberSees(slug: string, isReady: (one: Seen) => boolean): Promise<Seen | null> {
  const token = await tokenFor('member', 'openid account:read');
  const read = async (): Promise<Seen | null> => {
    const { body } = await graphql<{ viewer: { enrolledCourse: Seen | null } }>(site.base_url, token, VIEWER, { slug });
    return body.data?.viewer.enrolledCourse ?? null;
  };
  return eventually(read, (one) => one !== null && isReady(one));
}

let token: string;
beforeAll(async () => {
  token = await tokenFor('operator', clientOf(site, 'operator', 'public').scopes.join(' '));
});

it('builds a school with a class by REST in 20 calls, and a member sees the course and the progress', async () => {
  const rest = new Rest(token);
  const start = performance.now();
  const { currency } = await rest.call<{ currency: string }>('/school');
  const courses = await rest.createAll(
    'courses',
    Array.from({ length: COURSES }, (_, index) => ({
      name: `Watercolor ${index + 1}`,
      slug: slugOf(index),
      description_html: DESCRIPTION,
    })),
  );
  const sections = await rest.createAll(
    'sections',
    courses.flatMap((course_id) => SECTIONS.map((title) => ({ course_id, title }))),
  );
  const lectures = await rest.createAll(
    'lectures',
    sections.flatMap((section_id, section) =>
      LECTURES.map((title) => ({
        section_id,
        title,
        slug: `${title.toLowerCase()}-${section}`,
        state: 'published',
        content_html: contentOf(title),
        attachments: [VIDEO],
      })),
    ),
  );
  for (const id of courses) {
    await rest.call(`/courses/${id}/plans`, planIn(currency));
    await rest.call(`/courses/${id}/publish`, undefined, 'POST');
  }

  const { email } = personOf(site, 'student');
  const { data: known } = await rest.call<{ data: Row[] }>(`/students?q=${encodeURIComponent(email)}`);
  const students = [known[0]!.id, ...(await rest.createAll('students', learners('rest', CLASS - 1)))];
  const [course_id, expires_at] = [courses[0]!, new Date(Date.now() + 90 * DAY).toISOString()];
  const enrollments = await rest.createAll(
    'enrollments',
    students.map((student_id) => ({ student_id, course_id, expires_at })),
  );
  const watched = { course_id, lecture_id: lectures[0], position_seconds: 60, completed: true };
  await rest.call(`/students/${students[0]}/progress`, { ...watched, watched_at: new Date().toISOString() });
  for (const id of enrollments.slice(0, 2)) {
    const extended = await rest.call<Enrollment>(`/enrollments/${id}/extend`, { days: EXTENSION_DAYS });
    expect(Date.parse(extended.expires_at) - Date.parse(expires_at)).toBe(EXTENSION_DAYS * DAY);
  }
  report('A school by REST', rest.traffic, start, MOST_REST_CALLS);
  expect(rest.traffic.calls).toBeLessThanOrEqual(MOST_REST_CALLS);

  const isReady = ({ completedLecturesCount, descriptionHtml, nextLecture }: Seen): boolean =>
    completedLecturesCount > 0 && descriptionHtml !== null && Object.values(nextLecture).every((one) => one !== null);
  expect(await memberSees(slugOf(0), isReady)).toEqual({
    lecturesCount: 4,
    completedLecturesCount: 1,
    completionRate: 0.25,
    descriptionHtml: DESCRIPTION,
    nextLecture: { contentHtml: contentOf('Brushes'), playerUrl: 'https://player.vimeo.com/video/76979871' },
    curriculum: SECTIONS.map((title, section) => ({
      title,
      lectures: LECTURES.map((lecture, index) => ({ title: lecture, completed: section + index === 0 })),
    })),
  });
  report('A school by REST, until a member sees it', rest.traffic, start);
});

describe('by tools alone', () => {
  let model: Model;
  beforeAll(async () => {
    model = await Model.connect(site.base_url, token, new Set(), 'courses,curriculum,students,operations,school');
  });
  afterAll(() => model?.close());

  it('opens a course with three sections, ten lectures and a plan in 9 calls, and enrolls a class in 1', async () => {
    const { currency } = await model.use<{ currency: string }>('get_school_profile');
    const { email } = personOf(site, 'student');
    const before = { ...model.traffic };
    const since = () => ({
      calls: model.traffic.calls - before.calls,
      characters: model.traffic.characters - before.characters,
    });
    const start = performance.now();
    const slug = `tools-${unique}`;
    const { course } = await model.use<{ course: Row }>('create_course', { name: 'Watercolor', slug });
    const items = [];
    for (const { title, lectures } of OUTLINE) {
      const { section } = await model.use<{ section: Row }>('create_section', { course_id: course.id, title });
      for (const lecture of lectures)
        items.push({
          section_id: section.id,
          title: lecture,
          slug: `${lecture}-${items.length}`.toLowerCase(),
          state: 'published',
        });
    }
    const creation = await model.operation('create lectures', { body: { atomic: true, items } });
    const { body: made } = await model.use<{ body: Bulk }>('change_operation', creation);
    expect(made.all_succeeded).toBe(true);
    await model.use('create_course_plan', { course_id: course.id, ...planIn(currency) });
    await model.use('publish_course', { id: course.id });
    report('A course by tools', since(), start, MOST_TOOL_CALLS);
    expect(since().calls).toBeLessThanOrEqual(MOST_TOOL_CALLS);

    const opened = since().calls;
    const students = [{ email }, ...learners('tools', CLASS - 1)];
    const expires_at = new Date(Date.now() + 90 * DAY).toISOString();
    const enrolled = await model.use<Bulk>('enroll_students', { course_id: course.id, students, expires_at });
    expect(enrolled.results.map(({ status }) => status)).toEqual(students.map(() => 201));
    report('A course by tools, with a class', since(), start);
    expect(since().calls - opened).toBe(1);

    expect(await memberSees(slug, ({ lecturesCount }) => lecturesCount === 10)).toMatchObject({
      completedLecturesCount: 0,
      curriculum: OUTLINE.map(({ title, lectures }) => ({ title, lectures: lectures.map((one) => ({ title: one })) })),
    });

    const listed = (filter: object) =>
      model.use<{ items: Listed[] }>('list_enrollments', { course_id: course.id, first: 50, ...filter });
    const of = new Map((await listed({})).items.map((one) => [one.id, one]));
    const begins = enrolled.results.slice(0, BEGINNERS).map(({ id }) => of.get(id)!);
    for (const { student_id } of begins) {
      const watched = { course_id: course.id, lecture_id: made.results[0]!.id, position_seconds: 60 };
      await model.use('record_progress', { student_id, ...watched, watched_at: new Date().toISOString() });
    }
    const asked = since();
    const { items: waiting } = await listed({ has_begun: false });
    const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).toSorted();
    expect(ids(waiting)).toEqual(ids(enrolled.results.slice(BEGINNERS)));
    expect(waiting.filter(({ last_watched: last }) => last !== null)).toEqual([]);
    for (const { id: enrollment_id, student_id } of waiting.slice(0, 2)) {
      await model.use('extend_enrollment', { student_id, enrollment_id, days: EXTENSION_DAYS });
    }
    expect(since().calls - asked.calls).toBe(3);
    report('A course by tools, until two who have not begun have more time', since(), start);

    const { items: begun } = await listed({ has_begun: true });
    expect(begun).toHaveLength(BEGINNERS);
    for (const { last_watched: last } of begun) expect(last).toMatchObject({ position_seconds: 60 });
    const ends = (await listed({})).items.map((one) => Date.parse(one.expires_at) - Date.parse(expires_at));
    expect(ends.filter((later) => later === EXTENSION_DAYS * DAY)).toHaveLength(2);
    expect(ends.filter((later) => later === 0)).toHaveLength(CLASS - 2);
  });
});
