import type { ServiceName } from '@lyceum/contracts';
import type { AppliedSite, DatabaseName } from '@lyceum/local';
import { readFileSync } from 'node:fs';

/**
 * Name of the variable with the file that describes the running infrastructure. Set by Jest's global setup, or by a
 * process that keeps one infrastructure for many suites.
 */
export const INFRASTRUCTURE_VARIABLE = 'LYCEUM_TEST_INFRASTRUCTURE';

export interface TestSite extends AppliedSite {
  /** `host[:port]` of `base_url`: the Host header of the site. */
  readonly host: string;
}

export interface TestAuth {
  /** Address of auth. Equal to the `base_url` of one of the sites; the other differs by its host name. */
  readonly url: string;
  readonly sites: readonly TestSite[];
}

/** Content of the file. */
export interface InfrastructureFacts {
  readonly directory: string;
  readonly postgres: { readonly adminUrl: string; readonly urls: Readonly<Record<DatabaseName, string>> };
  readonly nats: {
    readonly url: string;
    /** Passwords by user name: the services', with the permissions of production, and the unrestricted `admin`. */
    readonly passwords: Readonly<Record<string, string>>;
  };
  /** Complete environments of the services, as in production. PORT and MANAGEMENT_PORT are 0. */
  readonly environments: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;
  readonly auth: TestAuth | { readonly unavailable: string };
}

export interface Infrastructure extends Omit<InfrastructureFacts, 'auth'> {
  /** Introspection endpoint, and the secret of each resource server. Throws when auth does not run. */
  readonly introspection: { readonly url: string; readonly clients: Readonly<Record<string, string>> };
  /** The running auth service. Throws with the reason when it does not run. */
  readonly auth: TestAuth;
  readonly sites: readonly TestSite[];
  /** The gateway's private key, for `signedCall`. */
  readonly callSigningKey: string;
}

/**
 * The infrastructure of this test run: PostgreSQL, NATS and, if the suite requested it, auth with the two demo sites.
 */
export function testInfrastructure(): Promise<Infrastructure> {
  return Promise.resolve(readInfrastructure());
}

export function readInfrastructure(): Infrastructure {
  const file = process.env[INFRASTRUCTURE_VARIABLE];
  if (!file) {
    throw new Error(
      'No test infrastructure runs. Add `...infrastructure()` of @lyceum/testing/jest to the Jest configuration.',
    );
  }
  const facts = JSON.parse(readFileSync(file, 'utf8')) as InfrastructureFacts;
  const auth = (): TestAuth => {
    if ('unavailable' in facts.auth) throw new Error(`No auth runs for these tests: ${facts.auth.unavailable}`);
    return facts.auth;
  };
  return {
    ...facts,
    get auth() {
      return auth();
    },
    get sites() {
      return auth().sites;
    },
    get callSigningKey() {
      return facts.environments['mcp-gateway']['CALL_SIGNING_KEY'] ?? '';
    },
    get introspection() {
      const clients = JSON.parse(facts.environments.auth['RESOURCE_SERVERS'] ?? '{}') as Record<string, string>;
      return { url: `${auth().url}/api/oauth/introspect`, clients };
    },
  };
}
