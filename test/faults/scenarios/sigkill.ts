import { eventually } from '@lyceum/testing';
import { graphql, send, studentAt } from '../../clients/http.js';
import type { FaultStack } from '../fault-stack.js';
import { type SharedFaultStack, TAKE_MS } from '../shared-stack.js';
import { personOf } from '../../stack/system-stack.js';

/** Three writes each, below the quota of a client in a minute. */
const COURSES = 40;
const KILLED_AFTER = 10;

/** In the order of their start. */
const SERVICES = ['auth', 'admin-api', 'member-api', 'mcp-gateway'] as const;

interface Inbox {
  readonly viewer: {
    readonly enrolledCourses: { readonly nodes: { readonly slug: string }[] };
    readonly notifications: { readonly nodes: { readonly title: string }[] };
  };
}

interface Counts {
  readonly viewer: Record<'enrolledCourses' | 'notifications', { readonly totalCount: number }>;
}

/** True when the response acknowledges the write. After a broken connection or a 5xx, the result is unknown. */
type Write = (index: number) => Promise<boolean>;

/** Runs all writes, six at a time. Returns the acknowledged indexes. */
async function writeAll(indexes: readonly number[], write: Write): Promise<Set<number>> {
  const queue = [...indexes];
  const acknowledged = new Set<number>();
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
        if (await write(index).catch(() => false)) acknowledged.add(index);
      }
    }),
  );
  return acknowledged;
}

export function sigkill(shared: SharedFaultStack): void {
  describe('services killed by SIGKILL in the middle of writes', () => {
    let fault: FaultStack;

    beforeAll(async () => {
      fault = await shared.take();
    }, TAKE_MS);

    it('loses no acknowledged write and applies none twice', async () => {
      const { stack, site } = fault;
      // An admin has a quota apart from that of the owner, who writes in other scenarios.
      const [operator, member] = await Promise.all([
        fault.mint('admin', 'operator', 'openid courses:read courses:write students:read students:write'),
        fault.memberToken(),
      ]);
      const api = `${site.base_url}/api/v1`;
      const student = personOf(site, 'student');
      const student_id = await studentAt(site, operator, student);

      const { data } = (
        await graphql<Counts>(
          site.base_url,
          member,
          '{ viewer { enrolledCourses(first: 1) { totalCount } notifications(first: 1) { totalCount } } }',
        )
      ).body;
      const before = {
        courses: data!.viewer.enrolledCourses.totalCount,
        notifications: data!.viewer.notifications.totalCount,
      };

      /** Retries carry the same idempotency key. */
      const write: Write = async (index) => {
        const headers = { 'idempotency-key': `sigkill-${index}` };
        const course = await send<{ id: string }>(`${api}/courses`, {
          token: operator,
          headers,
          json: { name: `Killed ${index}.`, slug: `killed-${index}` },
        });
        if (course.status !== 201) return false;
        // Members do not see drafts.
        const published = await send(`${api}/courses/${course.body.id}/publish`, {
          method: 'POST',
          token: operator,
          headers,
        });
        if (published.status !== 200) return false;
        const enrolled = await send(`${api}/students/${student_id}/enrollments`, {
          token: operator,
          headers,
          json: { course_id: course.body.id },
        });
        return enrolled.status === 201;
      };

      const all = Array.from({ length: COURSES }, (_, index) => index);
      const kills: Promise<void>[] = [];
      let written = 0;
      const first = await writeAll(all, async (index) => {
        const done = await write(index);
        if (done) written += 1;
        // In the middle of other writes, whose number does not depend on the speed of the machine.
        if (written === KILLED_AFTER && kills.length === 0) kills.push(...SERVICES.map((name) => stack.kill(name)));
        return done;
      });
      await Promise.all(kills);
      expect(first.size).toBeGreaterThan(0);
      expect(first.size).toBeLessThan(COURSES);

      for (const name of SERVICES) await stack.start(name);
      let open = all.filter((index) => !first.has(index));
      await eventually(
        async () => {
          const done = await writeAll(open, write);
          open = open.filter((index) => !done.has(index));
          return open.length;
        },
        (left) => left === 0,
        // The repeats may use up the quota of a minute.
        120_000,
      );

      // A cheap query, because each request costs points of the token.
      await eventually(
        () =>
          graphql<Counts>(
            site.base_url,
            member,
            '{ viewer { enrolledCourses(first: 1) { totalCount } notifications(first: 1) { totalCount } } }',
          ),
        ({ body }) =>
          (body.data?.viewer.enrolledCourses.totalCount ?? 0) >= before.courses + COURSES &&
          (body.data?.viewer.notifications.totalCount ?? 0) >= before.notifications + COURSES,
      );
      const { body } = await graphql<Inbox>(
        site.base_url,
        member,
        '{ viewer { enrolledCourses(first: 100) { nodes { slug } } notifications(first: 100) { nodes { title } } } }',
      );
      const slugs = body
        .data!.viewer.enrolledCourses.nodes.map(({ slug }) => slug)
        .filter((slug) => slug.startsWith('killed-'));
      expect([...slugs].sort()).toEqual(all.map((index) => `killed-${index}`).sort());
      for (const index of all) {
        const notified = body.data!.viewer.notifications.nodes.filter(({ title }) =>
          title.includes(`Killed ${index}.`),
        );
        expect(notified).toHaveLength(1);
      }
    });

    it('leaves the stack as it was', () => expect(shared.giveBack()).resolves.toBeUndefined(), TAKE_MS);
  });
}
