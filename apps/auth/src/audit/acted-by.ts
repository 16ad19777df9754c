import { currentActor } from '@lyceum/platform';

/** The member who changes another one, for the details of the entry. Empty for commands and consumers. */
export function actedBy(): { readonly by?: string } {
  const member = currentActor()?.member_id ?? null;
  return member === null ? {} : { by: member };
}
