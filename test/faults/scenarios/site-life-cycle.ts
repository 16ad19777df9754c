import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runServiceCommand } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import { graphql, listTools, send } from '../../clients/http.js';
import type { FaultStack } from '../fault-stack.js';
import { type SharedFaultStack, TAKE_MS } from '../shared-stack.js';
import { rawHttp } from '../../security/raw-http.js';
import { SiteTraces } from '../site-traces.js';

/** Rows of a deleted site that stay: docs/operate/sites.md names them. */
const KEPT = [
  'auth.audit_log',
  'auth.deleted_sites',
  'auth.site_erasures',
  'learner.site_erasures',
  'school.activity',
  'school.changes',
  'school.site_erasures',
];
const UNKNOWN_HOST = 421;
/** The time limit of the test that deletes a site. */
const DELETION_MS = 600_000;
const SERVICES = ['auth', 'admin-api', 'member-api'] as const;
const PAGES = ['/', '/account', '/admin', '/docs', '/auth.md', '/openapi.json', '/.well-known/openid-configuration'];

interface ExportLine {
  readonly table?: string;
  readonly row?: Readonly<Record<string, unknown>>;
  readonly file?: string;
  readonly data?: string;
  readonly end?: boolean;
  readonly rows?: number;
  readonly files?: number;
}

let fault: FaultStack;
let traces: SiteTraces;
let tokens: { readonly operator: string; readonly member: string };

const run = (service: (typeof SERVICES)[number], ...words: string[]): Promise<string> =>
  runServiceCommand(service, fault.stack.environment(service), ...words);
const site = (...words: string[]): Promise<string> => run('auth', 'site', ...words);

/** The status of each surface for a token of its kind. GraphQL reports the refusal of a token with 401, too. */
async function surfaces(base: string, { operator, member } = tokens): Promise<Record<string, number>> {
  const at = async (name: string, response: Promise<{ status: number }>) => [name, (await response).status] as const;
  return Object.fromEntries(
    await Promise.all([
      at('operator API', send(`${base}/api/v1/courses`, { token: operator })),
      at('member API', graphql(base, member, '{ viewer { name } }')),
      at('tools', listTools(base, member)),
      at('user info', send(`${base}/api/oauth/userinfo`, { token: member })),
    ]),
  );
}
const all = (status: number): Record<string, number> => ({
  'operator API': status,
  'member API': status,
  tools: status,
  'user info': status,
});
const pages = async (): Promise<number[]> =>
  Promise.all(PAGES.map(async (path) => (await fetch(`${fault.site.base_url}${path}`, { redirect: 'manual' })).status));
/** The tools refuse a source after 60 invalid tokens in a minute, which a poll without a pause sends in seconds. */
const POLL_MS = 250;
const polledSurfaces = async (base: string): Promise<Record<string, number>> => {
  await sleep(POLL_MS);
  return surfaces(base);
};
const courses = async (token: string): Promise<number> =>
  (await send<{ data: unknown[] }>(`${fault.site.base_url}/api/v1/courses?limit=100`, { token })).body.data.length;

/** Some tables of each service, all of which have rows. */
const EXPORTED = {
  auth: ['sites', 'site_members', 'clients', 'audit_log'],
  'admin-api': ['courses', 'students', 'enrollments', 'lectures', 'orders', 'files', 'pages', 'activity'],
  'member-api': ['courses', 'memberships', 'enrollments', 'notifications'],
};

async function expectFiles(site_id: string, files: ReadonlyMap<string | undefined, ExportLine[]>): Promise<void> {
  const stored = await traces.query<{ id: string; sha256: string }>(
    'school',
    `select id, sha256 from files where site_id = '${site_id}' and state = 'ready'`,
  );
  expect(stored.length).toBeGreaterThan(0);
  for (const { id, sha256 } of stored) {
    const parts = files.get(`files/${site_id}/${id}`) ?? [];
    const content = Buffer.concat(parts.map(({ data = '' }) => Buffer.from(data, 'base64')));
    expect([id, hash('sha256', content)]).toEqual([id, sha256]);
  }
}

