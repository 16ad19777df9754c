/** A vendor's platform: one client for the whole deployment, found by its registered name. */
export interface Platform {
  readonly client_id: string;
  readonly name: string;
  /** Further registered names. Names are compared byte by byte: a look-alike is another name. */
  readonly aliases: readonly string[];
  readonly redirect_uris: readonly string[];
}

/**
 * Platforms that may register by name, with their redirect URIs and the source that publishes them. The list has
 * published and complete URIs only: the owner of a listed URI gets codes under the platform's name. A platform without
 * a known URI (Windsurf registers from loopback; Lovable and Bolt publish none) can be added here later, or use another
 * way to a client.
 */
export const PLATFORMS: readonly Platform[] = [
  {
    // support.claude.com "Building custom connectors via remote MCP servers": both URIs, name "Claude".
    client_id: 'claude',
    name: 'Claude',
    aliases: ['Claude.ai'],
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  },
  {
    // developers.openai.com/apps-sdk "Authentication": the URI for servers that send `iss` (RFC 9207), as this one. A
    // part of the older URI differs for each connector, so only a document can contain it.
    client_id: 'chatgpt',
    name: 'ChatGPT',
    aliases: [],
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  },
  {
    // cursor.com/docs/mcp: the web and its agents, and the desktop application by loopback and, formerly, by its
    // scheme.
    client_id: 'cursor',
    name: 'Cursor',
    aliases: [],
    redirect_uris: [
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ],
  },
  {
    // code.visualstudio.com/api/extension-guides/ai/mcp, and microsoft/vscode src/vs/base/common/oauth.ts, which sends
    // all at once (older versions also those of localhost).
    client_id: 'vscode',
    name: 'VS Code',
    aliases: ['Visual Studio Code', 'Visual Studio Code - Insiders'],
    redirect_uris: [
      'https://vscode.dev/redirect',
      'https://insiders.vscode.dev/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
      'http://localhost/',
      'http://localhost:33418/',
    ],
  },
  {
    // docs.replit.com "Managing connectors".
    client_id: 'replit',
    name: 'Replit',
    aliases: [],
    redirect_uris: ['https://replit.com/connectors/oauth/callback'],
  },
];

/** Hosts of the platforms. A site accepts client metadata documents from them until an admin changes the list. */
export const PLATFORM_HOSTS: readonly string[] = [
  ...new Set(
    PLATFORMS.flatMap(({ redirect_uris }) => redirect_uris.map((uri) => new URL(uri)))
      .filter(({ protocol }) => protocol === 'https:')
      .map(({ hostname }) => hostname),
  ),
];
