import { clientGuides, cursorLink, serverNameOf, vsCodeLink } from './clients.policy.js';

const URL_OF_TOOLS = 'https://one.example/mcp';

describe('The configuration of an application', () => {
  it('links to Cursor with the server as JSON in base64', () => {
    const link = new URL(cursorLink('one', URL_OF_TOOLS));
    expect(`${link.protocol}//${link.host}${link.pathname}`).toBe('cursor://anysphere.cursor-deeplink/mcp/install');
    expect(link.searchParams.get('name')).toBe('one');
    const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString();
    expect(JSON.parse(config)).toEqual({ url: URL_OF_TOOLS });
  });

  it('links to VS Code with the server as JSON', () => {
    const [handler, query = ''] = vsCodeLink('one', URL_OF_TOOLS).split('?');
    expect(handler).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(query))).toEqual({ name: 'one', type: 'http', url: URL_OF_TOOLS });
  });

  it.each([
    ['harbour', 'harbour'],
    ['a school; rm -rf', 'a-school-rm-rf'],
    ['学校', 'school'],
    ['night-school', 'night-school'],
    ['', 'school'],
  ])('names the server of the slug %p %p', (slug, name) => {
    expect(serverNameOf({ slug })).toBe(name);
  });

  it('names the endpoint of the site in every text', () => {
    const guides = clientGuides({ base_url: 'https://one.example', slug: 'one' });
    expect(guides.map(({ name }) => name)).toEqual([
      'Claude',
      'ChatGPT',
      'Cursor',
      'VS Code',
      'MCP Inspector',
      'Applications without HTTP',
    ]);
    for (const { copies } of guides) expect(copies.some(({ text }) => text.includes(URL_OF_TOOLS))).toBe(true);
  });

  it('quotes an address for the shell', () => {
    const [claude] = clientGuides({ base_url: "https://o'ne.example", slug: 'one' });
    expect(claude?.copies[0]?.text).toContain(String.raw`'https://o'\''ne.example/mcp'`);
  });
});
