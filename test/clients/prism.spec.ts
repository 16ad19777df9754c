import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { systemStack } from '../stack/system-stack.js';
import { tokenFor } from './tokens.js';

const site = systemStack().sites[0]!;
const SCOPES =
  'courses:read courses:write curriculum:read curriculum:write students:read students:write digital_products:read events:read membership_plans:read ' +
  'lecturers:read lecturers:write pages:read school:read appearance:read appearance:write';

interface Operation {
  readonly operationId: string;
  readonly requestBody?: object;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Request {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests through Prism, which compares each request and response with the description. */
class ValidationProxy {
  readonly violations: string[] = [];
  readonly used = new Set<string>();
  private readonly operations: ReadonlyMap<string, { method: string; path: string }>;

  constructor(
    document: Document,
    private readonly url: string,
    private readonly token: string,
  ) {
    this.operations = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [operationId, { method, path }]),
      ),
    );
  }

  get ids(): string[] {
    return [...this.operations.keys()];
  }

  /** The body of the response. Checks its status. */
  async send<Body = { id: string }>(id: string, expected: number, request: Request = {}): Promise<Body> {
    const { method = '', path = '' } = this.operations.get(id) ?? {};
    const target = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => request.path?.[name] ?? '');
    const query = new URLSearchParams(request.query).toString();
    const response = await fetch(`${this.url}${target}${query && `?${query}`}`, {
      method: method.toUpperCase(),
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const text = await response.text();
    expect([id, response.status, text]).toEqual([id, expected, expect.any(String)]);
    const violations = response.headers.get('sl-violations');
    if (violations !== null) this.violations.push(`${id} ${query}: ${violations}`);
    this.used.add(id);
    return (text === '' ? {} : JSON.parse(text)) as Body;
  }

  /** Reads one page, whole and with `fields`. Returns the first id. */
  async list(id: string, request: Request = {}): Promise<string> {
    const query = { limit: '2', include_total: 'true' };
    const { data } = await this.send<{ data: { id: string }[] }>(id, 200, { ...request, query });
    await this.send(id, 200, { ...request, query: { ...query, fields: 'id,created_at' } });
    return data[0]?.id ?? '';
  }

  async get(id: string, request: Request = {}, fields = 'id'): Promise<void> {
    await this.send(id, 200, request);
    await this.send(id, 200, { ...request, query: { fields } });
  }

  /** A dry run, which returns 200, and then the change. */
  async write(id: string, expected: number, request: Request = {}): Promise<{ id: string }> {
    await this.send(id, 200, { ...request, query: { dry_run: 'true' } });
    return this.send(id, expected, request);
  }
}

