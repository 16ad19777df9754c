import { Sql } from '@lyceum/platform';
import { planOf as planOfStatement, rowsRead, statementOf } from '@lyceum/testing';
import type { PlanNode } from '@lyceum/testing';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import type { MemberFilter } from './listed-member.js';
import { MemberDirectoryRepository } from './member-directory.repository.js';

const MEMBERS = 5_000;
const NO_FILTER: MemberFilter = { text: '', state: undefined, role: undefined };

describe('The members of a site by pages', () => {
  let identity: TestIdentity;
  let directory: MemberDirectoryRepository;
  let siteId: string;

  beforeAll(async () => {
    identity = await startIdentity();
    directory = new MemberDirectoryRepository(identity.context.get(Sql));
    ({ site_id: siteId } = await stageOne(identity));
    await identity.sql(
      `with made as (
         insert into people (email, name)
         select 'p' || n || '@school.example', 'Person ' || n from generate_series(1, ${MEMBERS}) n returning person_id, name)
       insert into site_members (site_id, person_id, roles, name, joined_at)
       select $1, person_id, '{student}', name, now() - (split_part(name, ' ', 2) || ' seconds')::interval from made`,
      [siteId],
    );
    // The one who joined first.
    await identity.sql(
      `with made as (insert into people (email, name) values ('owner@school.example', 'Owner') returning person_id)
       insert into site_members (site_id, person_id, roles, state, joined_at)
       select $1, person_id, '{owner,student}', 'suspended', now() - interval '1 year' from made`,
      [siteId],
    );
    await identity.sql('analyze people, site_members');
  });
  afterAll(() => identity.stop());

  /** The plan of a page. */
  async function nodesOf(filter: MemberFilter, after: string | null): Promise<readonly PlanNode[]> {
    const statement = await statementOf((sql: Sql) =>
      new MemberDirectoryRepository(sql).list(siteId, filter, after, 51),
    );
    return planOfStatement((...asked) => identity.sql(...asked), statement);
  }

  /** The indexes and steps of a page. */
  async function planOf(text: string, after: string | null): Promise<string[]> {
    return (await nodesOf({ ...NO_FILTER, text }, after)).map((node) => node['Index Name'] ?? node['Node Type']);
  }

  const mostRead = (nodes: readonly PlanNode[]): number => Math.max(...nodes.map(rowsRead));

  it('reads a page in the order of its index, without sorting all members', async () => {
    const first = await directory.list(siteId, NO_FILTER, null, 51);
    for (const after of [null, first.at(-1)?.member_id ?? null]) {
      const plan = await planOf('', after);
      expect(plan).toContain('site_members_by_joining');
      expect(plan).not.toContain('Sort');
    }
  });

  it.each([{ role: 'owner' }, { state: 'suspended' }, { role: 'owner', state: 'suspended' }] as const)(
    'finds the members of %j without reading the students who joined later',
    async (given) => {
      const filter = { ...NO_FILTER, ...given };
      const found = await directory.list(siteId, filter, null, 51);
      expect(found.map(({ email }) => email)).toEqual(['owner@school.example']);
      expect(mostRead(await nodesOf(filter, null))).toBeLessThanOrEqual(60);
      expect(await directory.list(siteId, filter, found[0]?.member_id ?? null, 51)).toEqual([]);
    },
  );

  it('lists a student with another role among the students, too', async () => {
    const found = await directory.list(siteId, { ...NO_FILTER, role: 'student', state: 'suspended' }, null, 51);
    expect(found.map(({ email }) => email)).toEqual(['owner@school.example']);
  });

  it('reads a late page without the earlier ones', async () => {
    const earlier = await directory.list(siteId, NO_FILTER, null, 3_000);
    expect(mostRead(await nodesOf(NO_FILTER, earlier.at(-1)?.member_id ?? null))).toBeLessThanOrEqual(60);
  });

  it('stops a search when the page is full', async () => {
    expect(await planOf('person', null)).toContain('site_members_by_joining');
    const found = await directory.list(siteId, { ...NO_FILTER, text: 'person 4999' }, null, 51);
    expect(found.map(({ email }) => email)).toEqual(['p4999@school.example']);
  });

  it('shows each member once over all pages', async () => {
    const seen = new Set<string>();
    let after: string | null = null;
    for (let rows = await directory.list(siteId, NO_FILTER, after, 500); rows.length > 0;) {
      for (const { member_id } of rows) seen.add(member_id);
      after = rows.at(-1)?.member_id ?? null;
      rows = await directory.list(siteId, NO_FILTER, after, 500);
    }
    expect(seen.size).toBeGreaterThanOrEqual(MEMBERS);
  });
});
