import { SiteMovesService } from '#src/sites/site-moves.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Hold } from './hold.js';

let auth: TestAuth;
let from: string;

beforeAll(async () => {
  auth = await startAuth();
  from = auth.other.base_url;
});
afterAll(() => auth.stop());

const move = (to: string, of = from) => auth.app.get(SiteMovesService).move(of, to);
async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of ['grants', 'consents', 'sessions', 'passkeys', 'site_members']) {
    const [row] = await auth.sql<{ n: number }>(`select count(*)::int as n from ${table} where site_id = $1`, [
      auth.other.site_id,
    ]);
    found[table] = row?.n ?? -1;
  }
  return found;
}

it('refuses to move an active site, an unknown one, to no origin, and to the origin of another site', async () => {
  await new Flow(auth, auth.other).tokens({ client_id: 'second-member' }, 'stranger');
  await auth.sql(
    `insert into passkeys (site_id, person_id, name, credential_id, public_key, sign_count, backup_eligible, backed_up,
                           transports)
     select $1, person_id, 'Key', '\\x00'::bytea, '', 0, false, false, '{}' from people
      where email = 'stranger@school.example'`,
    [auth.other.site_id],
  );
  expect(await counts()).toMatchObject({ grants: 1, consents: 1, sessions: 1, passkeys: 1 });
  await expect(move('https://next.example')).rejects.toMatchObject({ code: 'invalid_state' });
  await expect(move('https://next.example', 'https://no.example')).rejects.toMatchObject({ code: 'not_found' });
  await expect(move('https://next.example/path')).rejects.toMatchObject({ code: 'validation_failed' });
  await auth.app.get(SitesService).setState(auth.other.site_id, 'suspended');
  await expect(move(auth.site.base_url)).rejects.toMatchObject({ code: 'already_exists' });
});

it('keeps the passkeys when only the port changes', async () => {
  const { hostname, port } = new URL(from);
  const next = `http://${hostname}:${Number(port) + 1}`;
  const moved = await move(next);
  expect(moved).toMatchObject({ base_url: next, state: 'suspended' });
  expect(await counts()).toMatchObject({ grants: 0, consents: 0, sessions: 0, passkeys: 1 });
  from = next;
});

const addSessions = (count: number) =>
  auth.sql(
    `insert into sessions (session_hash, uid, site_id, payload, expires_at)
     select sha256(n::text::bytea), 'session ' || n, $1, '{}', now() + interval '1 day' from generate_series(1, $2) n`,
    [auth.other.site_id, count],
  );

const DELETION = 'delete from sessions';
const CHANGE = `update sessions set payload = '{"changed": true}'`;

it.each([
  ['deletes', 1, 1_200, DELETION],
  ['deletes', 500, 1_200, DELETION],
  ['changes', 1, 1_200, CHANGE],
  ['changes', 1, 1, CHANGE],
])('ends all sessions while another transaction %s the first %i of %i', async (_what, some, all, statement) => {
  await addSessions(all);
  const first = 'array(select ctid from sessions where site_id = $1 limit $2)';
  const hold = await Hold.of(auth, `${statement} where ctid = any(${first})`, [auth.other.site_id, some]);
  const { hostname, port } = new URL(from);
  const moving = move(`http://${hostname}:${Number(port) + 1}`);
  await hold.waiting(1);
  await hold.release();
  from = (await moving).base_url;
  expect(await counts()).toMatchObject({ sessions: 0 });
});

/** Fails each statement that deletes more than 500 rows of the table. */
const limitDeletions = (table: string) =>
  auth.sql(`
    create function ${table}_deleted() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > 500 then raise exception 'more than 500 rows of ${table}'; end if;
      return null;
    end $$;
    create trigger deleted after delete on ${table} referencing old table as gone for each statement
      execute function ${table}_deleted()`);

it('ends many sessions and consents in statements of at most 500 rows', async () => {
  const { site_id } = auth.other;
  await addSessions(2_000);
  await auth.sql(
    `insert into consents (person_id, client_key, site_id, resource, scopes, expires_at)
     select p.person_id, c.client_key, $1, 'resource ' || n, '{}', now() + interval '1 day'
     from generate_series(1, 501) n
     cross join (select person_id from people limit 1) p cross join (select client_key from clients limit 1) c`,
    [site_id],
  );
  await limitDeletions('sessions');
  await limitDeletions('consents');
  const { hostname, port } = new URL(from);
  from = (await move(`http://${hostname}:${Number(port) + 1}`)).base_url;
  expect(await counts()).toMatchObject({ consents: 0, sessions: 0 });
});

it('moves a suspended site with its members, and ends the passkeys of the former host', async () => {
  const [members, before] = [(await counts())['site_members'], from];
  expect(await move('https://Next.example/')).toMatchObject({ base_url: 'https://next.example', host: 'next.example' });
  expect(await counts()).toMatchObject({ passkeys: 0, site_members: members });
  const sites = auth.app.get(SitesService);
  expect(await sites.byOrigin(before)).toBeUndefined();
  expect((await sites.byOrigin('https://next.example'))?.site_id).toBe(auth.other.site_id);
  const [event] = await auth.sql(
    `select payload::jsonb #>> '{data,base_url}' as base_url from outbox
      where subject = 'identity.site.updated.v1' order by seq desc limit 1`,
  );
  expect(event).toEqual({ base_url: 'https://next.example' });
});

it('changes nothing when the site has the origin already', async () => {
  const { version } = await move('https://next.example', 'https://next.example');
  expect((await move('https://next.example', 'https://next.example')).version).toBe(version);
});
