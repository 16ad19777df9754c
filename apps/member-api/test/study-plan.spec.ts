import type { Principal, PromptOutput, Reply } from '@lyceum/contracts';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { ToolCaller, refusal } from './tool-caller.js';

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

describe('plan_my_study_week', () => {
  it('returns the courses as data, apart from the instructions', async () => {
    const reply = await plan({ hours: '7' });
    if (!reply.ok) throw new Error(JSON.stringify(reply));
    const [instruction, attached] = (reply.result as PromptOutput).messages.map(({ content }) => content);
    if (instruction?.type !== 'text' || attached?.type !== 'resource' || !('text' in attached.resource)) {
      throw new Error('other messages are expected');
    }
    expect(instruction.text).toContain('of 7 hours in all');
    const { courses, more_courses } = JSON.parse(attached.resource.text) as {
      courses: object[];
      more_courses: boolean;
    };
    expect(courses).toHaveLength(3);
    expect(courses).toContainEqual(expect.objectContaining({ slug: 'one', completion_rate: 0 }));
    expect(more_courses).toBe(false);
  });

  it('returns the course_id that my_course accepts', async () => {
    const reply = await plan({});
    if (!reply.ok) throw new Error(JSON.stringify(reply));
    const [, attached] = (reply.result as PromptOutput).messages.map(({ content }) => content);
    if (attached?.type !== 'resource' || !('text' in attached.resource)) throw new Error('no data is attached');
    const { courses } = JSON.parse(attached.resource.text) as { courses: { course_id: string; slug: string }[] };
    expect(courses).toHaveLength(3);
    for (const { course_id, slug } of courses) {
      expect(await tools.call('my_course', { course_id }, principal())).toMatchObject({
        ok: true,
        result: { course_id, slug },
      });
    }
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
