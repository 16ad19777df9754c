import { eventually } from '@lyceum/testing';
import { graphql, listTools, send, studentAt } from '../../clients/http.js';
import { connectTools } from '../../clients/tool-client.js';
import { personOf } from '../../stack/system-stack.js';
import type { FaultStack } from '../fault-stack.js';
import { type SharedFaultStack, TAKE_MS } from '../shared-stack.js';

const COURSES = '{ viewer { enrolledCourses(first: 100) { nodes { slug } } } }';

interface Courses {
  readonly viewer: { readonly enrolledCourses: { readonly nodes: { readonly slug: string }[] } };
}

export function outages(shared: SharedFaultStack): void {
  describe('with a part of the platform stopped', () => {
    let fault: FaultStack;

    beforeAll(async () => {
      fault = await shared.take();
    }, TAKE_MS);

    /** Restarts all parts, also after a failed test. */
    afterEach(async () => {
      for (const name of ['nats', 'auth', 'admin-api'] as const) await fault.stack.start(name);
    });

    const isConnected = async (name: 'member-api' | 'mcp-gateway'): Promise<boolean> => {
      const { managementUrl } = fault.stack.services.find((service) => service.name === name)!;
      const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
      return /^nats_connected\{[^}]*\} 1$/m.test(metrics);
    };

    it('returns 503 without a challenge while auth is down, and recovers', async () => {
      const { stack, site } = fault;
      const [operator, member] = await Promise.all([fault.operatorToken(), fault.memberToken()]);
      const request = () =>
        Promise.all([
          graphql(site.base_url, member, '{ viewer { id } }'),
          listTools(site.base_url, member),
          send(`${site.base_url}/api/v1/courses`, { token: operator }),
        ]);

      await stack.halt('auth');
      for (const response of await request()) {
        expect(response.status).toBe(503);
        expect(response.headers.get('www-authenticate')).toBeNull();
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(JSON.stringify(response.body)).toMatch(/temporarily_unavailable/i);
      }
      const anonymous = await connectTools(site.base_url);
      expect((await anonymous.client.callTool({ name: 'browse_catalog', arguments: {} })).isError ?? false).toBe(false);
      await anonymous.client.close();

      await stack.start('auth');
      const [viewer, , courses] = await eventually(request, (responses) =>
        responses.every(({ status }) => status !== 503),
      );
      expect([viewer.status, courses.status]).toEqual([200, 200]);
    });

    it('reads and writes while NATS is down, fails tool calls at once, and delivers the events later', async () => {
      const { stack, site } = fault;
      const [operator, member] = await Promise.all([fault.operatorToken(), fault.memberToken()]);
      const student = personOf(site, 'student');
      const api = `${site.base_url}/api/v1`;

      await stack.kill('nats');
      expect((await graphql<Courses>(site.base_url, member, COURSES)).body.data?.viewer).toBeTruthy();
      expect((await send(`${api}/courses`, { token: operator })).status).toBe(200);

      const course = await send<{ id: string }>(`${api}/courses`, {
        token: operator,
        json: { name: 'Written while NATS was down', slug: 'nats-was-down' },
      });
      expect(course.status).toBe(201);
      expect((await send(`${api}/courses/${course.body.id}/publish`, { method: 'POST', token: operator })).status).toBe(
        200,
      );
      const student_id = await studentAt(site, operator, student);
      const enrolled = await send(`${api}/students/${student_id}/enrollments`, {
        token: operator,
        json: { course_id: course.body.id },
      });
      expect(enrolled.status).toBe(201);

      const { client } = await connectTools(site.base_url, { token: member });
      const call = await client.callTool({ name: 'my_courses', arguments: {} });
      expect(call.isError).toBe(true);
      expect(JSON.stringify(call.content)).toContain('temporarily_unavailable');
      await client.close();

      await stack.start('nats');
      await eventually(
        () => graphql<Courses>(site.base_url, member, COURSES),
        ({ body }) => body.data?.viewer.enrolledCourses.nodes.some(({ slug }) => slug === 'nats-was-down') ?? false,
      );
      const again = await connectTools(site.base_url, { token: member });
      const response = await eventually(
        () => again.client.callTool({ name: 'my_courses', arguments: {} }),
        ({ isError }) => isError !== true,
      );
      expect(JSON.stringify(response.structuredContent)).toContain('nats-was-down');
      await again.client.close();
    });

    it('serves members while admin-api is down, returns 503 to operators, and hides its tools', async () => {
      const { stack, site } = fault;
      const [operator, member] = await Promise.all([fault.operatorToken(), fault.memberToken()]);
      await stack.halt('admin-api');
      expect((await graphql<Courses>(site.base_url, member, COURSES)).status).toBe(200);
      const refused = await send(`${site.base_url}/api/v1/courses`, { token: operator });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).not.toBeNull();
      // The stopped service has withdrawn its tools.
      const tools = async (): Promise<string[]> => {
        const { client } = await connectTools(site.base_url);
        const { tools: listed } = await client.listTools();
        await client.close();
        return listed.map(({ name }) => name);
      };
      expect(await tools()).toEqual(['whoami']);
      await stack.start('admin-api');
      expect((await send(`${site.base_url}/api/v1/courses`, { token: operator })).status).toBe(200);
      expect(await eventually(tools, (listed) => listed.length > 1)).toContain('browse_catalog');
    });

    it.each([
      ['dead', 'SIGKILL'],
      ['frozen and not yet detected', 'SIGSTOP'],
    ] as const)('refuses a revoked token while NATS is %s', async (_how, signal) => {
      const { stack, site } = fault;
      // Services cache introspection results only while they receive revocations.
      for (const name of ['member-api', 'mcp-gateway'] as const) await eventually(() => isConnected(name), Boolean);
      const { access_token, client_id } = await fault.memberTokens();
      const use = () =>
        Promise.all([
          graphql(site.base_url, access_token, '{ viewer { id } }'),
          listTools(site.base_url, access_token),
        ]);
      const statuses = async () => (await use()).map(({ status }) => status);
      expect(await statuses()).toEqual([200, 200]);

      if (signal === 'SIGKILL') await stack.kill('nats');
      else process.kill(stack.nats.pid!, signal);
      try {
        // The introspection result may still be cached; auth returns the new one.
        expect(await statuses()).toEqual([200, 200]);
        const body = new URLSearchParams({ token: access_token, client_id });
        expect((await fetch(`${site.base_url}/api/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
        await eventually(statuses, (now) => now.every((status) => status === 401));
      } finally {
        if (signal === 'SIGSTOP') process.kill(stack.nats.pid!, 'SIGCONT');
      }
    });

    it('leaves the stack as it was', () => expect(shared.giveBack()).resolves.toBeUndefined(), TAKE_MS);
  });
}
