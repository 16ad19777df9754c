import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { withPartialForms } from '@lyceum/testing';
import { systemStack } from '../stack/system-stack.js';
import { useAnalytics } from './prism-analytics.js';
import { useCommunity } from './prism-community.js';
import { useConsulting } from './prism-consulting.js';
import { useDigitalProducts } from './prism-digital-products.js';
import { useExports, useImports, useUploads } from './prism-files.js';
import { usePages } from './prism-pages.js';
import { useSubscriptions } from './prism-subscriptions.js';
import { useMembershipPlans } from './prism-membership-plans.js';
import { usePosts } from './prism-posts.js';
import { useFlatConsulting, useFlatEvents, useFlatParts } from './prism-flat-objects.js';
import { useBulk, useFlatPaths } from './prism-flat-paths.js';
import { useStudents } from './prism-students.js';
import { useCoupons } from './prism-coupons.js';
import { OPERATOR_SCOPES, operatorTokenOfNewClient } from '../security/tools/attack.js';
import { ValidationProxy } from './validation-proxy.js';
import { useEvents } from './prism-events.js';
import { useWebhooks } from './prism-webhooks.js';
import type { Document } from './validation-proxy.js';

const site = systemStack().sites[0]!;
describe('Prism between a client and the operator API', () => {
  const unique = Date.now().toString(36);
  const roles: ['owner' | 'admin', 'owner' | 'admin'] = ['admin', 'owner'];
  let proxy: ValidationProxy;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const document = (await (await fetch(`${site.base_url}/openapi.json`)).json()) as Document;
    const server = createServer(await getHttpOperationsFromSpec(withPartialForms(document)), {
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
    proxy = new ValidationProxy(document, url, await operatorTokenOfNewClient(OPERATOR_SCOPES, 'owner'));
  });
  // An application may send 200 writes a minute for a person, and a person 400 with all applications.
  beforeEach(async () => {
    roles.reverse();
    proxy = proxy.as(await operatorTokenOfNewClient(OPERATOR_SCOPES, roles[0]));
  });
  afterAll(() => close?.());

  it('reads every collection and object, whole and in part', async () => {
    for (const name of 'Course Student DigitalProduct Event MembershipPlan Lecturer Order Page'.split(' ')) {
      const id = await proxy.list(`list${name}s`);
      await proxy.get(`get${name}`, { path: { id } });
    }
    await proxy.send('listChanges', 200, { query: { limit: '100' } });
    await proxy.send('listChanges', 200, { query: { type: 'course.created,order.paid' } });
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

  it('offers, grants and books sessions of a consulting service, also in a dry run', async () => {
    await useConsulting(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('sells a membership plan, also in a dry run', async () => {
    await useMembershipPlans(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('sells files as a digital product, also in a dry run', async () => {
    await useDigitalProducts(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('sends webhooks, also in a dry run', async () => {
    await useWebhooks(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('plans events and registers students, also in a dry run', async () => {
    await useEvents(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('deploys a static page, also in a dry run', async () => {
    await usePages(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('creates courses at once, with categories and plans, also in a dry run', async () => {
    const courses = [{ name: 'Bulk', slug: `bulk-${unique}` }];
    const { results } = await proxy.send<{ results: { id: string }[] }>('createCourses', 200, {
      body: { atomic: true, items: [{ name: 'Bulk', slug: `bulk-changed-${unique}` }] },
    });
    const changes = [{ id: results[0]?.id, featured: true, subtitle: null }];
    await proxy.write('updateCourses', 200, { body: { atomic: true, items: changes } });
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
    await proxy.list('listCourseEnrollments', { path });
    await proxy.list('listCourseReviews', { path });
    const review = await proxy.list('listReviewsOfCourses');
    await proxy.get('getReviewOfCourse', { path: { id: review } });
    await proxy.get('getCoursePlan', { path: one });
    await proxy.write('deleteCoursePlan', 204, { path: one });
    await proxy.write('duplicateCourse', 201, { path: { id: course.id }, body: { name: 'Sold again' } });
    expect(proxy.violations).toEqual([]);
  });

  it('creates, generates and changes coupons, also in a dry run', async () => {
    await useCoupons(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('starts and cancels a subscription, also in a dry run', async () => {
    await useSubscriptions(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('publishes a post and sends an announcement, also in a dry run', async () => {
    await usePosts(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('uploads a file by its link, also in a dry run', async () => {
    await useUploads(proxy);
    expect(proxy.violations).toEqual([]);
  });

  it('exports students and cancels the export, also in a dry run', async () => {
    await useExports(proxy);
    expect(proxy.violations).toEqual([]);
  });

  it('imports students from a file, also in a dry run', async () => {
    await useImports(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('adds and changes students and their enrollments, also in a dry run', async () => {
    await useStudents(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('creates many objects at once, also in a dry run', async () => {
    await useBulk(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it('changes plans and enrollments at their flat paths, also in a dry run', async () => {
    await useFlatPaths(proxy, unique);
    expect(proxy.violations).toEqual([]);
  });

  it.each([
    ['slots, purchases and bookings', useFlatConsulting],
    ['tickets and registrations', useFlatEvents],
    ['deployments, purchases, progress and submissions', useFlatParts],
  ])('changes %s at their flat paths, also in a dry run', async (_what, use) => {
    await use(proxy, unique);
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
    await proxy.send('listLecturerCourses', 200, { path: { lecturer_id: id } });
    await proxy.write('deleteLecturer', 204, { path });
    await proxy.send('deleteLecturer', 204, { path: { id: put.id } });
    expect(proxy.violations).toEqual([]);
  });

  it('invites and changes members, also in a dry run', async () => {
    const body = { email: `member-${unique}@example.com`, name: 'Proxied', roles: ['lecturer'] };
    const { id } = await proxy.write('inviteMember', 201, { body });
    const path = { id };
    await proxy.send('inviteMember', 409, { body });
    await proxy.list('listMembers');
    await proxy.get('getMember', { path });
    await proxy.send('listMemberPurchases', 200, { path: { member_id: id } });
    await proxy.write('updateMember', 200, { path, body: { tags: ['proxied'] } });
    await proxy.send('updateMember', 422, { path, body: { custom_fields: { unknown: 7 } } });
    await proxy.write('setMemberRoles', 200, { path, body: { roles: ['student'] } });
    // An invited member has neither sessions nor tokens to end.
    await proxy.send('suspendMember', 409, { path });
    await proxy.send('reinstateMember', 409, { path });
    await proxy.write('removeMember', 200, { path });
    expect(proxy.violations).toEqual([]);
  });

  it('changes and restores the appearance, also in a dry run', async () => {
    const id = await proxy.list('listAppearanceRevisions');
    await proxy.write('updateAppearance', 200, { body: { navigation: [{ label: 'Courses', url: '/courses' }] } });
    await proxy.write('restoreAppearanceRevision', 200, { path: { id } });
    await proxy.write('updateSchool', 200, { body: { support_url: 'https://www.example.com/help' } });
    expect(proxy.violations).toEqual([]);
  });

  it('reads comments, forms and what was submitted', async () => {
    await useCommunity(proxy);
    expect(proxy.violations).toEqual([]);
  });

  it('reads the reports of analytics', async () => {
    await useAnalytics(proxy);
    expect(proxy.violations).toEqual([]);
  });

  it('covers every operation', () => {
    expect([...proxy.used].toSorted()).toEqual(proxy.ids.toSorted());
  });
});
