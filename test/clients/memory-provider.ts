/**
 * The OAuth provider of an MCP client for both major versions of the SDK. Stores everything in memory; the test visits
 * the authorization URL. Without a client it registers one (RFC 7591).
 */
export class MemoryProvider<Client extends { client_id: string }, Tokens extends object> {
  readonly redirectUrl = 'http://127.0.0.1:7777/callback';
  authorizationUrl: URL | undefined;
  private stored: Tokens | undefined;
  private verifier = '';

  constructor(private client?: Client) {}

  get clientMetadata() {
    return { client_name: 'Real client', redirect_uris: [this.redirectUrl], token_endpoint_auth_method: 'none' };
  }
  state(): string {
    return 'state-of-the-client';
  }
  clientInformation(): Client | undefined {
    return this.client;
  }
  saveClientInformation(client: Client): void {
    this.client = client;
  }
  tokens(): Tokens | undefined {
    return this.stored;
  }
  saveTokens(tokens: Tokens): void {
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
