import { approve, BrowserSession, eventually, postForms } from '@lyceum/testing';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { command } from '../stack/auth-command.js';
import { personOf, systemStack } from '../stack/system-stack.js';
import { graphql } from './http.js';

export const site = systemStack().sites[0]!;
export const student = personOf(site, 'student');

export interface ApplicationClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export const SECRET = 'a-secret-of-the-application-itself';

interface ClientOptions {
  readonly redirectUri: string;
  readonly scope: string;
  /** True: the server accepts a missing `state`, and a missing `resource` at the token request. */
  readonly compatibility?: boolean;
  /** Without a secret: `clientSecret` is empty. */
  readonly isPublic?: boolean;
  readonly postLogoutRedirectUri?: string;
}

/** Registers a member application, as an owner does in the admin area. */
export async function memberApplication(client: ClientOptions): Promise<ApplicationClient> {
  const { redirectUri, scope, compatibility = false, isPublic = false, postLogoutRedirectUri } = client;
  const words = {
    name: 'Of one test',
    audience: 'member',
    'redirect-uri': redirectUri,
    scope,
    confidential: isPublic ? 'no' : 'yes',
    compatibility: compatibility ? 'yes' : 'no',
    ...(postLogoutRedirectUri === undefined ? {} : { 'post-logout-redirect-uri': postLogoutRedirectUri }),
  };
  const options = Object.entries(words).flatMap(([word, value]) => [`--${word}`, value]);
  const { client_id, client_secret = '' } = await command('client', 'create', '--site', site.base_url, ...options);
  return { clientId: String(client_id), clientSecret: String(client_secret) };
}

/** A web application of a school on loopback, with one browser that visits it. */
export class WebApplication {
  private constructor(
    readonly origin: string,
    readonly browser: BrowserSession,
    readonly close: () => Promise<void>,
  ) {}

  /** `make` gets the origin, which the client's redirect URI needs. */
  static async serve(make: (origin: string) => Promise<RequestListener>): Promise<WebApplication> {
    let respond: RequestListener = (_request, response) => void response.writeHead(503).end();
    const server = createServer((request, response) => respond(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    respond = await make(origin);
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return new WebApplication(origin, new BrowserSession({ origin }), close);
  }

  /** Opens a page that redirects to the site, signs the student in, approves, and opens the callback. */
  async signIn(path: string): Promise<string> {
    let page = await this.browser.open(path);
    // A page of the application with a button for the site.
    const form = postForms(page.body)[0];
    if (page.url.origin === this.origin && form !== undefined)
      page = await this.browser.open(new URL(form.action, page.url), form.fields);
    const callback = await approve(page.url, student);
    const signedIn = await this.browser.open(callback);
    return signedIn.body;
  }

  async json<Body>(path: string): Promise<Body> {
    return JSON.parse((await this.browser.open(path)).body) as Body;
  }
}

/** Serves a handler of Fetch API requests, as most frameworks have. */
export function fetchListener(handle: (request: Request) => Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    const respond = async (): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const request = new Request(new URL(incoming.url ?? '/', `http://${incoming.headers.host}`), {
        method: incoming.method ?? 'GET',
        headers: incoming.headers as Record<string, string>,
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      const response = await handle(request);
      const headers = [...response.headers].filter(([name]) => name !== 'set-cookie');
      outgoing.writeHead(response.status, {
        ...Object.fromEntries(headers),
        'set-cookie': response.headers.getSetCookie(),
      });
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    };
    respond().catch((error: unknown) => outgoing.writeHead(500).end(String(error)));
  };
}

/** Reads the member API with the token that an application got. */
export async function viewerEmail(accessToken: string): Promise<string | undefined> {
  const { body } = await graphql<{ viewer: { email: string } }>(site.base_url, accessToken, '{ viewer { email } }');
  return body.data?.viewer.email;
}

/** Waits until the member API refuses a token: resource servers receive revocations by a broadcast. */
export async function isRefused(accessToken: string): Promise<boolean> {
  const query = () => graphql(site.base_url, accessToken, '{ viewer { email } }');
  return (await eventually(query, ({ status }) => status === 401)).status === 401;
}
