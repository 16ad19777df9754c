import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoDefinition, mintToken } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import { graphql, listTools, send } from '../clients/http.js';
import { PlayedContainers } from './played-containers.js';

const hasCaddy = spawnSync('caddy', ['version']).status === 0;
const withCaddy = hasCaddy ? it : it.skip;

withCaddy(
  'plays the containers of docker/compose.yaml, in which one token works on three surfaces of the demo',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'lyceum-compose-'));
    const { containers, demo } = await PlayedContainers.start(directory);
    try {
      const [site] = demoDefinition(containers.edgePort).sites;
      const base = `http://localhost:${containers.edgePort}`;
      expect(demo).toMatch(/make the demo sites … [\s\S]*fill the demo sites … [\s\S]*owner@harbour\.example/);

      const client = (audience: string) =>
        site!.clients.find((one) => one.audience === audience && !one.client_secret)!;
      const token = async (role: string, audience: string, scope: string): Promise<string> => {
        const person = site!.people.find(({ roles }) => roles.some((one) => one === role))!;
        return (await mintToken({ site: site!, ...person, ...client(audience), scope })).access_token;
      };
      const member = await token('student', 'member', 'openid account:read');
      const operator = await token('owner', 'operator', 'openid courses:read');

      const query = '{ viewer { enrolledCourses(first: 9) { nodes { slug } } } }';
      interface Courses {
        readonly viewer: { readonly enrolledCourses: { readonly nodes: readonly unknown[] } };
      }
      await eventually(
        () => graphql<Courses>(base, member, query),
        ({ body }) => body.data?.viewer.enrolledCourses.nodes.length === 2,
      );
      const courses = await send<{ data: unknown[] }>(`${base}/api/v1/courses`, { token: operator });
      expect([courses.status, courses.body.data.length]).toEqual([200, 4]);
      expect((await listTools(base, operator)).status).toBe(200);

      // A second start makes nothing again.
      expect(await containers.again('prepare')).toBe('');
      expect(await containers.again('databases')).toBe('');
      expect(await containers.again('bootstrap')).toContain('"changes":0');
      expect(await containers.again('demo')).not.toMatch(/(make|fill) the demo sites/);
      expect((await graphql(base, member, query)).status).toBe(200);
    } finally {
      await containers.stop();
      rmSync(directory, { recursive: true });
    }
  },
  600_000,
);
