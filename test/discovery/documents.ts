import { rawHttp, site, type ApiResponse } from '../security/oauth/attack.js';

export const METADATA = '/.well-known/oauth-authorization-server';
export const OPENID = '/.well-known/openid-configuration';
export const RESOURCE = '/.well-known/oauth-protected-resource';
export const JWKS = '/.well-known/jwks.json';
export const API_CATALOG = '/.well-known/api-catalog';
export const GUIDE = '/auth.md';
export const AGENT_INDEX = '/llms.txt';
/** The resources that have metadata (RFC 9728 §3.1), by the path after the well-known one. */
export const RESOURCES = ['', '/mcp', '/member/graphql', '/api/v1'] as const;
/** The documents of the site for programs. */
export const DOCUMENTS = [
  METADATA,
  OPENID,
  JWKS,
  API_CATALOG,
  GUIDE,
  AGENT_INDEX,
  ...RESOURCES.map((path) => `${RESOURCE}${path}`),
];

/** Statements of the documents, by the name of their proof. */
export type Facts = ReadonlyMap<string, string>;

/** Each chapter has a file of proofs: `<chapter>.spec.ts`. */
export const CHAPTERS = [
  'capabilities',
  'claims',
  'clients',
  'endpoints',
  'errors',
  'keys',
  'lifetimes',
  'limits',
  'protected-resources',
  'requests',
  'scopes',
  'unsupported',
  'use',
] as const;
export type Chapter = (typeof CHAPTERS)[number];

type Json = Readonly<Record<string, unknown>>;

/** Fetched through the edge. */
export function fetched(path: string): Promise<ApiResponse> {
  return rawHttp(site.base_url, path, { headers: { host: new URL(site.base_url).host } });
}

const CHAPTER_OF_MEMBER: Readonly<Record<string, Chapter>> = {
  scopes_supported: 'scopes',
  claims_supported: 'claims',
  registration_policy: 'clients',
  issuer: 'endpoints',
  jwks_uri: 'endpoints',
  service_documentation: 'endpoints',
  protected_resources: 'endpoints',
};

function chapterOf(member: string): Chapter {
  return CHAPTER_OF_MEMBER[member] ?? (member.endsWith('_endpoint') ? 'endpoints' : 'capabilities');
}

/** The leaves of a value: each member of a list separately. */
function leaves(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.map((item) => [`${name}: ${String(item)}`, String(item)]);
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([member, inner]) => leaves(`${name}.${member}`, inner));
}

/** The text below a heading of the guide, up to the next one. */
function section(guide: string, title: string): string {
  const [, text] = guide.split(`\n## ${title}\n`);
  if (text === undefined) throw new Error(`auth.md has no section ${title}`);
  return text.split('\n## ', 1)[0]!;
}

export const sectionTitles = (guide: string): string[] => [...guide.matchAll(/^## (.+)$/gm)].map(([, title]) => title!);

const spans = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span!);
const bullets = (text: string): string[] => [...text.matchAll(/^- (.+)$/gm)].map(([, bullet]) => bullet!);

/** The rows of one table of a section, counted from 0, or of all tables. */
function rows(text: string, table?: number): string[][] {
  const tables = text.split(/\n(?!\|)/).filter((block) => block.startsWith('|') || block.includes('\n|'));
  const chosen = table === undefined ? tables : [tables[table] ?? ''];
  return chosen.flatMap((block) =>
    block
      .split('\n')
      .filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
      .slice(1)
      .map((line) => line.slice(2, -2).split(' | ')),
  );
}

const plain = (cell: string): string => cell.replaceAll('`', '');

function guideFacts(guide: string): [Chapter, string, string][] {
  const of = (chapter: Chapter, name: string, value: string): [Chapter, string, string] => [chapter, name, value];
  const table = (chapter: Chapter, title: string, which?: number) =>
    rows(section(guide, title), which).map(([name = '', value = '']) => of(chapter, `auth.md ${plain(name)}`, value));
  const inText = (chapter: Chapter, title: string) =>
    spans(section(guide, title))
      .filter((span) => !/^((GET|POST) )?http/.test(span))
      .map((span) => span.replace(site.base_url, '{base_url}'))
      .map((span) => of(chapter, `auth.md ${title}: ${span}`, span));
  const inBullets = (chapter: Chapter, title: string) =>
    bullets(section(guide, title)).map((bullet) =>
      of(chapter, `auth.md ${/^\*\*(.+?)\*\*/.exec(bullet)?.[1]}`, bullet),
    );
  const addresses = [
    ...new Set(spans(guide).flatMap((span) => (URL.canParse(span.replace(/^(GET|POST) /, '')) ? [span] : []))),
  ]
    .filter((span) => span.includes(site.base_url))
    .map((span) => of('endpoints', `auth.md ${span.replace(site.base_url, '') || '{base_url}'}`, span));
  return [
    ...table('scopes', 'Scopes'),
    ...table('lifetimes', 'Limits', 0),
    ...table('limits', 'Limits', 1),
    ...table('errors', 'Errors'),
    ...table('unsupported', 'Not supported'),
    ...inBullets('clients', 'Audiences'),
    ...inBullets('clients', 'Get a client'),
    ...bullets(section(guide, 'Use')).map((bullet) => of('use', `auth.md ${bullet.split(':', 1)[0]}`, bullet)),
    ...['Authorize', 'Exchange', 'Refresh', 'Revoke'].flatMap((title) => inText('requests', title)),
    ...inText('claims', 'Identity'),
    ...addresses,
  ];
}

/** Fetches and parses all documents. Returns the statements of the chapter. */
export async function factsOf(chapter: Chapter): Promise<Facts> {
  const [metadata, jwks, guide, ...resources] = await Promise.all(
    [METADATA, JWKS, GUIDE, ...RESOURCES.map((path) => `${RESOURCE}${path}`)].map(fetched),
  );
  const all: [Chapter, string, string][] = [
    ...Object.entries(metadata!.body).flatMap(([member, value]) =>
      leaves(member, value).map(([name, leaf]): [Chapter, string, string] => [chapterOf(member), name, leaf]),
    ),
    ...(jwks!.body['keys'] as Json[]).flatMap((key) =>
      Object.entries(key).map(([member, value]): [Chapter, string, string] => ['keys', member, String(value)]),
    ),
    ...resources.flatMap(({ body }, index) =>
      Object.entries(body).map(([member, value]): [Chapter, string, string] => [
        'protected-resources',
        `${RESOURCES[index]} ${member}`.trim(),
        JSON.stringify(value),
      ]),
    ),
    ...guideFacts(guide!.text),
  ];
  return new Map(all.filter(([of]) => of === chapter).map(([, name, value]) => [name, value]));
}
