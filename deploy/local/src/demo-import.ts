import { z } from 'zod';
import { IMPORT_SUFFIX } from './demo-clients.js';
import type { DemoConsulting } from './demo-consulting.js';
import { importCoupons } from './demo-coupons.js';
import { importPosts } from './demo-posts.js';
import type { DemoEnrollment, DemoStudent } from './demo-students.js';
import type { DemoCourse, DemoSite } from './demo.js';
import { importEvent } from './import-event.js';
import { importFiles } from './import-files.js';
import { importPage } from './import-page.js';
import { importProduct } from './import-product.js';
import { inBatches } from './in-batches.js';
import { importMembershipPlans } from './membership-plan-import.js';
import { OperatorApi } from './operator-api.js';
import { present } from './present.js';

const API = '/api/v1';

const object = z.object({ id: z.uuid() });
const course = object.extend({
  state: z.string(),
  published_at: z.string().nullable(),
  lecturer_ids: z.array(z.uuid()),
});
type Course = z.infer<typeof course>;

const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item) });
const courses = listOf(course);
const students = listOf(object);
const lecturers = listOf(object.extend({ slug: z.string() }));
const sections = listOf(object.extend({ external_id: z.string().nullable() }));
const lecture = object.extend({
  external_id: z.string().nullable(),
  state: z.string(),
  published_at: z.string().nullable(),
});
const lectures = listOf(lecture);
const categories = listOf(object.extend({ slug: z.string() }));
const plans = listOf(object.extend({ external_id: z.string().nullable() }));
const enrollments = listOf(z.object({ course_id: z.uuid() }));
const enrolled = z.object({ all_succeeded: z.literal(true) });
const service = object.extend({ state: z.string(), published_at: z.string().nullable() });
const services = listOf(service);
const conflict = z.object({ errors: z.tuple([z.object({ pointer: z.literal('/email'), id: z.uuid() })]) });

interface Found {
  readonly id: string;
  readonly isNew: boolean;
}

/** A site with more courses than this is imported by its owner and its admin. */
const COURSES_OF_ONE = 10;

/**
 * The program of a demo school that creates by the operator API all that it can write. It finds objects by
 * `external_id` and skips those that exist, so running it again completes an interrupted import.
 */
export class DemoImport {
  /** Created courses by slug. */
  private readonly known = new Map<string, Course>();
  /** Ids by `external_id`. */
  private readonly plans = new Map<string, string>();
  /** Ids of the first prices by `external_id` of the membership plan. */
  prices: ReadonlyMap<string, string> = new Map();

  private constructor(
    private readonly site: DemoSite,
    private readonly api: OperatorApi,
  ) {}

  static async open(site: DemoSite): Promise<DemoImport> {
    const client = site.clients.find(({ client_id }) => client_id === `${site.slug}${IMPORT_SUFFIX}`);
    if (client === undefined) throw new Error(`${site.base_url} has no client for its import`);
    // A person may write 200 times a minute with one client.
    const roles = site.courses.length > COURSES_OF_ONE ? (['owner', 'admin'] as const) : (['owner'] as const);
    return new DemoImport(site, await OperatorApi.open(site, client, roles));
  }

  get base_url(): string {
    return this.site.base_url;
  }

  async courses(): Promise<void> {
    const category = await this.categories();
    for (const declared of this.site.courses) {
      const found = await this.course(declared, category);
      this.known.set(declared.slug, found);
      if (found.state !== 'archived') await this.plansOf(declared, found);
    }
  }

  /** Enrolls all students with one request. Needs the courses. */
  async students(): Promise<void> {
    const missing = await inBatches(this.site.students, async (declared) =>
      this.missing(await this.student(declared), declared.enrollments),
    );
    const items = missing.flat();
    if (items.length === 0) return;
    const { body } = await this.api.send('POST', `${API}/enrollments/bulk`, { body: { atomic: true, items } });
    enrolled.parse(body);
  }

  /** Adds the sections and lectures that are missing, each as the last one of its course. Needs the courses. */
  async curricula(): Promise<void> {
    await inBatches(this.site.courses, (declared) => this.curriculum(declared));
  }

