import { onDatabase } from './database.ts';

/** Courses of each site. */
const COURSES = 5;

/** People of sites, with what each of them has: a membership, a student, and an enrollment with its grant. */
export interface Crowd {
  readonly siteIds: readonly string[];
  /** People of each site. */
  readonly each: number;
}

/** Every tenth person is also a member of the next site. */
export async function fillPeople(authUrl: string, { siteIds, each }: Crowd): Promise<void> {
  await onDatabase(authUrl, async (client) => {
    await client.query(
      `with site as (
         select * from unnest($1::uuid[]) with ordinality as listed (site_id, place)
       ), made as (
         insert into people (email, name)
         select 'crowd-' || n || '@' || site_id || '.example', 'Person ' || n
           from site cross join generate_series(1, $2::int) n
         returning person_id, email
       ), placed as (
         select person_id, site_id, place, split_part(split_part(email, '@', 1), '-', 2)::int as n
           from made join site on split_part(split_part(email, '@', 2), '.', 1)::uuid = site_id
       )
       insert into site_members (site_id, person_id, roles)
       select site_id, person_id, '{student}'::text[] from placed
       union all
       select next.site_id, person_id, '{student}'::text[]
         from placed join site next on next.place = 1 + placed.place % cardinality($1)
        where n % 10 = 0 and cardinality($1) > 1`,
      [siteIds, each],
    );
    await client.query('vacuum (analyze) people, site_members');
  });
}

/** The same people as members and students of the operator API. */
export async function fillStudents(schoolUrl: string, { siteIds, each }: Crowd): Promise<void> {
  await onDatabase(schoolUrl, async (client) => {
    await client.query(
      `with course as (
         insert into courses (site_id, slug, name, state, published_at)
         select site_id, 'crowd-' || k, 'Course ' || k, 'published', now()
           from unnest($1::uuid[]) site_id cross join generate_series(0, ${COURSES - 1}) k
         returning site_id, id, slug
       ), member as (
         insert into members (site_id, id, person_id, email, name, state, roles, joined_at, source_epoch,
                              source_version, created_at)
         select site_id, uuidv7(), uuidv7(), 'crowd-' || n || '@elsewhere.example', 'Person ' || n, 'active',
                '{student}', at, 1, 1, at
           from unnest($1::uuid[]) site_id cross join generate_series(1, $2::int) n
          cross join lateral (select now() - make_interval(mins => n) as at) joined
         returning site_id, id, person_id, email, name, joined_at
       ), student as (
         insert into students (site_id, person_id, member_id, email, name, enrollments_count, created_at)
         select site_id, person_id, id, email, name, 1, joined_at from member
         returning site_id, id, email, created_at
       ), enrollment as (
         insert into enrollments (site_id, student_id, course_id, source, started_at)
         select student.site_id, student.id, course.id, 'import', student.created_at
           from student join course on course.site_id = student.site_id
            and course.slug = 'crowd-' || split_part(split_part(student.email, '@', 1), '-', 2)::int % ${COURSES}
         returning site_id, id, started_at
       )
       insert into access_grants (site_id, enrollment_id, source, starts_at)
       select site_id, id, 'import', started_at from enrollment`,
      [siteIds, each],
    );
    await client.query('vacuum (analyze) courses, members, students, enrollments, access_grants');
  });
}

/** The same people as learners of the member API. */
export async function fillLearners(learnerUrl: string, { siteIds, each }: Crowd): Promise<void> {
  await onDatabase(learnerUrl, async (client) => {
    await client.query(
      `with course as (
         insert into courses (course_id, site_id, version, slug, name, image_url, state)
         select uuidv7(), site_id, 1, 'crowd-' || k, 'Course ' || k, null, 'published'
           from unnest($1::uuid[]) site_id cross join generate_series(0, ${COURSES - 1}) k
         returning course_id, site_id, slug
       ), learner as (
         select uuidv7() as person_id, site_id, n
           from unnest($1::uuid[]) site_id cross join generate_series(1, $2::int) n
       ), person as (
         insert into people (person_id, version, email, name, picture, locale, state)
         select person_id, 1, 'crowd-' || n || '@' || site_id || '.example', 'Person ' || n, null, 'en', 'active'
           from learner
       ), membership as (
         insert into memberships (person_id, site_id, version, roles, joined_at)
         select person_id, site_id, 1, '{student}', now() from learner
       )
       insert into enrollments (enrollment_id, site_id, person_id, course_id, version, state, started_at,
                                completion_rate, announced_at)
       select uuidv7(), site_id, person_id, course_id, 1, 'active', now(), 0, now()
         from learner join course using (site_id) where course.slug = 'crowd-' || n % ${COURSES}`,
      [siteIds, each],
    );
    await client.query('vacuum (analyze) courses, people, memberships, enrollments');
  });
}
