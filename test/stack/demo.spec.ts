import { DemoImport, type DemoSite } from '@lyceum/local';
import { send } from '../clients/http.js';
import { api, ownerToken, read, site, studentOf } from './demo-school.js';

const IMPORT = 'harbour-import';

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly object_id: string;
  readonly actor: { readonly client_id: string };
}

/** The changes by the client of the import, of the objects. */
async function imported(...objects: readonly (string | undefined)[]): Promise<Entry[]> {
  const entries = await Promise.all(objects.map((id) => read<Entry>(`/activity?limit=100&object_id=${id}`)));
  return entries.flat().filter(({ actor }) => actor.client_id === IMPORT);
}

const courseOf = async (slug: string) =>
  (await read<{ id: string; state: string; lecturer_ids: string[] }>(`/courses?external_id=${slug}`))[0];

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
  return (await send<Curriculum>(path, { token: await ownerToken() })).body;
}

async function run(content: DemoSite): Promise<void> {
  const one = await DemoImport.open(content);
  await one.courses();
  await Promise.all([one.students(), one.classes(), one.curricula(), one.membershipPlans()]);
  await one.files();
  await one.lecturers();
  await one.coupons();
  await one.close();
}

interface Comment {
  readonly id: string;
  readonly commentable_id: string;
  readonly replies_count: number;
  readonly state: string;
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

  it('puts courses into categories, and enrolls students by plans', async () => {
    const [course, student] = [await courseOf('knots-and-splices'), await studentOf('learner-1')];
    const [category] = await read<{ id: string }>('/categories?external_id=category-seamanship');
    const listed = await read<{ slug: string }>(`/courses?category_id=${category?.id}&sort=name`);
    expect(listed.map(({ slug }) => slug)).toEqual(['knots-and-splices', 'night-sailing']);
    const plans = await read<{ id: string; plan_type: string }>(`/courses/${course?.id}/plans?sort=created_at`);
    expect(plans.map(({ plan_type }) => plan_type)).toEqual(['one_time_purchase', 'specific_length']);
    const of = `student_id=${student?.id}&course_id=${course?.id}`;
    const [enrollment] = await read<{ plan_id: string; expires_at: string | null }>(`/enrollments?${of}`);
    expect(enrollment).toMatchObject({ plan_id: plans[1]?.id, expires_at: expect.any(String) });
  });

  it('sells access to all published courses by one membership plan', async () => {
    const [plan] = await read<{ id: string }>('/membership_plans?external_id=all-courses');
    const { body } = await send<{ state: string; course_ids: string[] }>(`${api}/membership_plans/${plan?.id}`, {
      token: await ownerToken(),
    });
    const published = site.courses.filter(({ state }) => state === 'published');
    const ids = await Promise.all(published.map(async ({ external_id }) => (await courseOf(external_id))?.id));
    expect([body.state, new Set(body.course_ids)]).toEqual(['active', new Set(ids)]);
    expect((await imported(plan?.id)).map(({ action }) => action)).toEqual([
      'membership_plan.activated',
      'membership_plan.created',
    ]);
  });

