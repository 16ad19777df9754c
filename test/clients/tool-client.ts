import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { MemoryProvider } from './memory-provider.js';

/** Of an application that was handed a `client_id`, or registers itself when it was not. */
export class ToolClientProvider
  extends MemoryProvider<StoredOAuthClientInformation, StoredOAuthTokens>
  implements OAuthClientProvider
{
  private discovered: OAuthDiscoveryState | undefined;

  /** With these the SDK holds the answer against the issuer that it asked (mix-up). */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }
}

export interface ToolClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** Connects the MCP SDK client to a site, with a bearer token, an OAuth provider, or as nobody. */
export async function connectTools(
  baseUrl: string,
  caller: { token?: string; provider?: OAuthClientProvider } = {},
): Promise<ToolClient> {
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
    ...(caller.provider === undefined ? {} : { authProvider: caller.provider }),
    ...(caller.token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${caller.token}` } } }),
  });
  const client = new Client({ name: 'story', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return { client, transport };
}
