import { Sql } from '@lyceum/platform';
import { planOf as planOfStatement, statementOf } from '@lyceum/testing';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { MemberDirectoryRepository } from './member-directory.repository.js';

const MEMBERS = 5_000;
const NO_FILTER = { text: '', state: undefined, role: undefined };

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
    await identity.sql('analyze people, site_members');
  });
  afterAll(() => identity.stop());

  /** The indexes and steps of a page. */
  async function planOf(text: string, after: string | null): Promise<string[]> {
    const filter = { ...NO_FILTER, text };
    const statement = await statementOf((sql: Sql) =>
      new MemberDirectoryRepository(sql).list(siteId, filter, after, 51),
    );
    const nodes = await planOfStatement((...asked) => identity.sql(...asked), statement);
    return nodes.map((node) => node['Index Name'] ?? node['Node Type']);
  }

  it('reads a page in the order of its index, without sorting all members', async () => {
    const first = await directory.list(siteId, NO_FILTER, null, 51);
    for (const after of [null, first.at(-1)?.member_id ?? null]) {
      const plan = await planOf('', after);
      expect(plan).toContain('site_members_by_joining');
      expect(plan).not.toContain('Sort');
    }
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