describe('Prism between a client and the operator API', () => {
  const unique = Date.now().toString(36);
  let proxy: ValidationProxy;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const document = (await (await fetch(`${site.base_url}/openapi.json`)).json()) as Document;
    const server = createServer(await getHttpOperationsFromSpec(document), {
      components: { logger: createLogger('prism', { enabled: false }) },
      cors: false,
      config: {
        isProxy: true,
        upstream: new URL(site.base_url),
        checkSecurity: true,
        validateRequest: true,
        validateResponse: true,
        upstreamProxy: undefined,
        errors: false,
        mock: { dynamic: false },
      },
    });
    close = () => server.close();
    const url = await server.listen(0, '127.0.0.1');
    proxy = new ValidationProxy(document, url, await tokenFor('operator', SCOPES));
  });
  afterAll(() => close?.());

  it('reads every collection and object, whole and in part', async () => {
    for (const name of ['Course', 'Student', 'DigitalProduct', 'Event', 'MembershipPlan', 'Lecturer', 'Page']) {
      const id = await proxy.list(`list${name}s`);
      await proxy.get(`get${name}`, { path: { id } });
    }
    await proxy.get('getSchool', {}, 'name');
    await proxy.get('getAppearance', {}, 'theme');
    expect(proxy.violations).toEqual([]);
  });

  it('creates, changes and deletes courses, also in a dry run', async () => {
    const body = { name: 'Proxied', slug: `proxied-${unique}` };
    const { id } = await proxy.write('createCourse', 201, { body });
    const path = { id };
    await proxy.send('createCourse', 409, { body });
    const key = { external_id: `course-${unique}` };
    await proxy.write('putCourse', 201, { path: key, body: { ...body, slug: `put-${unique}` } });
    await proxy.write('updateCourse', 200, { path, body: { subtitle: 'By Prism' } });
    await proxy.write('publishCourse', 200, { path });
    await proxy.write('unpublishCourse', 200, { path });
    await proxy.write('deleteCourse', 204, { path });
    await proxy.send('getCourse', 404, { path });
    const archived = await proxy.send('createCourse', 201, { body: { ...body, slug: `archived-${unique}` } });
    await proxy.send('publishCourse', 200, { path: archived });
    await proxy.send('unpublishCourse', 200, { path: archived });
    await proxy.write('archiveCourse', 200, { path: archived });
    expect(proxy.violations).toEqual([]);
  });

  it('builds and orders the curriculum of a course, also in a dry run', async () => {
    const { id: course_id } = await proxy.send('createCourse', 201, {
      body: { name: 'Parts', slug: `parts-${unique}` },
    });
    const section = await proxy.write('createSection', 201, { body: { course_id, title: 'By Prism' } });
    const key = { external_id: `part-${unique}` };
    const other = await proxy.write('putSection', 201, { path: key, body: { course_id, title: 'By its key' } });
    await proxy.write('updateSection', 200, { path: { id: section.id }, body: { drip_days: 1 } });
    await proxy.list('listSections');
    await proxy.get('getSection', { path: { id: section.id } });

    const body = { section_id: section.id, slug: 'one', title: 'One' };
    const { id } = await proxy.write('createLecture', 201, { body });
    await proxy.write('putLecture', 201, { path: key, body: { ...body, slug: 'two' } });
    await proxy.write('updateLecture', 200, { path: { id }, body: { free_preview: true } });
    await proxy.write('publishLecture', 200, { path: { id } });
    await proxy.write('unpublishLecture', 200, { path: { id } });
    await proxy.list('listLectures');
    await proxy.get('getLecture', { path: { id } });
    await proxy.write('deleteLecture', 204, { path: { id } });

    const path = { course_id };
    await proxy.get('getCurriculum', { path }, 'sections');
    const { data } = await proxy.send<{ data: { id: string }[] }>('listLectures', 200, { query: { course_id } });
    const sections = [
      { id: other.id, lecture_ids: [] },
      { id: section.id, lecture_ids: data.map((lecture) => lecture.id) },
    ];
    await proxy.write('reorderCurriculum', 200, { path, body: { sections }, headers: { 'if-match': '*' } });
    await proxy.write('deleteSection', 204, { path: { id: other.id } });
    expect(proxy.violations).toEqual([]);
  });

  it('creates courses at once, with categories and plans, also in a dry run', async () => {
    const courses = [{ name: 'Bulk', slug: `bulk-${unique}` }];
    await proxy.write('createCourses', 200, { body: { atomic: true, items: courses } });
    const category = { name: 'By Prism', slug: `category-${unique}` };
    const { id } = await proxy.write('createCategory', 201, { body: category });
    const key = { external_id: `own-${unique}` };
    await proxy.write('putCategory', 201, { path: key, body: { ...category, slug: `put-category-${unique}` } });
    await proxy.write('updateCategory', 200, { path: { id }, body: { position: 3 } });
    await proxy.list('listCategories');
    await proxy.get('getCategory', { path: { id } });
    await proxy.write('deleteCategory', 204, { path: { id } });

    const course = await proxy.send('createCourse', 201, { body: { name: 'Sold', slug: `sold-${unique}` } });
    const path = { course_id: course.id };
    const body = { name: 'Free', plan_type: 'free' };
    const plan = await proxy.write('createCoursePlan', 201, { path, body });
    const one = { ...path, plan_id: plan.id };
    await proxy.write('putCoursePlan', 201, { path: { ...path, ...key }, body });
    await proxy.write('updateCoursePlan', 200, { path: one, body: { active: false } });
    await proxy.list('listCoursePlans', { path });
    await proxy.get('getCoursePlan', { path: one });
    await proxy.write('deleteCoursePlan', 204, { path: one });
    expect(proxy.violations).toEqual([]);
  });

  it('adds and changes students and their enrollments, also in a dry run', async () => {
    const body = { email: `proxied-${unique}@example.com`, name: 'Proxied' };
    const { id: student_id } = await proxy.write('createStudent', 201, { body });
    await proxy.write('putStudent', 201, {
      path: { external_id: unique },
      body: { email: `put-${unique}@example.com` },
    });
    await proxy.write('restoreStudent', 200, { path: { id: student_id }, body: {} });
    await proxy.write('updateStudent', 200, { path: { id: student_id }, body: { tags: ['prism'] } });
    const published = { query: { state: 'published' } };
    const { data } = await proxy.send<{ data: { id: string }[] }>('listCourses', 200, published);
    const path = { student_id };
    const course_id = data[0]?.id;
    const enrollment = await proxy.write('createEnrollment', 201, { path, body: { course_id } });
    await proxy.write('createEnrollment', 200, { path, body: { course_id } });
    const one = { ...path, enrollment_id: enrollment.id };
    await proxy.list('listStudentEnrollments', { path });
    await proxy.get('getStudentEnrollment', { path: one });
    await proxy.list('listEnrollments');
    await proxy.get('getEnrollment', { path: { id: enrollment.id } });
    const lectures = { query: { course_id: course_id ?? '' } };
    const [lecture] = (await proxy.send<{ data: { id: string }[] }>('listLectures', 200, lectures)).data;
    const watched = { course_id, lecture_id: lecture?.id, position_seconds: 60, watched_at: new Date().toISOString() };
    const progress = await proxy.write('recordProgress', 201, { path, body: watched });
    await proxy.list('listStudentProgress', { path });
    await proxy.get('getStudentProgress', { path: { ...path, progress_id: progress.id } });
    await proxy.list('listActivity');
    await proxy.write('updateEnrollment', 200, { path: one, body: { expires_at: '2040-01-01T00:00:00Z' } });
    await proxy.write('revokeEnrollment', 200, { path: one });
    expect(proxy.violations).toEqual([]);
  });

  it('adds, changes and deletes lecturers, also in a dry run', async () => {
    const body = { name: 'Proxied', slug: `proxied-${unique}` };
    const { id } = await proxy.write('createLecturer', 201, { body });
    const path = { id };
    await proxy.send('createLecturer', 409, { body });
    const key = { external_id: `lecturer-${unique}` };
    const put = await proxy.write('putLecturer', 201, { path: key, body: { ...body, slug: `put-${unique}` } });
    await proxy.write('updateLecturer', 200, { path, body: { title: 'By Prism' } });
    await proxy.write('deleteLecturer', 204, { path });
    await proxy.send('deleteLecturer', 204, { path: { id: put.id } });
    expect(proxy.violations).toEqual([]);
  });

  it('changes and restores the appearance, also in a dry run', async () => {
    const id = await proxy.list('listAppearanceRevisions');
    await proxy.write('updateAppearance', 200, { body: { navigation: [{ label: 'Courses', url: '/courses' }] } });
    await proxy.write('restoreAppearanceRevision', 200, { path: { id } });
    expect(proxy.violations).toEqual([]);
  });

  it('covers every operation', () => {
    expect(proxy.used).toEqual(new Set(proxy.ids));
  });
});