  it('offers coupons of each kind, one of which begins later', async () => {
    const coupons = await read<{ id: string; code: string; state: string }>('/coupons?sort=created_at');
    const offers = coupons.map(({ code, state }) => [code, state]);
    expect(offers.filter(([code]) => ['WELCOME10', 'EarlyBird300', 'FRIENDS-25'].includes(code ?? ''))).toEqual([
      ['WELCOME10', 'active'],
      ['EarlyBird300', 'active'],
      ['FRIENDS-25', 'scheduled'],
    ]);
    expect((await imported(coupons[0]?.id)).map(({ action }) => action)).toEqual(['coupon.created']);
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

  it('shows a logo of its own on its pages, and attaches a worksheet to the first lecture', async () => {
    const { body: appearance } = await send<{ logo_url: string; theme: object }>(`${api}/appearance`, {
      token: await ownerToken(),
    });
    expect(appearance.theme).toMatchObject({ accent_color: '#0b5c86' });
    const page = await (await fetch(site.base_url)).text();
    expect(page).toContain(`<img class="logo" src="${new URL(appearance.logo_url).pathname}"`);
    expect((await fetch(appearance.logo_url)).headers.get('content-type')).toBe('image/svg+xml');
    const [lecture] = await read<{ attachments: { download_url: string }[] }>(
      '/lectures?external_id=celestial-navigation-the-sky-as-a-map',
    );
    const pdf = await (await fetch(lecture?.attachments[0]?.download_url ?? '')).text();
    expect(pdf).toMatch(/^%PDF-1\.7[^]+Celestial Navigation[^]+%%EOF\n$/);
  });

  it('records progress of its storefront in these lectures', async () => {
    const student = await studentOf('learner-2');
    const progress = await read<object>(`/students/${student?.id}/progress`);
    expect(progress).toMatchObject([{ lecture_title: 'The sky as a map', position_seconds: 31, completed: false }]);
  });

  it('posts reviews of its storefront', async () => {
    const course = await courseOf(site.courses[0]?.external_id ?? '');
    const reviews = await read<{ rating: number }>(`/courses/${course?.id}/reviews`);
    expect(new Set(reviews.map(({ rating }) => rating))).toEqual(new Set([4, 5]));
    expect(course).toMatchObject({ rating_average: 4.5, reviews_count: 2 });
  });

  it('posts comments with replies, and submits a form', async () => {
    const all = await read<Comment>('/comments');
    const courses = await read<{ id: string; external_id: string | null }>('/courses?limit=100');
    const others = courses.filter(({ external_id }) => external_id === null).map(({ id }) => id);
    const comments = all.filter(({ commentable_id }) => !others.includes(commentable_id));
    expect(comments.map(({ replies_count, state }) => `${replies_count} ${state}`)).toEqual([
      '0 pending',
      '0 visible',
      '0 visible',
      '2 visible',
    ]);
    const question = comments.find(({ replies_count }) => replies_count > 0);
    expect(await read(`/comments/${question?.id}/replies`)).toHaveLength(2);
    const [form] = await read<{ id: string }>('/forms?external_id=form-contact');
    expect(form).toMatchObject({ slug: 'contact', active: true, submissions_count: 2 });
    const submissions = await read<{ member_id: string | null }>(`/forms/${form?.id}/submissions`);
    expect(submissions).toMatchObject([{ member_id: expect.any(String) }, { member_id: null }]);
  });

  it('publishes a post, and keeps drafts of a post and an announcement', async () => {
    const stateOf = async (path: string) => (await read<{ state: string }>(path)).map(({ state }) => state);
    expect(await stateOf('/posts?external_id=post-welcome')).toEqual(['published']);
    expect(await stateOf('/posts?external_id=post-winter-term')).toEqual(['draft']);
    expect(await stateOf('/announcements?external_id=announcement-holiday')).toEqual(['draft']);
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
    const student = { email, name: 'Rigger', external_id: slug, enrollments: [{ course: slug }] };
    const begun = [{ ...section, lectures: [lectureOf('stays')] }];
    const half = { ...course, state: 'draft', lecturers: [], curriculum: begun } as const;
    await run({ ...site, courses: [half], students: [{ ...student, enrollments: [] }] });
    expect(await courseOf(slug)).toMatchObject({ state: 'draft', lecturer_ids: [] });

    const members = ['first', 'second'].map((name) => ({ email: `${name}-${email}`, name }));
    const classes = [{ course: slug, students: members }];
    const whole = { ...site, courses: [course], students: [student], classes };
    await run(whole);
    expect(await courseOf(slug)).toMatchObject({ state: 'published', lecturer_ids: [expect.any(String)] });
    const { id } = (await studentOf(slug))!;
    const path = `/students/${id}/enrollments`;
    const [enrollment, ...more] = await read<{ id: string; state: string }>(path);
    expect([enrollment?.state, more]).toEqual(['active', []]);
    const enrolled = `/enrollments?course_id=${(await courseOf(slug))?.id}`;
    expect(await read(enrolled)).toHaveLength(3);
    const [first] = await read<{ id: string; name: string }>(`/students?email=${members[0]?.email}`);
    expect(first?.name).toBe('first');
    const [ended] = await read<{ id: string }>(`/students/${first?.id}/enrollments`);

    const [wire, rope] = (await curriculumOf(slug)).sections;
    expect([wire, rope]).toMatchObject([
      { title: 'Wire', lectures: [{ title: 'stays' }, { title: 'shrouds' }] },
      { title: 'Rope', lectures: [{ title: 'halyards' }] },
    ]);

    const token = await ownerToken();
    const change = (at: string) => send(`${api}${at}`, { method: 'POST', token });
    expect((await change(`/lectures/${wire!.lectures[0]!.id}/unpublish`)).status).toBe(200);
    expect((await change(`/courses/${(await courseOf(slug))!.id}/unpublish`)).status).toBe(200);
    expect((await change(`${path}/${enrollment!.id}/revoke`)).status).toBe(200);
    expect((await change(`/students/${first?.id}/enrollments/${ended?.id}/revoke`)).status).toBe(200);
    await run(whole);
    expect(await courseOf(slug)).toMatchObject({ state: 'unpublished' });
    expect(await read(path)).toMatchObject([{ state: 'revoked' }]);
    expect(await read(`/students/${first?.id}/enrollments`)).toMatchObject([{ state: 'revoked' }]);
    expect(await read(enrolled)).toHaveLength(3);
    const [kept] = (await curriculumOf(slug)).sections;
    expect(kept?.lectures).toMatchObject([{ state: 'draft' }, { state: 'published' }]);
  });
});
