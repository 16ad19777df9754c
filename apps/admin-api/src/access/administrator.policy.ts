import type { Caller } from '@lyceum/collections';
import { isAdministrator } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

/** True for owners and admins, and for work of the service on behalf of the site: consumers, commands, public pages. */
export function actsForSite({ roles }: Pick<Caller, 'roles'>): boolean {
  return roles === undefined || isAdministrator({ roles });
}

/** @throws `forbidden` */
export function requireAdministrator(caller: Pick<Caller, 'roles'>, to: string): void {
  if (!actsForSite(caller)) throw new ApiError('forbidden', `Only owners and admins of the site can ${to}`);
}

/** The fence of rows that teachers neither read nor change. @throws `forbidden` */
export function forAdministrators(to: string): (caller: Pick<Caller, 'roles'>) => undefined {
  return (caller) => {
    requireAdministrator(caller, to);
    return undefined;
  };
}
