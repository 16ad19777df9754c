import { setTimeout as sleep } from 'node:timers/promises';
import type { AppliedSite } from '@lyceum/local';
import { mintToken } from '@lyceum/testing';
import { type Member, membersOf } from '../bench-stack.ts';
import { onDatabase } from './database.ts';

export interface SignedInMember extends Member {
  readonly token: string;
}

/** A token for every member by the whole code flow, a few at a time: signing in is slow by design. */
export async function signInMembers(site: AppliedSite): Promise<SignedInMember[]> {
  const client = site.clients.find(
    ({ audience, client_secret }) => audience === 'member' && client_secret === undefined,
  );
  if (!client) throw new Error(`${site.base_url} has no public member client`);
  const waiting = membersOf(site);
  const signedIn: SignedInMember[] = [];
  const signIn = async (): Promise<void> => {
    for (let member = waiting.shift(); member; member = waiting.shift()) {
      const { access_token } = await mintToken({
        ...client,
        ...member,
        site,
        scope: 'openid profile email account:read',
      });
      signedIn.push({ ...member, token: access_token });
    }
  };
  await Promise.all([signIn(), signIn(), signIn(), signIn()]);
  return signedIn;
}

/** The members travel to the learner context as events. */
export async function untilMembersArrived(databaseUrl: string, members: readonly Member[]): Promise<void> {
  const ids = members.map(({ person_id }) => person_id);
  await onDatabase(databaseUrl, async (client) => {
    for (const until = Date.now() + 60_000; Date.now() < until; await sleep(100)) {
      const { rowCount } = await client.query(
        'SELECT FROM people JOIN memberships USING (person_id) WHERE person_id = ANY($1)',
        [ids],
      );
      if (rowCount === ids.length) return;
    }
    throw new Error('The members did not reach the learner database within a minute');
  });
}
