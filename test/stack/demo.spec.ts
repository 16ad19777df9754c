import { DemoImport, demoDefinition, type DemoSite, mintToken } from '@lyceum/local';
import { send } from '../clients/http.js';
import { clientOf, personOf, systemStack } from './system-stack.js';

const IMPORT = 'harbour-import';

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly object_id: string;
  readonly actor: { readonly client_id: string };
}

const [applied] = systemStack().sites;
const site = demoDefinition(Number(new URL(applied!.base_url).port)).sites[0]!;
const api = `${site.base_url}/api/v1`;
let token: string;

beforeAll(async () => {
  const scope = 'school:read courses:read courses:write curriculum:read curriculum:write students:read students:write';
  const client = clientOf(applied!, 'operator', 'public');
  token = (await mintToken({ site, ...personOf(applied!, 'owner'), ...client, scope })).access_token;
});

const read = async <Item>(path: string): Promise<Item[]> =>
  (await send<{ data: Item[] }>(`${api}${path}`, { token })).body.data;

/** The changes by the client of the import, of the objects. */
async function imported(...objects: readonly (string | undefined)[]): Promise<Entry[]> {
  const entries = await Promise.all(objects.map((id) => read<Entry>(`/activity?limit=100&object_id=${id}`)));
  return entries.flat().filter(({ actor }) => actor.client_id === IMPORT);
}

const courseOf = async (slug: string) =>
  (await read<{ id: string; state: string; lecturer_ids: string[] }>(`/courses?external_id=${slug}`))[0];
const studentOf = async (external_id: string) =>
  (await read<{ id: string; email: string; member_id: string | null }>(`/students?external_id=${external_id}`))[0];

interface Curriculum {
  readonly duration_seconds: number;
  readonly sections: readonly {
    readonly title: string;
    readonly lectures: readonly {
      readonly id: string;
      readonly title: string;
      readonly state: string;
      readonly free_preview: boolean;
    }[];
  }[];
}

async function curriculumOf(slug: string): Promise<Curriculum> {
  const path = `${api}/courses/${(await courseOf(slug))?.id}/curriculum`;
  return (await send<Curriculum>(path, { token })).body;
}

async function run(content: DemoSite): Promise<void> {
  const one = await DemoImport.open(content);
  await one.courses();
  await Promise.all([one.students(), one.curricula()]);
  await one.lecturers();
  await one.close();
}

describe('the demo', () => {
  it('imports courses, students and enrollments by a client of the owner', async () => {
    const [course, student] = [await courseOf('celestial-navigation'), await studentOf('learner-1')];
    expect(course?.lecturer_ids).toHaveLength(1);
    expect(student).toMatchObject({ email: 'student@harbour.example', member_id: expect.any(String) });
    const [enrollment] = await read<{ id: string }>(`/enrollments?student_id=${student?.id}&course_id=${course?.id}`);
    const entries = await imported(course?.id, enrollment?.id);
    const actions = entries.map(({ action }) => action);
    expect(actions.filter((action) => !action.startsWith('curriculum.'))).toEqual([
      'course.updated',
      'course.published',
      'course.created',
      'enrollment.activated',
    ]);
  });

  it('publishes a curriculum of each course, with one free preview', async () => {
    for (const { external_id, curriculum = [] } of site.courses) {
      const { sections, duration_seconds } = await curriculumOf(external_id);
      expect(sections.map(({ title }) => title)).toEqual(curriculum.map(({ title }) => title));
      const lectures = sections.flatMap((section) => section.lectures);
      expect(lectures.map(({ title }) => title)).toEqual(
        curriculum.flatMap((section) => section.lectures).map(({ title }) => title),
      );
      expect(lectures.map(({ state }) => state)).toEqual(lectures.map(() => 'published'));
      expect(lectures.filter(({ free_preview }) => free_preview)).toEqual(lectures.slice(0, 1));
      expect(duration_seconds).toBeGreaterThan(1800);
    }
  });

  it('records progress of its storefront in these lectures', async () => {
    const student = await studentOf('learner-2');
    const progress = await read<object>(`/students/${student?.id}/progress`);
    expect(progress).toMatchObject([{ lecture_title: 'The sky as a map', position_seconds: 31, completed: false }]);
  });

  it('stays as it is when the import runs again', async () => {
    const ids = [
      ...(await Promise.all(site.courses.map(async ({ external_id }) => (await courseOf(external_id))?.id))),
      ...(await Promise.all(site.students.map(async ({ external_id }) => (await studentOf(external_id))?.id))),
      ...(await read<{ id: string }>(`/enrollments?student_id=${(await studentOf('learner-1'))?.id}`)).map(
        ({ id }) => id,
      ),
    ];
    expect(ids).not.toContain(undefined);
    const before = await imported(...ids);
    expect(before.length).toBeGreaterThan(8);
    await run(site);
    expect(await imported(...ids)).toEqual(before);
  });

  it('completes an interrupted import, and keeps what an operator has changed', async () => {
    const slug = `rigging-${Date.now()}`;
    const email = `${slug}@harbour.example`;
    const lectureOf = (title: string) => {
      const key = { external_id: `${slug}-${title}`, slug: title };
      return { ...key, title, duration_seconds: 60, free_preview: false };
    };
    const section = { external_id: `${slug}-1`, title: 'Wire', lectures: [lectureOf('stays'), lectureOf('shrouds')] };
    const curriculum = [section, { external_id: `${slug}-2`, title: 'Rope', lectures: [lectureOf('halyards')] }];
    const course = {
      slug,
      name: 'Rigging',
      external_id: slug,
      state: 'published',
      lecturers: ['lecturer'],
      curriculum,
    } as const;
    const student = { email, name: 'Rigger', external_id: slug, enrollments: [slug] };
    const begun = [{ ...section, lectures: [lectureOf('stays')] }];
    const half = { ...course, state: 'draft', lecturers: [], curriculum: begun } as const;
    await run({ ...site, courses: [half], students: [{ ...student, enrollments: [] }] });
    expect(await courseOf(slug)).toMatchObject({ state: 'draft', lecturer_ids: [] });

    const whole = { ...site, courses: [course], students: [student] };
    await run(whole);
    expect(await courseOf(slug)).toMatchObject({ state: 'published', lecturer_ids: [expect.any(String)] });
    const { id } = (await studentOf(slug))!;
    const path = `/students/${id}/enrollments`;
    const [enrollment, ...more] = await read<{ id: string; state: string }>(path);
    expect([enrollment?.state, more]).toEqual(['active', []]);

    const [wire, rope] = (await curriculumOf(slug)).sections;
    expect([wire, rope]).toMatchObject([
      { title: 'Wire', lectures: [{ title: 'stays' }, { title: 'shrouds' }] },
      { title: 'Rope', lectures: [{ title: 'halyards' }] },
    ]);

    const change = (at: string) => send(`${api}${at}`, { method: 'POST', token });
    expect((await change(`/lectures/${wire!.lectures[0]!.id}/unpublish`)).status).toBe(200);
    expect((await change(`/courses/${(await courseOf(slug))!.id}/unpublish`)).status).toBe(200);
    expect((await change(`${path}/${enrollment!.id}/revoke`)).status).toBe(200);
    await run(whole);
    expect(await courseOf(slug)).toMatchObject({ state: 'unpublished' });
    expect(await read(path)).toMatchObject([{ state: 'revoked' }]);
    const [kept] = (await curriculumOf(slug)).sections;
    expect(kept?.lectures).toMatchObject([{ state: 'draft' }, { state: 'published' }]);
  });
});
