import { createHash, randomBytes } from 'node:crypto';
import { approveIn, type Credentials } from './approve.js';
import type { BrowserSession } from './browser-session.js';

/** Null leaves a parameter out. */
export type OAuthParameters = Readonly<Record<string, string | null>>;

interface OAuthClientOptions {
  /** The browser of the person who uses the application. */
  readonly browser: BrowserSession;
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  readonly redirect_uri: string;
  /** Space-separated. */
  readonly scope: string;
  /** RFC 8707; null for none. */
  readonly resource: string | null;
  /** A random one unless given. */
  readonly state?: string;
  /** PKCE (RFC 7636). A random one unless given. */
  readonly verifier?: string;
  /** The path of the authorization endpoint, for another server than auth. */
  readonly authorizePath?: string;
}

/** An application that signs a person in by the authorization code flow with PKCE. Overrides replace parameters. */
export class OAuthClient {
  readonly browser: BrowserSession;
  readonly verifier: string;
  readonly #options: OAuthClientOptions;
  readonly #state: string;

  constructor(options: OAuthClientOptions) {
    this.browser = options.browser;
    this.verifier = options.verifier ?? randomText();
    this.#options = options;
    this.#state = options.state ?? randomText();
  }

  /** The path of an authorization request. */
  authorization(overrides: OAuthParameters = {}): string {
    const { client_id, redirect_uri, scope, resource, authorizePath = '/oauth/authorize' } = this.#options;
    const query = encodedParameters({
      response_type: 'code',
      client_id,
      redirect_uri,
      scope,
      state: this.#state,
      resource,
      code_challenge: s256(this.verifier),
      code_challenge_method: 'S256',
      ...overrides,
    });
    return `${authorizePath}?${query.toString()}`;
  }

  /** Signs in where required and approves. Returns the parameters of the redirect to the application. */
  async callback(person: Credentials, overrides: OAuthParameters = {}): Promise<URLSearchParams> {
    return (await approveIn(this.browser, this.authorization(overrides), person)).searchParams;
  }

  /** Signs in where required and approves. Returns the code for the application. */
  async code(person: Credentials): Promise<string> {
    return this.codeIn(await this.callback(person));
  }

  /**
   * The code in the parameters of the redirect to the application.
   *
   * @throws Error for an error of the server and for the state of another request
   */
  codeIn(callback: URLSearchParams): string {
    const code = callback.get('code');
    if (code === null) throw new Error(`Refused: ${callback.get('error')} (${callback.get('error_description')})`);
    if (callback.get('state') !== this.#state) throw new Error('The callback carries another state than the request');
    return code;
  }

  /** The form that exchanges a code for tokens. */
  exchangeForm(code: string, overrides: OAuthParameters = {}): URLSearchParams {
    const { client_id, client_secret = null, redirect_uri, resource } = this.#options;
    return encodedParameters({
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      client_id,
      client_secret,
      code_verifier: this.verifier,
      resource,
      ...overrides,
    });
  }

  /** The form that exchanges a refresh token for others. */
  refreshForm(refresh_token: string, overrides: OAuthParameters = {}): URLSearchParams {
    const { client_id, client_secret = null } = this.#options;
    return encodedParameters({ grant_type: 'refresh_token', refresh_token, client_id, client_secret, ...overrides });
  }
}

/** An unpredictable value of 256 bits. */
export const randomText = (): string => randomBytes(32).toString('base64url');

/** The code challenge of a verifier. */
export const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export function encodedParameters(given: OAuthParameters): URLSearchParams {
  return new URLSearchParams(Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== null));
}
