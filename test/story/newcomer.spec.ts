import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tokenFor } from '../clients/tokens.js';
import { systemStack } from '../stack/system-stack.js';

const site = systemStack().sites[0]!;
const MOST_CLICKS = 5;
/** Pages that the walk opens. The errors and the recipes have a page each. */
const MOST_PAGES = 250;

interface Visited {
  readonly path: string;
  readonly clicks: number;
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'", '#x27': "'" };
const decoded = (html: string): string =>
  html.replaceAll(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** The text of a page as a reader sees it, without scripts and styles. */
function readable(html: string): string {
  const body = html.replaceAll(/<(script|style)\b[^]*?<\/\1>/g, '');
  return decoded(body.replaceAll(/<[^>]+>/g, ''));
}

/** Links of a page to pages of the site. A browser shows Markdown and JSON as text, which has no links. */
function linksOf(html: string, at: URL): string[] {
  const found = [...html.matchAll(/<a\b[^>]*\bhref="([^"]+)"/g)].map(([, target = '']) => new URL(decoded(target), at));
  return found.filter(({ origin }) => origin === at.origin).map(({ pathname }) => pathname);
}

/** Follows the links from the address of the site, the nearest pages first, without a session. */
async function walk(): Promise<Visited[]> {
  const visited: Visited[] = [];
  const known = new Map([['/', 0]]);
  for (const [path, clicks] of known) {
    const response = await fetch(new URL(path, site.base_url), { headers: { accept: 'text/html,*/*;q=0.8' } });
    const content = await response.text();
    expect([path, response.status]).toEqual([path, 200]);
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
    visited.push({ path, clicks, text: isPage ? readable(content) + fields(content) : content });
    if (!isPage || clicks === MOST_CLICKS) continue;
    for (const link of linksOf(content, new URL(response.url))) if (!known.has(link)) known.set(link, clicks + 1);
    if (known.size > MOST_PAGES) throw new Error(`More than ${MOST_PAGES} pages: ${[...known.keys()].join(' ')}`);
  }
  return visited;
}

/** Names of the fields of forms, which the text does not show. */
const fields = (html: string): string =>
  [...html.matchAll(/<input\b[^>]*\bname="([^"]+)"/g)].map(([, name = '']) => `\nfield:${name}`).join('');

describe('a newcomer who has only the address of a site', () => {
  let pages: readonly Visited[];
  beforeAll(async () => {
    pages = await walk();
  });

  /** The nearest page that contains all of the words. */
  function nearest(...words: readonly string[]): Visited {
    const found = pages.find(({ text }) => words.every((word) => text.includes(word)));
    if (found === undefined) throw new Error(`No page has ${words.join(', ')}`);
    return found;
  }

  const { base_url } = site;
  it.each([
    ['how a program gets a token', 1, ['Authorization Code with PKCE', '/oauth/authorize', 'code_verifier']],
    ['where a person signs in', 1, ['field:email', 'field:password']],
    ['a call of a tool without a token', 0, [`curl -s ${base_url}/mcp`, 'tools/call']],
    ['a call of the operator API', 2, ['/api/v1/courses?limit=5', 'Authorization: Bearer']],
    ['a call of the member API', 2, ['/member/graphql', 'Authorization: Bearer', '"query"']],
    ['a call of the tools with a token', 2, ['/mcp', 'Authorization: Bearer', 'tools/list']],
    ['all operations of the operator API', 2, ['listCourses', 'createCourse']],
    ['the schema of the member API', 1, ['type Query', 'enrolledCourses']],
    ['how to connect an assistant', 1, ['Claude', 'ChatGPT', 'Cursor', 'VS Code', `${base_url}/mcp`]],
    ['how to repeat a change', 2, ['Idempotency-Key', 'Idempotent-Replayed']],
    ['the meaning of an error', 3, ['invalid_cursor', 'What to do']],
  ] as const)('finds %s within %i clicks', (_what, clicks, words) => {
    const found = nearest(...words);
    expect([found.path, found.clicks <= clicks, clicks <= MOST_CLICKS]).toEqual([found.path, true, true]);
  });

  it('gets a response from each surface with the calls of the guide, as they stand', async () => {
    const [TOKEN, MEMBER_TOKEN] = await Promise.all([
      tokenFor('operator', 'openid courses:read'),
      tokenFor('member', 'openid account:read'),
    ]);
    const { text } = nearest('/api/v1/courses?limit=5', 'tools/list', '"query"');
    const calls = text.match(/^curl (?:.*\\\n)*.*$/gm) ?? [];
    const withTokens = calls.filter((call) => call.includes('Authorization: Bearer'));
    expect(withTokens).toHaveLength(3);
    const env = { ...process.env, BASE: base_url, TOKEN, MEMBER_TOKEN };
    const run = promisify(execFile);
    const printed = await Promise.all(withTokens.map(async (call) => (await run('sh', ['-c', call], { env })).stdout));
    const parts = ['"data":[', '"tools":[', '"enrolledCourses":'];
    for (const part of parts) expect(printed.join('\n')).toContain(part);
    expect(printed.join('\n')).not.toMatch(/"code":|"error"/);
  });
});
