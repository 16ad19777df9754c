import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { type DemoDefinition, demoDefinition, startStack, type Stack, type StackService } from '@lyceum/local';
import { PATIENT_SETTINGS, eventually, mintToken, type TokenSet } from '@lyceum/testing';
import { graphql, type JsonResponse, send } from '../clients/http.ts';
import { clientOf, personOf, type SystemSite } from '../stack/system-stack.ts';

export const OPERATOR_SCOPE = 'openid courses:read courses:write students:read';
export const MEMBER_SCOPE = 'openid account:read';

type Settings = Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;

/** The load is one member and one anonymous source, which send more than the limits. */
const RAISED: Settings = {
  auth: {},
  'admin-api': {},
  'member-api': { RATE_LIMIT_POINTS: '1000000' },
  'mcp-gateway': { ANONYMOUS_MESSAGES: '100000' },
};

/** A separate stack with two replicas of each service. */
export class ScaleStack {
  readonly stack: Stack;
  readonly site: SystemSite;

  readonly #settings: Partial<Record<ServiceName, Readonly<Record<string, string>>>>;

  private constructor(stack: Stack, settings: Partial<Record<ServiceName, Readonly<Record<string, string>>>>) {
    this.#settings = settings;
    const [site] = stack.sites;
    if (site === undefined) throw new Error('The demo has no site');
    this.stack = stack;
    this.site = site;
  }

  /**
   * @param root The folder of the release; this repository unless given.
   * @param given Variables of the services.
   */
  static async start(directory: string, root?: string, given?: Settings): Promise<ScaleStack> {
    mkdirSync(directory, { recursive: true });
    const settings = Object.fromEntries(
      SERVICES.map((name) => [name, { ...PATIENT_SETTINGS, ...RAISED[name], ...given?.[name] }]),
    );
    const stack = await startStack({
      directory,
      durable: false,
      filled: false,
      replicas: Object.fromEntries(SERVICES.map((name) => [name, 2])),
      settings,
      ...(root === undefined ? {} : { root, demo: await demoOf(root) }),
    });
    const scale = new ScaleStack(stack, settings);
    try {
      await scale.#untilKnown();
      return scale;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  replicas(name: ServiceName): readonly [StackService, StackService] {
    const [first, second] = this.stack.services.filter((one) => one.name === name);
    if (first === undefined || second === undefined) throw new Error(`${name} has no two replicas`);
    return [first, second];
  }

  /** Replica 1 or 2 of each service. */
  every(replica: 1 | 2): readonly StackService[] {
    return SERVICES.map((name) => this.replicas(name)[replica - 1]!);
  }

  /** Changes variables of the services from their next start on. */
  set(variables: Settings): void {
    for (const name of SERVICES) this.#settings[name] = { ...this.#settings[name], ...variables[name] };
  }

  /** Exchanges a refresh token of the public client of the member API. */
  refresh(refresh_token: string): Promise<JsonResponse<{ readonly refresh_token?: string }>> {
    const { client_id } = clientOf(this.site, 'member', 'public');
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id });
    return fetch(`${this.site.base_url}/api/oauth/token`, { method: 'POST', body }).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as { refresh_token?: string },
    }));
  }

  /** A new grant of the first person with this role, and its tokens. */
  grant(role: string, audience: 'member' | 'operator', scope: string): Promise<TokenSet> {
    const { site } = this;
    return mintToken({ site, ...personOf(site, role), ...clientOf(site, audience, 'public'), scope });
  }

  /** Sentences about shutdowns that cut requests off. */
  shutdownFaults(): string[] {
    return this.stack.services.flatMap(({ name, replica, logFile }) =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => /were cut off|did not end in time|stopping failed/.test(line))
        .map((line) => `${name} ${replica}: ${line}`),
    );
  }

  stop(): Promise<void> {
    return this.stack.stop();
  }

  /** Waits until the events of auth have made the people known to the school and to the member API. */
  async #untilKnown(): Promise<void> {
    const { base_url } = this.site;
    const [operator, member] = await Promise.all([
      this.grant('owner', 'operator', OPERATOR_SCOPE),
      this.grant('student', 'member', MEMBER_SCOPE),
    ]);
    await eventually(
      () => send<{ data?: readonly unknown[] }>(`${base_url}/api/v1/courses`, { token: operator.access_token }),
      ({ status }) => status === 200,
    );
    await eventually(
      () => graphql<{ viewer: object | null }>(base_url, member.access_token, '{ viewer { name } }'),
      ({ body }) => (body.data?.viewer ?? null) !== null,
    );
  }
}

/** The demo for a former release, which refuses clients with scopes that it does not know. */
async function demoOf(root: string): Promise<(edgePort: number) => DemoDefinition> {
  const contracts = pathToFileURL(join(root, 'libs/contracts/dist/index.js')).href;
  const { SCOPE_NAMES } = (await import(contracts)) as { readonly SCOPE_NAMES: readonly string[] };
  return (edgePort) => withScopes(demoDefinition(edgePort), new Set(SCOPE_NAMES));
}

/** The demo without the scopes that are not known, and without the clients that have no other. */
export function withScopes(demo: DemoDefinition, known: ReadonlySet<string>): DemoDefinition {
  const sites = demo.sites.map((site) => ({
    ...site,
    clients: site.clients
      .map((client) => ({ ...client, scopes: client.scopes.filter((scope) => known.has(scope)) }))
      .filter(({ scopes }) => scopes.length > 0),
  }));
  return { ...demo, sites };
}
