import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';

let course_id: string;
let api: TestApi;
let person_id: string;
let member_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  const [site, other] = api.sites;
  ({ person_id, member_id } = api.student(site, 'both'));
  await Promise.all([api.world.site(asEvent(site)), api.world.site(asEvent(other))]);
  await api.world.person({ person_id, name: 'Zoë elsewhere', email: 'zoe@example.org' });
  await api.world.role({
    person_id,
    site_id: site.site_id,
    roles: ['student', 'lecturer'],
    name: 'Zoë "Z" Ünal\n',
    picture: 'https://img.example/z.png',
    locale: 'en',
  });
  await api.world.role({ person_id, site_id: other.site_id });
  ({ course_id } = await api.world.course({
    site_id: site.site_id,
    slug: 'knots',
    name: 'Knots',
    image_url: 'https://img.example/k.png',
  }));
  await api.world.enrollment({
    site_id: site.site_id,
    person_id,
    course_id,
    expires_at: '2099-01-01T00:00:00.000Z',
    completion_rate: 0.5,
  });
  await until(
    '{ viewer { schools { id } notifications { nodes { id } } } }',
    (data) => data.viewer?.schools.length === 2 && data.viewer.notifications.nodes.length === 1,
  );
});
afterAll(() => api.stop());

const asEvent = (site: TestApi['sites'][number]) => ({
  site_id: site.site_id,
  base_url: site.base_url,
  host: site.host,
  name: site.name,
  slug: site.slug,
  org_id: site.org_id,
  state: 'active' as const,
  course_url: 'https://www.example.com/{slug}?id={id}',
});
const token = () => api.token({ person: api.student(api.sites[0], 'both') });
const queryAs = async (query: string, variables?: Record<string, unknown>) =>
  api.query(query, { token: await token(), ...(variables === undefined ? {} : { variables }) });
const until = async (query: string, done: Parameters<TestApi['until']>[1]) =>
  api.until(query, done, { token: await token() });

describe('viewer', () => {
  it('returns the person of the token with every field of the contract', async () => {
    const { status, body } = await queryAs('{ viewer { id name email avatarUrl locale unreadNotificationCount } }');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      viewer: {
        id: member_id,
        name: 'Zoë "Z" Ünal\n',
        email: 'zoe@example.org',
        avatarUrl: 'https://img.example/z.png',
        locale: 'en',
        unreadNotificationCount: 1,
      },
    });
  });

  it('lists every school with its roles by privilege and marks the current one', async () => {
    const [site, other] = api.sites;
    const { body } = await queryAs('{ viewer { schools { id name slug url roles isCurrent joinedAt } } }');
    const school = ({ org_id: id, name, slug, base_url: url }: typeof site, roles: string[], isCurrent: boolean) => ({
      id,
      name,
      slug,
      url,
      roles,
      isCurrent,
      joinedAt: '2026-01-02T03:04:05.000Z',
    });
    expect(body.data.viewer.schools).toEqual(
      [school(site, ['lecturer', 'student'], true), school(other, ['student'], false)].sort((a, b) =>
        a.name < b.name ? -1 : 1,
      ),
    );
  });

  it('returns only the courses of the site', async () => {
    const { body } = await queryAs(`{ viewer { enrolledCourses { totalCount nodes {
      slug name imageUrl url pageUrl expireDate hasLifetimeAccess state enrolledAt completionRate completedAt
      lastWatchedLecture { lectureId positionSeconds }
    } } } }`);
    expect(body.data.viewer.enrolledCourses).toEqual({
      totalCount: 1,
      nodes: [
        {
          slug: 'knots',
          name: 'Knots',
          imageUrl: 'https://img.example/k.png',
          url: `${api.sites[0].base_url}/courses/knots`,
          pageUrl: `https://www.example.com/knots?id=${course_id}`,
          expireDate: '2099-01-01T00:00:00.000Z',
          hasLifetimeAccess: false,
          state: 'ACTIVE',
          enrolledAt: '2026-03-04T05:06:07.000Z',
          completionRate: 0.5,
          completedAt: null,
          lastWatchedLecture: null,
        },
      ],
    });
    const [, other] = api.sites;
    const there = await api.query('{ viewer { enrolledCourses { totalCount } notifications { totalCount } } }', {
      site: other,
      token: await api.token({ site: other, person: api.student(other, 'both') }),
    });
    expect(there.body.data.viewer).toEqual({ enrolledCourses: { totalCount: 0 }, notifications: { totalCount: 0 } });
  });

  it('keeps the order of the document and merges repeated fields', async () => {
    const { text } = await queryAs(
      `query ($yes: Boolean!, $no: Boolean!) {
      z: __typename
      b: viewer { name ...F id @skip(if: $yes) ... @include(if: $no) { locale } }
      viewer { __typename ... on Viewer { a: name } }
    }
    fragment F on Viewer { email enrolledCourses { nodes { slug } } ...G }
    fragment G on Viewer { enrolledCourses { nodes { s: slug __typename } __typename } email }`,
      { yes: true, no: false },
    );
    expect(text).toMatch(
      /^\{"data":\{"z":"Query","b":\{"name":"Zo.*","email":"zoe@example.org","enrolledCourses":\{"nodes":\[\{"slug":"knots","s":"knots","__typename":"EnrolledCourse"\}\],"__typename":"EnrolledCourseConnection"\}\},"viewer":\{"__typename":"Viewer","a":"Zo/,
    );
  });

  it('accepts inherited names such as __proto__ as aliases', async () => {
    const { text } = await queryAs('{ viewer { __proto__: name constructor: name toString: name } }');
    const zoe = JSON.stringify('Zoë "Z" Ünal\n');
    expect(text).toContain(`{"viewer":{"__proto__":${zoe},"constructor":${zoe},"toString":${zoe}}}`);
  });

  it('serves viewer together with introspection', async () => {
    const { body } = await queryAs(
      '{ __type(name: "Viewer") { name } a: viewer { x: name b: enrolledCourses { c: nodes { d: slug } } } }',
    );
    expect(body).toMatchObject({
      data: { __type: { name: 'Viewer' }, a: { x: 'Zoë "Z" Ünal\n', b: { c: [{ d: 'knots' }] } } },
    });
    expect(body.errors).toBeUndefined();
  });

  it('returns null with an error for a person without an event yet', async () => {
    const { status, body } = await api.query('{ viewer { id } }');
    expect(status).toBe(200);
    expect(body.data).toEqual({ viewer: null });
    expect(body.errors).toMatchObject([{ path: ['viewer'], extensions: { code: 'NOT_FOUND' } }]);
  });
});
