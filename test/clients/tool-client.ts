import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** The OAuth provider of an application that was handed a `client_id`: keeps what it gets in memory. */
export class HandedClientProvider implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:7777/callback';
  authorizationUrl: URL | undefined;
  private stored: StoredOAuthTokens | undefined;
  private verifier = '';

  constructor(private readonly client: StoredOAuthClientInformation) {}

  get clientMetadata(): OAuthClientMetadata {
    return { client_name: 'Story client', redirect_uris: [this.redirectUrl], token_endpoint_auth_method: 'none' };
  }
  state(): string {
    return 'state-of-the-story';
  }
  clientInformation(): StoredOAuthClientInformation {
    return this.client;
  }
  tokens(): StoredOAuthTokens | undefined {
    return this.stored;
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.stored = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier(): string {
    return this.verifier;
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
