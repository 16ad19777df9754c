import type pg from 'pg';

/** The context of every resolver. It trusts the headers that name the person and the site: no token is checked. */
export interface ResolverContext {
  readonly person: string;
  readonly member: string;
  readonly site: string;
}

export interface ResolverConfiguration {
  readonly databaseUrl: string;
  readonly poolSize: number;
  /** The published schema of the member API. */
  readonly schema: string;
}

export function contextOf(headers: Readonly<Record<string, string | string[] | undefined>>): ResolverContext {
  return { person: String(headers['person']), member: String(headers['member']), site: String(headers['site']) };
}

interface Page {
  readonly first?: number;
}

interface Time {
  readonly expireDate: Date | null;
}

/**
 * Careful resolvers for the viewer document: a prepared statement for each part, joins in place
 * of a query for each node, all parts in parallel.
 */
export function viewerResolvers(pool: pg.Pool) {
  const all = async <Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ name, text, values })).rows;
  return {
    Query: {
      viewer: async (_parent: unknown, _args: object, { person, member }: ResolverContext) =>
        (
          await all('person', `SELECT $2 AS id, name, email FROM people WHERE person_id = $1 AND state = 'active'`, [
            person,
            member,
          ])
        )[0],
    },
    Viewer: {
      schools: (_parent: unknown, _args: object, { person, site }: ResolverContext) =>
        all(
          'schools',
          `SELECT s.name, m.roles, s.site_id = $2 AS "isCurrent" FROM memberships m JOIN sites s USING (site_id)
            WHERE m.person_id = $1 AND m.roles <> '{}' AND s.state = 'active' ORDER BY s.name`,
          [person, site],
        ),
      enrolledCourses: async (_parent: unknown, { first = 20 }: Page, { person, site }: ResolverContext) => ({
        nodes: await all<Time>(
          'courses',
          `SELECT c.slug, e.expires_at AS "expireDate", e.expires_at IS NULL AS "hasLifetimeAccess",
                  CASE WHEN w.lecture_id IS NOT NULL THEN
                    json_build_object('lectureId', w.lecture_id, 'positionSeconds', w.position_seconds)
                  END AS "lastWatchedLecture"
             FROM enrollments e
             JOIN courses c USING (course_id)
             LEFT JOIN playbacks w ON w.site_id = e.site_id AND w.person_id = e.person_id AND w.course_id = e.course_id
            WHERE e.site_id = $2 AND e.person_id = $1 AND e.state IN ('active', 'expired')
              AND c.state NOT IN ('draft', 'deleted')
            ORDER BY e.started_at DESC, e.enrollment_id DESC LIMIT $3`,
          [person, site, first],
        ),
      }),
      notifications: async (_parent: unknown, { first = 20 }: Page, { person, site }: ResolverContext) => ({
        nodes: await all(
          'notifications',
          `SELECT 'ntf_' || notification_id AS id, 'You are enrolled in ' || (parameters ->> 'course') AS title,
                  read_at IS NOT NULL AS "isRead"
             FROM notifications
            WHERE site_id = $2 AND person_id = $1 ORDER BY created_at DESC, notification_id DESC LIMIT $3`,
          [person, site, first],
        ),
      }),
      unreadNotificationCount: async (_parent: unknown, _args: object, { person, site }: ResolverContext) =>
        (
          await all<{ unread: number }>(
            'unread',
            'SELECT unread FROM inbox_counts WHERE site_id = $2 AND person_id = $1',
            [person, site],
          )
        )[0]?.unread ?? 0,
    },
    EnrolledCourse: { expireDate: ({ expireDate }: Time) => expireDate?.toISOString() ?? null },
  };
}
