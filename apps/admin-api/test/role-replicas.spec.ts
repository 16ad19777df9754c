import { randomUUID } from 'node:crypto';
import { roleEvents } from '@lyceum/contracts';
import type { Membership } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { ErasedPerson } from '#src/members/erased-person.js';
import { MembershipService } from '#src/members/membership.service.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { untilBlocked, withDatabase } from './database.js';
import { GIF } from './new-image.js';
import { arrived, complete } from './new-upload.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

type Given = Partial<z.input<(typeof roleEvents)['data']>> & { readonly version: number };

/** States of the membership of a new person. */
function newMembership() {
  const ids = { person_id: randomUUID(), member_id: randomUUID(), site_id: api.sites[0].site_id };
  const email = `${randomUUID()}@example.com`;
  const joined_at = '2026-11-20T08:00:00.000Z';
  const state = ({ version, ...given }: Given): Membership => ({
    ...roleEvents.data.parse({ ...ids, email, name: 'Mei Lin', roles: ['lecturer'], joined_at, ...given }),
    member_id: ids.member_id,
    epoch: 1,
    version,
  });
  return { ...ids, email, state };
}

const memberships = () => api.service.app.get(MembershipService, { strict: false });

/** Applies the second state at another replica, before the work of the first one commits. */
async function during(first: (tx: EntityManager) => Promise<void>, second: Membership): Promise<void> {
  const outbox = api.service.app.get(Outbox, { strict: false });
  let later: Promise<void> | undefined;
  await outbox.transaction(async (tx) => {
    await first(tx);
    later = outbox.transaction((other) => memberships().follow(other, second));
    await untilBlocked(tx);
  });
  await later;
}

it('removes the student when the event of the role has not been committed', async () => {
  const { email, state } = newMembership();
  const [given, taken] = [state({ version: 5, roles: ['student'] }), state({ version: 6, roles: [] })];
  await during((tx) => memberships().follow(tx, given), taken);
  const { body } = await api.send<{ data: object[] }>('GET', `/api/v1/students?email=${email}`);
  expect(body.data).toMatchObject([{ state: 'removed' }]);
});

it('erases the texts of an uncommitted state', async () => {
  const { email, member_id, state } = newMembership();
  const known = state({ version: 1, phone: '+351210000000' });
  const removed = { email: `${member_id}@deleted.invalid`, name: 'Deleted', state: 'removed' as const, roles: [] };
  const erased: ErasedPerson[] = [];
  memberships().erased.add(async (_tx, person) => void erased.push(person));
  await during((tx) => memberships().follow(tx, known), state({ version: 2, ...removed }));
  expect(erased).toEqual([expect.objectContaining({ ids: [member_id], texts: [email, 'Mei Lin', '+351210000000'] })]);
});

it('ends the use of an uncommitted picture', async () => {
  const upload = await arrived(api, GIF, { purpose: 'image', filename: 'mei.gif', content_type: 'image/gif' });
  expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
  const file = upload.id;
  const { site_id, member_id, state } = newMembership();
  const outbox = api.service.app.get(Outbox, { strict: false });
  await outbox.transaction((tx) => memberships().follow(tx, state({ version: 1 })));
  const picture = `${api.sites[0].base_url}/files/public/${file}`;
  const show = async (tx: EntityManager): Promise<void> => {
    await memberships().follow(tx, state({ version: 2, picture }));
    await tx.query('insert into file_uses (site_id, member_id, file_id) values ($1, $2, $3)', [
      site_id,
      member_id,
      file,
    ]);
  };
  await during(show, state({ version: 3, picture: null }));
  const uses = await withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ uses: number }>('select uses from files where id = $1', [file]);
    return rows.map((row) => row.uses);
  });
  expect(uses).toEqual([0]);
});
