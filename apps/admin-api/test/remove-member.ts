import { randomUUID } from 'node:crypto';
import { ERASED_NAME, erasedEmail } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import type { TestApi } from './admin-api.js';
import { at } from './learner.js';

/** Sends the events of auth about a new member, to whom a student of the first site is linked, and about the removal. */
export async function removeMember(api: TestApi, student_id: string): Promise<void> {
  const path = `/api/v1/students/${student_id}`;
  const [{ site_id }] = api.sites;
  const { email } = (await api.send<{ email: string }>('GET', path)).body;
  const member_id = randomUUID();
  const member = { person_id: randomUUID(), member_id, name: 'Mei', student_id, site_id, joined_at: at(0) };
  await api.events.sendRoles({ ...member, email, roles: ['student'] }, 1);
  const erased = { ...member, email: erasedEmail(member_id), name: ERASED_NAME };
  await api.events.sendRoles({ ...erased, roles: [] }, 2);
  await eventually(
    () => api.send('GET', path),
    ({ body }) => body['email'] === erased.email,
  );
}
