import { OPERATOR_SCOPES } from '@lyceum/contracts';
import { demoDefinition, mintToken } from '@lyceum/local';
import { send } from '../clients/http.js';
import { clientOf, personOf, systemStack } from './system-stack.js';

const [applied] = systemStack().sites;

/** The first school of the demo. */
export const site = demoDefinition(Number(new URL(applied!.base_url).port)).sites[0]!;
export const api = `${site.base_url}/api/v1`;

let minted: Promise<string> | undefined;

/** A token of the owner with all scopes of operators, minted once. */
export function ownerToken(): Promise<string> {
  const client = clientOf(applied!, 'operator', 'public');
  const asked = { site, ...personOf(applied!, 'owner'), ...client, scope: OPERATOR_SCOPES.join(' ') };
  return (minted ??= mintToken(asked).then(({ access_token }) => access_token));
}

export async function read<Item>(path: string): Promise<Item[]> {
  return (await send<{ data: Item[] }>(`${api}${path}`, { token: await ownerToken() })).body.data;
}

export async function studentOf(external_id: string) {
  const path = `/students?external_id=${external_id}`;
  return (await read<{ id: string; email: string; member_id: string | null }>(path))[0];
}
