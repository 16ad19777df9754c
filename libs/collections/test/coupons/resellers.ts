import type { Principal } from '@lyceum/contracts';

/** Resellers see what they created. */
export const fenceOfResellers = ({ client_id, person_id }: Partial<Principal>) =>
  client_id?.startsWith('reseller') === true ? { condition: 'created_by = ?', value: person_id } : undefined;
