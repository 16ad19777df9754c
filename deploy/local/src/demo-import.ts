import { z } from 'zod';
import { type DemoCourse, type DemoSite, type DemoStudent, IMPORT_SUFFIX } from './demo.js';
import { OperatorApi } from './operator-api.js';

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
const enrollments = listOf(z.object({ course_id: z.uuid() }));
const conflict = z.object({ errors: z.tuple([z.object({ pointer: z.literal('/email'), id: z.uuid() })]) });

/**
 * The program of a demo school that makes its courses, their curricula, students and enrollments by the operator API. `external_id` names
 * them. It leaves those that exist as they are, so running it again completes an interrupted import.
 */
export class DemoImport {
  /** By slug. */
  private readonly known = new Map<string, Course>();

  private constructor(
    private readonly site: DemoSite,
    private readonly api: OperatorApi,
  ) {}

  static async open(site: DemoSite): Promise<DemoImport> {
    const client = site.clients.find(({ client_id }) => client_id === `${site.slug}${IMPORT_SUFFIX}`);
    if (client === undefined) throw new Error(`${site.base_url} has no client for its import`);
    return new DemoImport(site, await OperatorApi.open(site, client));
  }

  async courses(): Promise<void> {
    for (const declared of this.site.courses) this.known.set(declared.slug, await this.course(declared));
  }

  /** Needs the courses. */
  async students(): Promise<void> {
    for (const declared of this.site.students) await this.enroll(await this.student(declared), declared.enrollments);
  }

  /** Adds the sections and lectures that are missing, each as the last one of its course. Needs the courses. */
  async curricula(): Promise<void> {
    await Promise.all(this.site.courses.map((declared) => this.curriculum(declared)));
  }

  /** Sets who teaches a course, unless it is set. Needs the courses, and the lecturers of the site. */
  async lecturers(): Promise<void> {
    const untaught = this.site.courses.flatMap(({ slug, lecturers: slugs = [] }) => {
      const { id, state, lecturer_ids } = this.courseOf(slug);
      return slugs.length === 0 || lecturer_ids.length > 0 || state === 'archived' ? [] : [{ id, slugs }];
    });
    if (untaught.length === 0) return;
    const { data } = await this.read(lecturers, '/lecturers?limit=100');
    for (const { id, slugs } of untaught) {
      const lecturer_ids = slugs.map((wanted) => present(data.find(({ slug }) => slug === wanted)?.id, wanted));
      await this.api.send('PATCH', `${API}/courses/${id}`, { body: { lecturer_ids } });
    }
  }

  close(): Promise<void> {
    return this.api.close();
  }

  private async course({ state: wanted, external_id, slug, name, subtitle }: DemoCourse): Promise<Course> {
    const { data } = await this.read(courses, `/courses?external_id=${external_id}`);
    const found = data[0] ?? course.parse(await this.put('courses', external_id, { slug, name, subtitle }));
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
    collection: 'courses' | 'lectures',
    { id, state, published_at }: Pick<Course, 'id' | 'state' | 'published_at'>,
  ): Promise<void> {
    if (state === 'draft' && published_at === null) await this.api.send('POST', `${API}/${collection}/${id}/publish`);
  }

  private async put(collection: string, external_id: string, body: object): Promise<unknown> {
    return (await this.api.send('PUT', `${API}/${collection}/by_external_id/${external_id}`, { body })).body;
  }

  private async student({ external_id, email, name }: DemoStudent): Promise<string> {
    const { data } = await this.read(students, `/students?external_id=${external_id}`);
    if (data[0] !== undefined) return data[0].id;
    const path = `${API}/students/by_external_id/${external_id}`;
    const { status, body } = await this.api.send('PUT', path, { body: { email, name }, expected: [409] });
    if (status !== 409) return object.parse(body).id;
    // admin-api itself adds each person who has the role of a student in auth, and knows no `external_id` of them.
    const [{ id }] = conflict.parse(body).errors;
    await this.api.send('PATCH', `${API}/students/${id}`, { body: { external_id } });
    return id;
  }

  /** An enrollment that has ended is not made again. */
  private async enroll(student: string, slugs: readonly string[]): Promise<void> {
    const path = `/students/${student}/enrollments`;
    const { data } = await this.read(enrollments, `${path}?limit=100`);
    for (const { id: course_id } of slugs.map((slug) => this.courseOf(slug))) {
      if (!data.some((known) => known.course_id === course_id))
        await this.api.send('POST', `${API}${path}`, { body: { course_id } });
    }
  }

  private async read<T extends z.ZodType>(schema: T, path: string): Promise<z.output<T>> {
    return schema.parse((await this.api.send('GET', `${API}${path}`)).body);
  }

  private courseOf(slug: string): Course {
    return present(this.known.get(slug), slug);
  }
}

function present<T>(found: T | undefined, slug: string): T {
  if (found === undefined) throw new Error(`The demo names "${slug}", which does not exist`);
  return found;
}