  /** Adds and enrolls each class that is missing with one call of a tool. Needs the courses. */
  async classes(): Promise<void> {
    for (const { course: slug, students: declared } of this.site.classes) {
      // The call adds all students of the class or none.
      const { data } = await this.read(students, `/students?email=${encodeURIComponent(declared[0]?.email ?? '')}`);
      if (data.length > 0) continue;
      const input = { course_id: this.courseOf(slug).id, atomic: true, students: declared };
      enrolled.parse(await this.api.call('enroll_students', input));
    }
  }

  /** Needs the courses. */
  async membershipPlans(): Promise<void> {
    const courseOf = (slug: string): string => this.courseOf(slug).id;
    this.prices = await importMembershipPlans(this.api, this.site.membership_plans, courseOf);
  }

  /** Sets who teaches a course, unless it is set. Needs the courses, and the lecturers of the site. */
  async lecturers(): Promise<void> {
    const untaught = this.site.courses.flatMap(({ slug, lecturers: slugs = [] }) => {
      const { id, state, lecturer_ids } = this.courseOf(slug);
      return slugs.length === 0 || lecturer_ids.length > 0 || state === 'archived' ? [] : [{ id, slugs }];
    });
    if (untaught.length === 0) return;
    for (const { id, slugs } of untaught) {
      const lecturer_ids = await this.lecturerIds(slugs);
      await this.api.send('PATCH', `${API}/courses/${id}`, { body: { lecturer_ids } });
    }
  }

  /** Needs the students and the lecturers of the site. */
  async consulting(): Promise<void> {
    for (const declared of this.site.consulting) await this.consultingService(declared);
  }

  coupons(): Promise<void> {
    return importCoupons(this.api);
  }

  posts(): Promise<void> {
    return importPosts(this.api);
  }

  /** Needs the students. Its owner uploads the files: a file belongs to its uploader until something uses it. */
  async products(): Promise<void> {
    for (const declared of this.site.products) await importProduct(this.api.ofFirst(), declared);
  }

  /** Its owner uploads the files. */
  async pages(): Promise<void> {
    for (const declared of this.site.pages) await importPage(this.api.ofFirst(), declared);
  }

  async events(): Promise<void> {
    for (const declared of this.site.events) await importEvent(this.api, declared);
  }

  /** Shows a logo, and attaches a worksheet to the first lecture, unless they have one. Needs the curricula. */
  async files(): Promise<void> {
    await importFiles(this.api.ofFirst(), this.site);
  }

  close(): Promise<void> {
    return this.api.close();
  }

  /** The ids of the categories by their slugs. */
  private async categories(): Promise<ReadonlyMap<string, string>> {
    const { data } = await this.read(categories, '/categories?limit=100');
    const known = new Map(data.map(({ slug, id }) => [slug, id]));
    for (const { external_id, ...body } of this.site.categories) {
      if (known.has(body.slug)) continue;
      known.set(body.slug, object.parse(await this.put('categories', external_id, body)).id);
    }
    return known;
  }

  private async plansOf({ plans: declared = [] }: DemoCourse, { id }: Course): Promise<void> {
    if (declared.length === 0) return;
    const path = `courses/${id}/plans`;
    const { data } = await this.read(plans, `/${path}?limit=100`);
    for (const { external_id, ...body } of declared) {
      const found =
        data.find((one) => one.external_id === external_id) ?? object.parse(await this.put(path, external_id, body));
      this.plans.set(external_id, found.id);
    }
  }

  private async lecturerIds(slugs: readonly string[]): Promise<readonly string[]> {
    const { data } = await this.read(lecturers, '/lecturers?limit=100');
    return slugs.map((wanted) => present(data.find(({ slug }) => slug === wanted)?.id, wanted));
  }

  private async consultingService({ external_id, slug, name, terms, ...declared }: DemoConsulting): Promise<void> {
    const { data } = await this.read(services, `/consulting_services?external_id=${external_id}`);
    const lecturer_ids = await this.lecturerIds(declared.lecturers);
    const body = { slug, name, ...terms, lecturer_ids };
    const found = data[0] ?? service.parse(await this.put('consulting_services', external_id, body));
    await this.publish('consulting_services', found);
    await this.add(`consulting_services/${found.id}/slots`, declared.slot.external_id, declared.slot);
    const { student, external_id: bought_as } = declared.purchase;
    const [bought] = (await this.read(students, `/students?external_id=${student}`)).data;
    const student_id = present(bought?.id, student);
    await this.add(`consulting_services/${found.id}/purchases`, bought_as, { student_id });
  }

