import { Sql } from '@lyceum/platform';
import { planOf, rowsRead, statementOf } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { MembersRepository } from './members.repository.js';

const OTHERS = 2_000;

let identity: TestIdentity;
let stage: Awaited<ReturnType<typeof stageOne>>;

beforeAll(async () => {
  identity = await startIdentity();
  stage = await stageOne(identity);
});
afterAll(() => identity.stop());

/** The most rows that a step of a statement reads. */
async function readBy(statement: { readonly text: string; readonly values?: readonly unknown[] }): Promise<number> {
  const nodes = await planOf((...asked) => identity.sql(...asked), statement);
  return Math.max(...nodes.map(rowsRead));
}

it('finds what has the address of an erased member without the mails and requests of others', async () => {
  const { site_id, person_id } = stage;
  const other = `'other-' || n || '@school.example'`;
  for (const insert of [
    `mails (site_id, kind, address) select $1, 'sign_up', ${other}`,
    `password_reset_requests (site_id, address) select $1, ${other}`,
    `email_link_requests (site_id, purpose, address, browser_hash) select $1, 'sign_in', ${other}, ''`,
  ]) {
    await identity.sql(`insert into ${insert} from generate_series(1, ${OTHERS}) n`, [site_id]);
  }
  await identity.sql('analyze mails, password_reset_requests, email_link_requests');
  const { manager } = identity.context.get(DataSource);
  const repository = identity.context.get(MembersRepository, { strict: false });
  const member = await repository.lock(manager, site_id, person_id);
  const sent = jest.spyOn(manager, 'query');
  await repository.eraseProfile(manager, member, 'one@school.example');
  const deletions = sent.mock.calls.filter(([text]) => text.includes('address = '));
  sent.mockRestore();
  expect(deletions).toHaveLength(4);
  for (const [text, values] of deletions) {
    expect(values).toContain('one@school.example');
    expect(await readBy({ text, values: Object.values(values ?? {}) })).toBeLessThanOrEqual(1);
  }
});

it('walks the erased members of a deleted site once', async () => {
  const { site_id } = await stageOne(identity, 'deleted');
  await identity.sql(
    `with made as (
       insert into people (email, name) select 'erased-' || n || '@school.example', 'Erased' from generate_series(1, ${OTHERS}) n
       returning person_id)
     insert into site_members (site_id, person_id, roles, state, erased_at)
     select $1, person_id, '{}', 'removed', now() from made`,
    [site_id],
  );
  await identity.sql('analyze site_members');
  const [last] = await identity.sql<{ person_id: string }>(
    'select person_id from site_members where site_id = $1 order by person_id desc limit 1',
    [site_id],
  );
  const page = (after: string) =>
    statementOf((sql: Sql) => new MembersRepository(sql).presentPeople(site_id, after, 100));
  expect(await readBy(await page(last?.person_id ?? ''))).toBeLessThanOrEqual(1);
});
