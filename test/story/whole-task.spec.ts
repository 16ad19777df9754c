import { hash, randomUUID } from 'node:crypto';
import { eventually } from '@lyceum/testing';
import { graphql } from '../clients/http.js';
import { tokenFor } from '../clients/tokens.js';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { Model, corrected } from './model.js';

const site = systemStack().sites[0]!;
/** As many as the gateway lists at once. */
const MOST_TOOLS = 25;
const CLASS = 25;
const TITLES = { 'Light and water': ['Paper', 'Brushes'], 'First pictures': ['A pear', 'A harbor'] };
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const VIEWER = /* GraphQL */ `
  query ($slug: String!) {
    viewer {
      enrolledCourse(slug: $slug) {
        name
        lecturesCount
        curriculum {
          title
          lectures {
            title
          }
        }
      }
    }
  }
`;

interface Row {
  readonly id: string;
  readonly slug: string;
  readonly state: string;
}
interface Course extends Row {
  readonly image_url: string;
}
interface Upload extends Row {
  readonly upload_url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly url: string;
}
interface Page {
  readonly items: readonly Row[];
}
interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly body: Row;
}
interface Enrolled {
  readonly all_succeeded: boolean;
  readonly results: readonly { readonly status: number }[];
}
interface ViewerData {
  readonly viewer: { readonly enrolledCourse: { readonly name: string } | null };
}

let model: Model;

beforeAll(async () => {
  const { scopes } = clientOf(site, 'operator', 'public');
  model = await Model.connect(site.base_url, await tokenFor('operator', scopes.join(' ')));
});
afterAll(() => model?.close());

const unique = (): string => randomUUID().replaceAll('-', '');
const newSlug = (): string => `watercolor-${unique()}`;

const newCourse = async (slug = newSlug()): Promise<Row> =>
  (await model.use<{ course: Row }>('create_course', { name: 'Watercolor', slug })).course;

/** Sections and published lectures, in the order of the titles. */
async function addCurriculum(course_id: string): Promise<void> {
  for (const [title, lectures] of Object.entries(TITLES)) {
    const { section } = await model.use<{ section: Row }>('create_section', { course_id, title });
    for (const lectureTitle of lectures) {
      const args = { section_id: section.id, title: lectureTitle, slug: lectureTitle.toLowerCase().replace(' ', '-') };
      const { lecture } = await model.use<{ lecture: Row }>('create_lecture', args);
      await model.use('publish_lecture', { id: lecture.id });
    }
  }
}

it('lists at most as many tools as a model chooses well from', () => {
  expect(model.tools.size).toBeGreaterThan(20);
  expect(model.tools.size).toBeLessThanOrEqual(MOST_TOOLS);
});

it('opens a course with a curriculum and a plan to a class, which a member of it then sees', async () => {
  const course = await newCourse();
  await addCurriculum(course.id);

  const { currency } = await model.use<{ currency: string }>('get_school_profile');
  const terms = { name: 'A term', plan_type: 'specific_length', price: { amount_minor: 90_000, currency } };
  const path = { course_id: course.id };
  const body = { ...terms, access_days: 90 };
  const creation = await model.operation('create a plan of a course', { path, body });
  const { body: plan } = await model.use<Answer>('change_operation', creation);
  await model.use('publish_course', { id: course.id });

  const { email } = personOf(site, 'student');
  const { items: found } = await model.use<Page>('list_students', { q: email });
  const newcomers = Array.from({ length: CLASS - 1 }, (_, index) => ({
    email: `${course.slug}-${index}@example.com`,
    name: `Learner ${index + 1}`,
  }));
  const students = [{ student_id: found[0]?.id }, ...newcomers];
  const enrolled = await model.use<Enrolled>('enroll_students', {
    course_id: course.id,
    plan_id: plan.id,
    students,
  });
  expect(enrolled.results.map(({ status }) => status)).toEqual(Array.from({ length: CLASS }, () => 201));

  expect(await model.use('get_curriculum', { course_id: course.id })).toMatchObject({
    sections: Object.entries(TITLES).map(([title, lectures]) => ({
      title,
      lectures: lectures.map((lecture) => ({ title: lecture, state: 'published' })),
    })),
  });
  const { items } = await model.use<Page>('list_enrollments', { course_id: course.id, first: 50 });
  expect(items.map(({ state }) => state)).toEqual(Array.from({ length: CLASS }, () => 'active'));

  const token = await tokenFor('member', 'openid account:read');
  const read = async () => {
    const { body: data } = await graphql<ViewerData>(site.base_url, token, VIEWER, { slug: course.slug });
    return data.data?.viewer.enrolledCourse ?? null;
  };
  const seen = await eventually(read, (one) => one !== null);
  expect(seen).toEqual({
    name: 'Watercolor',
    lecturesCount: 4,
    curriculum: Object.entries(TITLES).map(([title, lectures]) => ({
      title,
      lectures: lectures.map((lecture) => ({ title: lecture })),
    })),
  });
});

