import type { DemoClient, DemoPerson } from './demo.js';
import type { Stack } from './stack.js';

/** `.lyceum/demo.json`: the facts of the running demo for programs. */
export interface DemoFacts {
  readonly sites: readonly {
    readonly base_url: string;
    readonly name: string;
    readonly org_id: string;
    readonly people: readonly DemoPerson[];
    readonly clients: readonly Omit<DemoClient, 'name'>[];
  }[];
  /** Every replica of every service. */
  readonly services: readonly { readonly name: string; readonly internal_url: string; readonly pid: number }[];
}

export function demoFacts({ sites, services }: Pick<Stack, 'sites' | 'services'>): DemoFacts {
  return {
    sites: sites.map((site) => ({
      base_url: site.base_url,
      name: site.name,
      org_id: site.org_id,
      people: site.people.map(({ email, password, name, roles }) => ({ email, password, name, roles })),
      clients: site.clients.map(({ client_id, client_secret, audience, redirect_uris, scopes }) => ({
        client_id,
        ...(client_secret === undefined ? {} : { client_secret }),
        audience,
        redirect_uris,
        scopes,
      })),
    })),
    services: services.flatMap(({ name, internalUrl, pid }) =>
      pid === undefined ? [] : [{ name, internal_url: internalUrl, pid }],
    ),
  };
}

/** The text at the end of `npm start`. */
export function demoTable({ sites }: DemoFacts): string {
  const people = sites.flatMap(({ base_url, people }) =>
    people.map(({ email, password, roles }) => [base_url, email, password, roles.join(', ')]),
  );
  const clients = sites.flatMap(({ base_url, clients }) =>
    clients.map(({ client_id, client_secret, audience }) => [
      base_url,
      audience,
      client_id,
      client_secret ?? '(public)',
    ]),
  );
  const redirects = [...new Set(sites.flatMap((site) => site.clients.flatMap((client) => client.redirect_uris)))];
  return [
    section(
      'Sites (two origins: a token of one is nothing at the other)',
      sites.map(({ base_url, name, org_id }) => [base_url, name, `org_id ${org_id}`]),
    ),
    section('People (fixed passwords: everything listens on this machine only)', people, [
      'site',
      'e-mail',
      'password',
      'roles',
    ]),
    section(`Clients (redirect URI ${redirects.join(', ')})`, clients, [
      'site',
      'audience',
      'client_id',
      'client_secret',
    ]),
    section(
      'Try',
      commands(sites[0]?.base_url ?? '').map((command) => [command]),
    ),
  ].join('\n');
}

function commands(base: string): string[] {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'browse_catalog', arguments: {} } };
  return [
    `curl -s ${base}/.well-known/oauth-authorization-server`,
    `curl -s ${base}/mcp -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '${JSON.stringify(call)}'`,
    `curl -s ${base}/auth.md`,
  ];
}

function section(title: string, rows: readonly (readonly string[])[], head?: readonly string[]): string {
  const all = head ? [head, ...rows] : rows;
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map(
    (row) =>
      `  ${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
  );
  return `${title}\n${lines.join('')}`;
}
