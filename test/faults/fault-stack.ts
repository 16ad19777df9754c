import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@lyceum/contracts';
import { type Stack, startStack } from '@lyceum/local';
import { PATIENT_SETTINGS, eventually, mintToken } from '@lyceum/testing';
import { graphql, send } from '../clients/http.ts';
import { clientOf, personOf, type SystemSite } from '../stack/system-stack.ts';

/** A separate stack, for tests that break parts of it. */
export interface FaultStack {
  readonly stack: Stack;
  /** Data, secrets, mails and logs of the stack. */
  readonly directory: string;
  /** Changes variables of a service from its next start on. */
  set(service: ServiceName, variables: Readonly<Record<string, string>>): void;
  /** A new token of the first person with this role. */
  mint(role: string, audience: 'operator' | 'member', scope: string): Promise<string>;
  readonly site: SystemSite;
  /** A new token of the site's owner, for the operator API. */
  operatorToken(): Promise<string>;
  /** A new token of the site's first student, for the member API. */
  memberToken(): Promise<string>;
  /** … with the client that may revoke it. */
  memberTokens(): Promise<{ access_token: string; client_id: string }>;
  stop(): Promise<void>;
}

/** @param filled True brings the content of the demo, which takes more than half of the time. */
export async function startFaultStack(filled = false): Promise<FaultStack> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-fault-'));
  const settings: Partial<Record<ServiceName, Readonly<Record<string, string>>>> = {
    auth: PATIENT_SETTINGS,
    'admin-api': PATIENT_SETTINGS,
    // A test that waits for events sends more requests than a member may.
    'member-api': { ...PATIENT_SETTINGS, RATE_LIMIT_POINTS: '100000' },
    'mcp-gateway': PATIENT_SETTINGS,
  };
  const stack = await startStack({ directory, durable: false, filled, settings });
  const site = stack.sites[0]!;
  const mint = async (role: string, audience: 'operator' | 'member', scope: string): Promise<string> =>
    (await mintToken({ site, ...personOf(site, role), ...clientOf(site, audience, 'public'), scope })).access_token;
  const operatorToken = (): Promise<string> =>
    mint('owner', 'operator', 'openid courses:read courses:write students:read students:write');
  const memberToken = (): Promise<string> => mint('student', 'member', 'openid account:read account:write');
  // The content would have waited for the people.
  if (!filled) await untilKnown(site, await operatorToken(), await memberToken());
  return {
    stack,
    directory,
    set: (service, variables) => (settings[service] = { ...settings[service], ...variables }),
    mint,
    site,
    operatorToken,
    memberToken,
    memberTokens: async () => ({
      access_token: await mint('student', 'member', 'openid account:read'),
      client_id: clientOf(site, 'member', 'public').client_id,
    }),
    stop: async () => {
      await stack.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Waits until the events of auth have made the student known to the school and to the member API. */
async function untilKnown(site: SystemSite, operator: string, member: string): Promise<void> {
  const { email } = personOf(site, 'student');
  const path = `/api/v1/students?email=${encodeURIComponent(email)}`;
  await eventually(
    () => send<{ data: readonly unknown[] }>(`${site.base_url}${path}`, { token: operator }),
    ({ body }) => body.data.length === 1,
  );
  await eventually(
    () => graphql<{ viewer: object | null }>(site.base_url, member, '{ viewer { name } }'),
    ({ body }) => (body.data?.viewer ?? null) !== null,
  );
}