  /** Adds an object of a collection that has no upsert. */
  private async add(collection: string, external_id: string, body: object): Promise<void> {
    const { data } = await this.read(listOf(object), `/${collection}?external_id=${external_id}`);
    if (data.length === 0) await this.api.send('POST', `${API}/${collection}`, { body: { ...body, external_id } });
  }

  private async course(
    { state: wanted, external_id, slug, name, subtitle, categories: slugs = [] }: DemoCourse,
    category: ReadonlyMap<string, string>,
  ): Promise<Course> {
    const { data } = await this.read(courses, `/courses?external_id=${external_id}`);
    const category_ids = slugs.map((one) => present(category.get(one), one));
    const body = { slug, name, subtitle, category_ids };
    const found = data[0] ?? course.parse(await this.put('courses', external_id, body));
    if (wanted === 'published') await this.publish('courses', found);
    return found;
  }

  private async curriculum({ slug, curriculum = [] }: DemoCourse): Promise<void> {
    const { id: course_id, state } = this.courseOf(slug);
    if (curriculum.length === 0 || state === 'archived') return;
    const of = `course_id=${course_id}&limit=100`;
    const [knownSections, knownLectures] = await Promise.all([
      this.read(sections, `/sections?${of}`),
      this.read(lectures, `/lectures?${of}`),
    ]);
    for (const { external_id, title, lectures: declared } of curriculum) {
      const section =
        knownSections.data.find((one) => one.external_id === external_id) ??
        object.parse(await this.put('sections', external_id, { course_id, title }));
      for (const { external_id: key, ...body } of declared) {
        const found =
          knownLectures.data.find((one) => one.external_id === key) ??
          lecture.parse(await this.put('lectures', key, { section_id: section.id, ...body }));
        await this.publish('lectures', found);
      }
    }
  }

  /** Publishes an object that never was published: an operator may have unpublished it since. */
  private async publish(
    collection: 'courses' | 'lectures' | 'consulting_services',
    { id, state, published_at }: Pick<Course, 'id' | 'state' | 'published_at'>,
  ): Promise<void> {
    if (state === 'draft' && published_at === null) await this.api.send('POST', `${API}/${collection}/${id}/publish`);
  }

  private async put(collection: string, external_id: string, body: object): Promise<unknown> {
    return (await this.api.send('PUT', `${API}/${collection}/by_external_id/${external_id}`, { body })).body;
  }

  private async student({ external_id, email, name }: DemoStudent): Promise<Found> {
    const { data } = await this.read(students, `/students?external_id=${external_id}`);
    if (data[0] !== undefined) return { id: data[0].id, isNew: false };
    const path = `${API}/students/by_external_id/${external_id}`;
    const { status, body } = await this.api.send('PUT', path, { body: { email, name }, expected: [409] });
    if (status !== 409) return { id: object.parse(body).id, isNew: true };
    // admin-api itself adds each person who has the role of a student in auth, and knows no `external_id` of them.
    const [{ id }] = conflict.parse(body).errors;
    await this.api.send('PATCH', `${API}/students/${id}`, { body: { external_id } });
    return { id, isNew: false };
  }

  /** Returns the enrollments that a student has never had. An ended enrollment is not created again. */
  private async missing(
    { id: student_id, isNew }: Found,
    declared: readonly DemoEnrollment[],
  ): Promise<readonly object[]> {
    const path = `/students/${student_id}/enrollments?limit=100`;
    const { data } = isNew ? { data: [] } : await this.read(enrollments, path);
    return declared.flatMap(({ course: slug, plan }) => {
      const { id: course_id } = this.courseOf(slug);
      if (data.some((known) => known.course_id === course_id)) return [];
      const plan_id = plan === undefined ? null : present(this.plans.get(plan), plan);
      return [{ student_id, course_id, plan_id }];
    });
  }

  private async read<T extends z.ZodType>(schema: T, path: string): Promise<z.output<T>> {
    return schema.parse((await this.api.send('GET', `${API}${path}`)).body);
  }

  private courseOf(slug: string): Course {
    return present(this.known.get(slug), slug);
  }
}