/** Suspends, exports, deletes and replaces the second site. */
export function siteLifeCycle(shared: SharedFaultStack): void {
  describe('the life cycle of a site', () => {
    beforeAll(async () => {
      fault = (await shared.take()).at(1);
      traces = new SiteTraces(fault.stack);
      tokens = { operator: await fault.operatorToken(), member: await fault.memberToken() };
    }, TAKE_MS);

    it('refuses tokens and pages of a suspended site at every surface, and keeps its data', async () => {
      const { base_url } = fault.site;
      const known = await courses(tokens.operator);
      expect([await surfaces(base_url), known > 0]).toEqual([all(200), true]);

      await site('suspend', '--site', base_url);
      await eventually(
        () => polledSurfaces(base_url),
        (found) => Object.values(found).every((status) => status === UNKNOWN_HOST),
      );
      await eventually(pages, (found) => found.every((status) => status === UNKNOWN_HOST));
      expect(await surfaces(fault.stack.sites[0]!.base_url)).toEqual(all(401));

      await site('reinstate', '--site', base_url);
      await eventually(
        () => polledSurfaces(base_url),
        (found) => Object.values(found).every((status) => status === 401),
      );
      await eventually(pages, (found) => !found.includes(UNKNOWN_HOST));
      const operator = await fault.operatorToken();
      expect(await courses(operator)).toBe(known);
    }, 300_000);

    it('exports the rows of all services and the files, without secrets', async () => {
      const { site_id } = JSON.parse(await site('show', '--site', fault.site.base_url)) as { site_id: string };
      expect(site_id).toBe(fault.site.site_id);
      const counts = await traces.rows(site_id);
      const [{ hash: secret } = { hash: '' }] = await traces.query<{ hash: string }>(
        'auth',
        `select encode(secret_hash, 'hex') as hash from clients where site_id = '${site_id}' and secret_hash is not null`,
      );
      expect(secret).toHaveLength(64);
      const [auth, school, learner] = await Promise.all(
        SERVICES.map((service) => run(service, 'export-site', site_id)),
      );
      const texts = { auth: auth!, 'admin-api': school!, 'member-api': learner! };
      for (const [service, database] of [
        ['auth', 'auth'],
        ['admin-api', 'school'],
        ['member-api', 'learner'],
      ] as const) {
        const text = texts[service];
        const [head, ...lines] = text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as ExportLine);
        expect(head).toMatchObject({ format: 'lyceum-site-export', version: 1, service, site_id });
        const rows = lines.filter(({ table }) => table !== undefined);
        const files = Map.groupBy(
          lines.filter(({ file }) => file !== undefined),
          ({ file }) => file,
        );
        expect(lines.at(-1)).toEqual({ end: true, rows: rows.length, files: files.size });
        for (const table of EXPORTED[service]) {
          expect([table, rows.filter((line) => line.table === table).length]).toEqual([
            table,
            counts[`${database}.${table}`],
          ]);
        }
        expect(text).not.toContain(secret);
        expect(text).not.toContain('$argon2id$');
        if (service === 'admin-api') await expectFiles(site_id, files);
        if (service === 'auth') expect(text).toContain(`"email":"${fault.site.people[0]!.email}"`);
      }
    }, 300_000);

    it('refuses the export of an unknown site', async () => {
      await Promise.all([
        expect(run('member-api', 'export-site', 'ee0a6dd5-8d5b-4a3e-9a57-0c4c5d9b4a53')).rejects.toThrow('no data'),
        expect(run('member-api', 'export-site', 'nothing')).rejects.toThrow('takes one site_id'),
      ]);
    }, 300_000);

    it(
      'deletes a suspended site at all services, and changes nothing of another site',
      async () => {
        const { base_url, site_id } = fault.site;
        const { slug } = fault.stack.sites[1]!;
        const other = fault.stack.sites[0]!.site_id;
        const before = await traces.rows(site_id);
        expect(Object.keys(before).length).toBeGreaterThan(40);
        expect(traces.files(site_id).length).toBeGreaterThan(0);

        await site('suspend', '--site', base_url);
        // The clock of admin-api starts events of the other site that have begun.
        const begun = `select from events where state = 'published' and starts_at <= now()`;
        await eventually(
          async () => (await traces.query('school', begun)).length + (await fault.waitingEvents()),
          (waiting) => waiting === 0,
          120_000,
        );
        const until = new Date(Date.now() + DELETION_MS);
        const kept = await traces.digests(other, until);
        await site('delete', '--site', base_url, '--slug', slug);

        await eventually(
          () => traces.rows(site_id),
          (rows) => Object.keys(rows).every((table) => KEPT.includes(table)),
          120_000,
        );
        await eventually(
          () => traces.messages(site_id),
          (messages) => messages.every((one) => /^IDENTITY identity\.site\.deleted\.v1$|^KV_sites /.test(one)),
          120_000,
        );
        expect(Object.keys(await traces.rows(site_id)).toSorted()).toEqual(KEPT);
        const page = readFileSync(join(__dirname, '../../../docs/operate/sites.md'), 'utf8');
        expect(KEPT.filter((table) => !page.includes(`\`${table.split('.')[1]!}\``))).toEqual([]);
        expect(traces.files(site_id)).toEqual([]);
        expect(await traces.digests(other, until)).toEqual(kept);
        const homeless = await traces.query(
          'auth',
          `select email from people p where state <> 'deleted' and not exists (
           select from site_members m where m.person_id = p.person_id)`,
        );
        expect(homeless).toEqual([]);
      },
      DELETION_MS,
    );

    it('gives the origin of a deleted site to a new site, and serves that at the origin to which it moves', async () => {
      const { base_url, site_id } = fault.site;
      const words = ['--base-url', base_url, '--name', 'New School', '--slug', 'new-school'];
      const created = JSON.parse(await site('create', ...words)) as { site_id: string };
      expect(created.site_id).not.toBe(site_id);
      await eventually(
        async () => (await fetch(`${base_url}/api/v1/courses`)).status,
        (status) => status === 401,
      );
      const host = `moved.localhost:${new URL(base_url).port}`;
      await site('suspend', '--site', base_url);
      await site('move', '--site', base_url, '--to', `http://${host}`);
      await site('reinstate', '--site', `http://${host}`);
      const at = async (name: string): Promise<number[]> =>
        Promise.all(
          ['/api/v1/courses', '/member/schema.graphql', '/.well-known/openid-configuration'].map(
            async (path) => (await rawHttp(base_url, path, { headers: { host: name } })).status,
          ),
        );
      await eventually(
        () => at(host),
        (found) => found.join() === '401,200,200',
      );
      await eventually(
        () => at(new URL(base_url).host),
        (found) => found.every((status) => status === UNKNOWN_HOST),
      );
      const metadata = await rawHttp(base_url, '/.well-known/openid-configuration', { headers: { host } });
      expect(metadata.body).toMatchObject({ issuer: `http://${host}` });
    }, 300_000);

    it('leaves the stack as it was', () => expect(shared.giveBack()).resolves.toBeUndefined(), TAKE_MS);
  });
}
