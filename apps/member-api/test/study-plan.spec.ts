import type { Principal, PromptOutput, Reply } from '@lyceum/contracts';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { ToolCaller, refusal } from './tool-caller.js';
import { lecture, section } from './world.js';

let api: TestApi;
let tools: ToolCaller;
let person_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  tools = await ToolCaller.connect(api);
  ({ person_id } = api.student());
  const { site_id } = api.sites[0];
  await api.world.person({ person_id, name: 'Ada' });
  await api.world.role({ person_id, site_id });
  for (const slug of ['one', 'two', 'three']) {
    const { course_id } = await api.world.course({ site_id, slug });
    await api.world.enrollment({ site_id, person_id, course_id });
  }
  const courses = '{ viewer { enrolledCourses { totalCount } } }';
  await api.until(courses, ({ viewer }) => viewer?.enrolledCourses.totalCount === 3);
});
afterAll(async () => {
  await tools.close();
  await api.stop();
});

const principal = (changes: Partial<Principal> = {}): Principal => tools.principal(person_id, changes);
const plan = (input: object, caller: Principal | null = principal()): Promise<Reply> =>
  tools.prompt('plan_my_study_week', input, caller);

interface Planned {
  readonly courses: readonly { readonly course_id: string; readonly slug: string; readonly url: string | null }[];
  readonly more_courses: boolean;
}

/** The parts of a prompt: the instruction and the attached data. */
async function planned(input: object): Promise<Planned & { readonly instruction: string }> {
  const reply = await plan(input);
  if (!reply.ok) throw new Error(JSON.stringify(reply));
  const [instruction, attached] = (reply.result as PromptOutput).messages.map(({ content }) => content);
  if (instruction?.type !== 'text' || attached?.type !== 'resource' || !('text' in attached.resource)) {
    throw new Error('other messages are expected');
  }
  return { instruction: instruction.text, ...(JSON.parse(attached.resource.text) as Planned) };
}

describe('plan_my_study_week', () => {
  it('returns the courses as data, apart from the instructions', async () => {
    const { instruction, courses, more_courses } = await planned({ hours: '7' });
    expect(instruction).toContain('of 7 hours in all');
    expect(courses).toHaveLength(3);
    expect(courses).toContainEqual(expect.objectContaining({ slug: 'one', lectures_count: 0 }));
    expect(more_courses).toBe(false);
  });

  it('links the page of a course once the school has an URL template', async () => {
    expect((await planned({})).courses.map(({ url }) => url)).toEqual([null, null, null]);
    const [{ site_id, base_url, host, name, slug, org_id }] = api.sites;
    const course_url = 'https://www.example.com/{slug}';
    await api.world.site({ site_id, base_url, host, name, slug, org_id, state: 'active', course_url });
    const pages = '{ viewer { enrolledCourses { nodes { pageUrl } } } }';
    await api.until(pages, ({ viewer }) => viewer.enrolledCourses.nodes[0]?.pageUrl !== null);
    for (const one of (await planned({})).courses) expect(one.url).toBe(`https://www.example.com/${one.slug}`);
  });

  it('returns the course_id that my_course accepts', async () => {
    const { courses } = await planned({});
    expect(courses).toHaveLength(3);
    for (const { course_id, slug } of courses) {
      expect(await tools.call('my_course', { course_id }, principal())).toMatchObject({
        ok: true,
        result: { course_id, slug },
      });
    }
  });

  it('counts a lecture that was published after the last record of progress', async () => {
    const { site_id } = api.sites[0];
    const { course_id } = await api.world.course({ site_id, slug: 'grown' });
    await api.world.enrollment({ site_id, person_id, course_id, completion_rate: 1 });
    const [old, added] = [lecture('old'), lecture('added')];
    const watched_at = new Date().toISOString();
    const progress = { lecture_id: old.lecture_id, watched_at, completed_at: watched_at };
    await api.world.progress({ site_id, person_id, course_id, ...progress });
    await api.world.curriculum({ site_id, course_id, sections: [section([old, added])] });
    const counts = '{ viewer { enrolledCourses { nodes { lecturesCount completedLecturesCount } } } }';
    await api.until(counts, ({ viewer }) => viewer?.enrolledCourses.nodes[0]?.completedLecturesCount === 1);
    const { instruction, courses } = await planned({});
    const grown = { slug: 'grown', lectures_count: 2, completed_lectures_count: 1 };
    expect(courses).toContainEqual(expect.objectContaining(grown));
    expect(instruction).toContain('leave out those whose lectures are all completed');
  });

  it('plans the active courses of a member whose newest enrollments have expired', async () => {
    const { site_id } = api.sites[0];
    const started_at = new Date().toISOString();
    for (let n = 0; n < 20; n += 1) {
      const { course_id } = await api.world.course({ site_id });
      await api.world.enrollment({ site_id, person_id, course_id, started_at, state: 'expired' });
    }
    const expired = '{ viewer { enrolledCourses(states: [EXPIRED]) { totalCount } } }';
    await api.until(expired, ({ viewer }) => viewer?.enrolledCourses.totalCount === 20);
    const { courses, more_courses } = await planned({});
    expect(courses.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['one', 'two', 'three']));
    expect(more_courses).toBe(false);
  });

  it.each(['1', '60'])('plans %s hours', async (hours) => {
    expect(await plan({ hours })).toMatchObject({ ok: true });
  });

  it.each([{ hours: '0' }, { hours: '61' }, { hours: '1.5' }, { hours: 5 }, { more: 'x' }])(
    'rejects %j',
    async (input) => {
      expect(await plan(input)).toEqual(refusal('validation_failed'));
    },
  );

  it('requires a member with the scope', async () => {
    expect(await plan({}, null)).toEqual(refusal('invalid_token'));
    expect(await plan({}, principal({ scopes: ['openid'] }))).toEqual(refusal('insufficient_scope'));
    expect(await plan({}, principal({ audience: 'operator' }))).toEqual(refusal('insufficient_scope'));
  });
});
