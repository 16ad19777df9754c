import { runServiceCommand } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import { graphql, send, studentAt } from '../../clients/http.js';
import { onDatabase } from '../../load/data/database.ts';
import { emptySchool, fillSchool } from '../../load/data/school.ts';
import { personOf } from '../../stack/system-stack.js';
import type { FaultStack } from '../fault-stack.js';
import { type SharedFaultStack, TAKE_MS } from '../shared-stack.js';

/** Far above the allowed backlog. At most 500 events of bulk work are published in a second. */
const ENROLLMENTS = 2_500;
/** New courses of the member during the republication. */
const NEW_COURSES = 5;
/** A batch of the republication and the allowed backlog at its start: libs/messaging/src/connection/limits.ts. */
const MOST_WAITING = 256 + 32;
const COURSES = '{ viewer { enrolledCourses(first: 100) { nodes { slug } } } }';

interface Courses {
  readonly viewer: { readonly enrolledCourses: { readonly nodes: { readonly slug: string }[] } };
}

export function newEvents(shared: SharedFaultStack): void {
  describe('new events during a republication', () => {
    let fault: FaultStack;

    beforeAll(async () => {
      fault = await shared.take();
    }, TAKE_MS);

    it('consumes new events before republished ones, and the backlog of the consumer stays small', async () => {
      const { stack, site } = fault;
      const [operator, member] = await Promise.all([fault.operatorToken(), fault.memberToken()]);
      const api = `${site.base_url}/api/v1`;
      const write = async (path: string, json?: object): Promise<string> => {
        const { status, body } = await send<{ id: string }>(`${api}${path}`, {
          method: 'POST',
          token: operator,
          ...(json === undefined ? {} : { json }),
        });
        expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
        return body.id;
      };
      const student = await studentAt(site, operator, personOf(site, 'student'));
      await onDatabase(stack.databaseUrl('school'), (database) => fillSchool(database, site.site_id, ENROLLMENTS));
      const nats = await fault.connectNats();
      const waiting = async (): Promise<number> => {
        const info = await nats.request('$JS.API.CONSUMER.INFO.SCHOOL.member-api-enrollments', '', { timeout: 10_000 });
        const { num_pending, num_ack_pending } = info.json<{ num_pending: number; num_ack_pending: number }>();
        return num_pending + num_ack_pending;
      };

      let sent = '';
      let most = 0;
      const progress = { seen: false, ended: false };
      // Repeated until the member has seen all courses, so that a slow API meets a republication, too.
      const republishing = (async () => {
        do sent = await runServiceCommand('admin-api', stack.environment('admin-api'), 'republish', 'enrollment');
        while (!progress.seen);
      })().finally(() => (progress.ended = true));
      await eventually(waiting, (events) => events > 0);
      for (let n = 1; n <= NEW_COURSES; n += 1) {
        const slug = `new-${n}`;
        const course = await write('/courses', { name: slug, slug });
        await write(`/courses/${course}/publish`);
        await write(`/students/${student}/enrollments`, { course_id: course });
        await eventually(
          async () => {
            most = Math.max(most, await waiting());
            return graphql<Courses>(site.base_url, member, COURSES);
          },
          ({ body }) => body.data?.viewer.enrolledCourses.nodes.some((node) => node.slug === slug) ?? false,
        );
      }
      progress.seen = true;
      while (!progress.ended) {
        most = Math.max(most, await waiting());
        await Promise.race([republishing, new Promise((resolve) => setTimeout(resolve, 20))]);
      }
      await republishing;
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(MOST_WAITING + NEW_COURSES);
      expect(sent).toContain('"complete":true');
      const published = sent.split('\n').filter((line) => line.includes('"complete":true'));
      expect((JSON.parse(published[0] ?? '') as { republished: number }).republished).toBeGreaterThanOrEqual(
        ENROLLMENTS,
      );
      await nats.close();
    }, 300_000);

    it(
      'leaves the stack as it was, without the many enrollments',
      async () => {
        const { stack, site } = fault;
        // An event that comes later would bring its row back.
        await eventually(
          () => fault.waitingEvents(),
          (count) => count === 0,
          120_000,
        );
        const courses = await onDatabase(stack.databaseUrl('school'), (database) =>
          emptySchool(database, site.site_id),
        );
        expect(courses).toHaveLength(100);
        const text = 'DELETE FROM enrollments WHERE course_id = ANY($1)';
        const { rowCount } = await onDatabase(stack.databaseUrl('learner'), (database) =>
          database.query(text, [courses]),
        );
        expect(rowCount).toBe(ENROLLMENTS);
        await shared.giveBack();
      },
      TAKE_MS,
    );
  });
}
