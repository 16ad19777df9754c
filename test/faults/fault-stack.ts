import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '@lyceum/local';
import { mintToken } from '@lyceum/testing';
import { clientOf, personOf, type SystemSite } from '../stack/system-stack.js';

/** A separate stack, for tests that break parts of it. */
export interface FaultStack {
  readonly stack: Stack;
  readonly site: SystemSite;
  /** A new token of the site's owner, for the operator API. */
  operatorToken(): Promise<string>;
  /** A new token of the site's first student, for the member API. */
  memberToken(): Promise<string>;
  /** … with the client that may revoke it. */
  memberTokens(): Promise<{ access_token: string; client_id: string }>;
  stop(): Promise<void>;
}

export async function startFaultStack(): Promise<FaultStack> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-fault-'));
  const stack = await startStack({
    directory,
    durable: false,
    // A test that waits for events sends more requests than a member may.
    settings: { 'member-api': { RATE_LIMIT_POINTS: '100000' } },
  });
  const site = stack.sites[0]!;
  const mint = async (role: string, audience: 'operator' | 'member', scope: string): Promise<string> =>
    (await mintToken({ site, ...personOf(site, role), ...clientOf(site, audience, 'public'), scope })).access_token;
  return {
    stack,
    site,
    operatorToken: () => mint('owner', 'operator', 'openid courses:read courses:write students:read students:write'),
    memberToken: () => mint('student', 'member', 'openid account:read account:write'),
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
