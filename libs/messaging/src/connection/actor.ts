import { SYSTEM_ACTOR } from '@lyceum/contracts';
import type { EventActor, Principal } from '@lyceum/contracts';
import { actAs, currentActor, currentRequest } from '@lyceum/platform';
import type { Actor } from '@lyceum/platform';

/** Names the person and client of a token as the actor of the running request. */
export function actAsPrincipal({ site_id, member_id, client_id }: Principal, via: Actor['via']): void {
  actAs({ site_id, member_id, client_id, via });
}

/** Names a program, which acts for no person, as the actor of the running request: by its NATS account. */
export function actAsProgram(account: string | undefined): void {
  actAs({ site_id: null, member_id: null, client_id: account ?? null, via: 'command' });
}

/** The actor of a change at a site. The member id is left out at other sites, where it identifies no one. */
export function eventActor(siteId: string | null): EventActor {
  const actor = currentActor();
  const request_id = currentRequest()?.requestId ?? null;
  if (actor === undefined) return { ...SYSTEM_ACTOR, request_id };
  const isHere = siteId === null || actor.site_id === siteId;
  return { member_id: isHere ? actor.member_id : null, client_id: actor.client_id, via: actor.via, request_id };
}
