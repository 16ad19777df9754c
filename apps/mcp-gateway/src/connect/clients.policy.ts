import type { Site } from '@lyceum/contracts';
import { say } from '@lyceum/messages';

/** The way to connect one application to the tool endpoint of a site. */
export interface ClientGuide {
  readonly name: string;
  /** Sentences before the texts to copy. */
  readonly steps: readonly string[];
  /** A link that opens the application with the configuration. */
  readonly link?: { readonly href: string; readonly text: string };
  readonly copies: readonly { readonly title: string; readonly text: string }[];
  /** Servers of the vendor connect, so the address must be public. */
  readonly fromItsServers?: true;
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

export const endpointOf = ({ base_url }: Pick<Site, 'base_url'>): string => `${base_url}/mcp`;

/** Applications show it, and some accept letters, digits, hyphens and underscores only. */
export function serverNameOf({ slug }: Pick<Site, 'slug'>): string {
  const name = slug.replaceAll(/\W+/g, '-').replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 40) || 'school';
}

/** https://cursor.com/docs/mcp/install-links: the configuration of one server as JSON in base64. */
export function cursorLink(name: string, url: string): string {
  const config = Buffer.from(JSON.stringify({ url })).toString('base64');
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
}

/** https://code.visualstudio.com/api/extension-guides/ai/mcp, "MCP URL handler": the argument of `--add-mcp`. */
export function vsCodeLink(name: string, url: string): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`;
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function clientGuides(site: Pick<Site, 'base_url' | 'slug'>): readonly ClientGuide[] {
  const url = endpointOf(site);
  const name = serverNameOf(site);
  const server = { type: 'http', url };
  return [
    {
      name: 'Claude',
      steps: [say('connect.claude')],
      copies: [{ title: 'Claude Code', text: `claude mcp add --transport http ${name} ${quoted(url)}` }],
      fromItsServers: true,
    },
    {
      name: 'ChatGPT',
      steps: [say('connect.chatgpt_mode'), say('connect.chatgpt_create')],
      copies: [{ title: 'Codex', text: `codex mcp add ${name} --url ${quoted(url)}` }],
      fromItsServers: true,
    },
    {
      name: 'Cursor',
      steps: [say('connect.add_to_file', { file: '~/.cursor/mcp.json' })],
      link: { href: cursorLink(name, url), text: say('connect.add_to', { name: 'Cursor' }) },
      copies: [{ title: 'mcp.json', text: pretty({ mcpServers: { [name]: { url } } }) }],
    },
    {
      name: 'VS Code',
      steps: [say('connect.add_to_file', { file: '.vscode/mcp.json' })],
      link: { href: vsCodeLink(name, url), text: say('connect.add_to', { name: 'VS Code' }) },
      copies: [
        { title: 'mcp.json', text: pretty({ servers: { [name]: server } }) },
        { title: say('connect.command_line'), text: `code --add-mcp ${quoted(JSON.stringify({ name, ...server }))}` },
      ],
    },
    {
      name: 'MCP Inspector',
      steps: [say('connect.inspector')],
      copies: [
        { title: say('connect.with_browser'), text: 'npx @modelcontextprotocol/inspector' },
        {
          title: say('connect.in_terminal'),
          text: `npx @modelcontextprotocol/inspector --cli ${quoted(url)} --method tools/list`,
        },
      ],
    },
    {
      name: say('connect.without_http'),
      steps: [say('connect.remote')],
      copies: [
        {
          title: say('connect.configuration'),
          text: pretty({ mcpServers: { [name]: { command: 'npx', args: ['-y', 'mcp-remote', url] } } }),
        },
      ],
    },
  ];
}
