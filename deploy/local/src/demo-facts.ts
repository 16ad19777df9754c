import type { DemoClient } from './demo-clients.js';
import type { DemoPerson } from './demo.js';
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

/** The facts that `npm run token` reads unless it gets another file. */
const TOKEN_FACTS = '.lyceum/demo.json';

/**
 * The text at the end of `npm start`.
 *
 * @param file The file with the facts, which `npm run token` reads. Without it the text names no commands for tokens.
 */
export function demoTable({ sites }: DemoFacts, file?: string): string {
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
    ...sites.slice(0, 1).map((site) => section('Open', pages(site))),
    ...(file === undefined ? [] : sites.slice(0, 1).flatMap((site) => tokenSections(site, file))),
  ].join('\n');
}

type Site = DemoFacts['sites'][number];

const addressOf = ({ people }: Site, role: DemoPerson['roles'][number]): string =>
  people.find(({ roles }) => roles.includes(role))?.email ?? role;

/** Addresses for a browser, and the document that explains tokens to programs. */
function pages(site: Site): string[][] {
  return [
    ['/', 'front page'],
    ['/docs', 'reference and guides for developers'],
    ['/account', `own pages of a member: sign in as ${addressOf(site, 'student')}`],
    ['/admin', `admin area of the site: sign in as ${addressOf(site, 'owner')}`],
    ['/-/mails', 'sent mails'],
    ['/auth.md', 'how a client of your own gets tokens'],
  ].map(([path, content]) => [`${site.base_url}${path}`, content!]);
}

function tokenSections(site: Site, file: string): string[] {
  const command = (...options: readonly string[]): string => {
    const all = [...(file === TOKEN_FACTS ? [] : ['--demo', file]), ...options];
    return ['npm run -s token', ...(all.length === 0 ? [] : ['--', ...all])].join(' ');
  };
  const operator = command('--audience', 'operator');
  return [
    section('Tokens (in another terminal)', [
      [command(), `member API and tools, as ${addressOf(site, 'student')}`],
      [operator, `operator API and tools, as ${addressOf(site, 'owner')}`],
    ]),
    section('Try', [[`curl -s ${site.base_url}/api/v1/courses -H "Authorization: Bearer $(${operator})"`]]),
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
