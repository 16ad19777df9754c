import { readFileSync } from 'node:fs';
import type { ProgramName, ServiceName } from '@lyceum/contracts';

/** The shared stack of a test run: `.lyceum/demo.json` and a little more. */
export interface SystemStack {
  readonly sites: readonly SystemSite[];
  readonly services: readonly SystemService[];
  /**
   * The environment of each service, and of a storefront: to start replicas, run commands and age rows in its database.
   */
  readonly environments: Readonly<Record<ServiceName | ProgramName, Readonly<Record<string, string>>>>;
  /** The NATS user that may publish and subscribe to everything. */
  readonly nats_admin: { readonly user: string; readonly password: string };
  /** The address of the process that runs commands of auth. */
  readonly auth_commands: string;
}

export interface SystemService {
  readonly name: ServiceName;
  readonly internal_url: string;
  readonly management_url: string;
  readonly log_file: string;
  readonly pid: number;
}
export interface SystemSite {
  readonly site_id: string;
  readonly base_url: string;
  readonly name: string;
  readonly org_id: string;
  readonly people: readonly SystemPerson[];
  readonly clients: readonly SystemClient[];
}
export interface SystemPerson {
  readonly person_id: string;
  readonly member_id: string;
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly roles: readonly string[];
}
export interface SystemClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly audience: 'member' | 'operator';
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
}

/** The path of a JSON file with the `SystemStack`, set by Jest's global setup. */
export const STACK_VARIABLE = 'LYCEUM_TEST_STACK';

export function systemStack(): SystemStack {
  const path = process.env[STACK_VARIABLE];
  if (path === undefined)
    throw new Error(`${STACK_VARIABLE} is not set: run the suite through Jest with its global setup`);
  return JSON.parse(readFileSync(path, 'utf8')) as SystemStack;
}

/** The first person whose highest role is `role`. */
export function personOf(site: SystemSite, role: string): SystemPerson {
  const person = site.people.find(({ roles }) => roles[0] === role);
  if (person === undefined) throw new Error(`${site.base_url} has no ${role}`);
  return person;
}

export function clientOf(
  site: SystemSite,
  audience: 'member' | 'operator',
  kind: 'public' | 'confidential',
): SystemClient {
  const client = site.clients.find(
    (candidate) => candidate.audience === audience && (candidate.client_secret === undefined) === (kind === 'public'),
  );
  if (client === undefined) throw new Error(`${site.base_url} has no ${kind} ${audience} client`);
  return client;
}
