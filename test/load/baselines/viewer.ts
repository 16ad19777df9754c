import fastify from 'fastify';
import pg from 'pg';
import { serve } from './serve.ts';

/**
 * The minimal server for the viewer document on this database: a bare Fastify, one prepared statement written by
 * hand, and the JSON of PostgreSQL unchanged. It trusts the header that names the person and the
 * site, so no token is checked, and it supports this one document only.
 */
export interface ViewerConfiguration {
  readonly databaseUrl: string;
  readonly poolSize: number;
}

const VIEWER = `
  SELECT json_build_object('viewer', json_build_object(
    'id', $3::uuid,
    'name', p.name,
    'email', p.email,
    'schools', (
      SELECT coalesce(json_agg(json_build_object('name', s.name, 'roles', m.roles, 'isCurrent', s.site_id = $2)
                               ORDER BY s.name), '[]')
        FROM memberships m JOIN sites s USING (site_id)
       WHERE m.person_id = p.person_id AND m.roles <> '{}' AND s.state = 'active'),
    'enrolledCourses', json_build_object('nodes', (
      SELECT coalesce(json_agg(node), '[]') FROM (
        SELECT json_build_object(
                 'slug', c.slug,
                 'expireDate', to_char(e.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                 'hasLifetimeAccess', e.expires_at IS NULL,
                 'lastWatchedLecture', CASE WHEN w.lecture_id IS NOT NULL THEN
                   json_build_object('lectureId', w.lecture_id, 'positionSeconds', w.position_seconds) END) AS node
          FROM enrollments e
          JOIN courses c USING (course_id)
          LEFT JOIN playbacks w ON w.site_id = e.site_id AND w.person_id = e.person_id AND w.course_id = e.course_id
         WHERE e.site_id = $2 AND e.person_id = p.person_id AND e.state IN ('active', 'expired')
           AND c.state NOT IN ('draft', 'deleted')
         ORDER BY e.started_at DESC, e.enrollment_id DESC LIMIT 20) page)),
    'notifications', json_build_object('nodes', (
      SELECT coalesce(json_agg(node), '[]') FROM (
        SELECT json_build_object(
                 'id', 'ntf_' || n.notification_id,
                 'title', 'You are enrolled in ' || (n.parameters ->> 'course'),
                 'isRead', n.read_at IS NOT NULL) AS node
          FROM notifications n
         WHERE n.site_id = $2 AND n.person_id = p.person_id
         ORDER BY n.created_at DESC, n.notification_id DESC LIMIT 20) page)),
    'unreadNotificationCount', coalesce(
      (SELECT unread FROM inbox_counts i WHERE i.site_id = $2 AND i.person_id = p.person_id), 0)
  ))::text AS data
  FROM people p
  WHERE p.person_id = $1 AND p.state = 'active'`;

serve<ViewerConfiguration>(async ({ databaseUrl, poolSize }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const app = fastify();
  app.get('/viewer', async (request, reply) => {
    const { person, site, member } = request.headers;
    const values = [person, site, member];
    const { rows } = await pool.query<{ data: string }>({ name: 'viewer', text: VIEWER, values });
    if (rows[0] === undefined) return reply.code(404).send();
    return reply.header('content-type', 'application/json; charset=utf-8').send(`{"data":${rows[0].data}}`);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app.server;
});