it('uploads an image by the tools of the toolset for files, and makes it the picture of a course', async () => {
  const files = await model.with('storage');
  const image = { purpose: 'image', filename: 'pear.png', content_type: 'image/png' };
  const announced = { ...image, bytes: PNG.length, sha256: hash('sha256', PNG) };
  const { upload } = await files.use<{ upload: Upload }>('create_upload', announced);
  const headers = Object.fromEntries(upload.headers.map(({ name, value }) => [name, value]));
  expect((await fetch(upload.upload_url, { method: 'PUT', headers, body: PNG })).status).toBe(200);
  const { upload: ready } = await files.use<{ upload: Upload }>('complete_upload', { id: upload.id });
  expect(ready.state).toBe('ready');
  expect(Buffer.from(await (await fetch(ready.url)).arrayBuffer())).toEqual(PNG);
  await files.close();
  const { id } = await newCourse();
  const { course } = await model.use<{ course: Course }>('update_course', { id, image_file_id: upload.id });
  expect(course.image_url).toBe(`${site.base_url}/files/public/${upload.id}`);
  const picture = await fetch(course.image_url);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG);
});

describe('an operator with the error of a tool alone', () => {
  it('corrects a slug that another course has', async () => {
    const taken = await newCourse();
    const args = { name: 'Watercolor', slug: taken.slug };
    const { code, fields, hint } = await model.refused('create_course', args);
    expect([code, fields?.[0]?.id, hint]).toEqual([
      'already_exists',
      taken.id,
      expect.stringContaining('another value'),
    ]);
    const slug = newSlug();
    const { course } = await model.use<{ course: Row }>('create_course', corrected(args, fields?.[0]?.field, slug));
    expect(course).toMatchObject({ slug, state: 'draft' });
  });

  it('corrects an e-mail address with a mistake, before the class is enrolled', async () => {
    const { id: course_id } = await newCourse();
    const address = `${unique()}@example.com`;
    const students = [{ email: `first-${address}` }, { email: address.replace('@', ' at ') }];
    const args = { course_id, students };
    const { code, fields, hint } = await model.refused('enroll_students', args);
    expect([code, fields?.length, hint]).toEqual(['validation_failed', 1, expect.stringContaining('enroll_students')]);
    expect(await model.use('list_enrollments', { course_id })).toMatchObject({ items: [] });
    const again = corrected(args, fields?.[0]?.field, address);
    expect(await model.use<Enrolled>('enroll_students', again)).toMatchObject({
      all_succeeded: true,
      results: [{ status: 201 }, { status: 201 }],
    });
  });

  it('corrects the etag of a course that has changed since it was read', async () => {
    const path = { id: (await newCourse()).id };
    const reading = await model.operation('get course', { path });
    const read = await model.use<Answer>('read_operation', reading);
    await model.use('update_course', { ...path, subtitle: 'Light and water' });

    const update = await model.operation('update a course', { path, body: { name: 'Gouache' } });
    const { code, hint } = await model.refused('change_operation', { ...update, if_match: read.etag });
    expect([code, hint]).toEqual(['precondition_failed', expect.stringMatching(/^Read .* etag/)]);
    const { etag } = await model.use<Answer>('read_operation', reading);
    const changed = await model.use<Answer>('change_operation', { ...update, if_match: etag });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Gouache', subtitle: 'Light and water' } });
  });
});
