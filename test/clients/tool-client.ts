import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { MemoryProvider } from './memory-provider.js';

/** The credentials of an application. Without a `client_id` it registers itself. */
export class ToolClientProvider
  extends MemoryProvider<StoredOAuthClientInformation, StoredOAuthTokens>
  implements OAuthClientProvider
{
  private discovered: OAuthDiscoveryState | undefined;

  /** The SDK checks these callback parameters against the issuer (mix-up attack). */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }
}

type Headers = Readonly<Record<string, string>>;

export interface ToolClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** Connects the MCP SDK client to a site, with a bearer token, an OAuth provider, or anonymously. */
export async function connectTools(
  baseUrl: string,
  { provider, token, headers = {} }: { token?: string; provider?: OAuthClientProvider; headers?: Headers } = {},
): Promise<ToolClient> {
  const authorization: Headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
    ...(provider === undefined ? {} : { authProvider: provider }),
    requestInit: { headers: { ...headers, ...authorization } },
  });
  const client = new Client({ name: 'story', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return { client, transport };
}
