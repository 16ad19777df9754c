import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { BearerAuthenticator, bearerToken } from '@lyceum/resource-server';
import { foreignAudience, scopesOfCall, toolAccess } from '@lyceum/contracts';
import type { ScopedTool, Site, ToolDescription } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Catalogue } from '#src/catalogue/catalogue.service.js';
import { RateLimits } from '#src/limits/rate-limits.service.js';
import { checkHeaders, readMessage } from './message.policy.js';
import type { Message } from './message.policy.js';
import { isAllowedOrigin } from './origin.policy.js';

export const MCP_PATH = '/mcp';

/** One request on its way through the gate. */
interface Passage {
  readonly request: FastifyRequest;
  readonly site: Site;
  message: Message | undefined;
}

type Step = (passage: Passage) => void | Promise<void>;

/**
 * Everything that stands before the tool protocol, in the order in which it is asked. Each step refuses by throwing: an
 * `ApiError`, or a `MessageRefusal` where an MCP client expects a JSON-RPC error. The host was checked already (`useSites`).
 */
@Injectable()
export class Gate {
  /** Asked before the body is read. */
  readonly arrival: readonly (readonly [name: string, step: Step])[] = [
    ['origin', (passage) => this.#origin(passage)],
    ['token', (passage) => this.#token(passage)],
    ['method', (passage) => this.#method(passage)],
  ];

  /** Asked of the message. */
  readonly admission: readonly (readonly [name: string, step: Step])[] = [
    ['message', (passage) => this.#message(passage)],
    ['headers', (passage) => this.#headers(passage)],
    ['access', (passage) => this.#access(passage)],
    ['rate', (passage) => this.#rate(passage)],
  ];

  constructor(
    private readonly authenticator: BearerAuthenticator,
    private readonly catalogue: Catalogue,
    private readonly rateLimits: RateLimits,
  ) {}

  /** Puts the first half of the gate in front of the route. */
  guardArrivals(app: NestFastifyApplication): void {
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRequest', async (request) => {
        if (request.routeOptions.url === MCP_PATH) await run(this.arrival, passageOf(request));
      });
  }

  /** The second half: reads the message of a request that has arrived. */
  async admit(request: FastifyRequest): Promise<Message> {
    const passage = passageOf(request);
    await run(this.admission, passage);
    return admitted(passage);
  }

  #origin({ request, site }: Passage): void {
    if (isAllowedOrigin(request.headers.origin, site.base_url)) return;
    throw new ApiError('forbidden', 'Pages of this origin may not use the tool endpoint');
  }

  /**
   * No header: anonymous. A header that is no bearer token, or a token that is not good here: 401. No verdict: 503. A
   * source of many refused tokens: 429, before the token is looked up.
   */
  async #token({ request, site }: Passage): Promise<void> {
    const { rawHeaders } = request.raw;
    const presented = bearerToken(rawHeaders);
    if (presented.kind === 'absent') return;
    this.rateLimits.refuseGuess(presented.kind === 'token' ? presented.token : '', request.ip);
    try {
      request.principal = await this.authenticator.authenticate(rawHeaders, site);
      this.rateLimits.rememberGoodToken(request.principal);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'invalid_token') this.rateLimits.countRefusedToken(request.ip);
      throw error;
    }
  }

  /** Streams for the server's own messages (GET) and sessions (DELETE) do not exist here. */
  #method({ request }: Passage): void {
    if (request.method === 'POST') return;
    throw new ApiError('method_not_allowed', 'Messages are sent by POST', { headers: { Allow: 'POST' } });
  }

  #message(passage: Passage): void {
    passage.message = readMessage(passage.request.body);
  }

  #headers(passage: Passage): void {
    const { 'mcp-method': method, 'mcp-name': name } = passage.request.headers;
    checkHeaders(admitted(passage), {
      ...(method === undefined ? {} : { method: String(method) }),
      ...(name === undefined ? {} : { name: String(name) }),
    });
  }

  /** On the HTTP status, never as a result: only so a client starts signing in, or asks for more scopes. */
  #access(passage: Passage): void {
    const message = admitted(passage);
    const offer = this.#offerOf(message);
    if (offer === undefined) return;
    const { principal } = passage.request;
    const scopes = scopesOfCall(offer, message.args);
    const access = toolAccess({ audience: offer.audience, scopes }, principal);
    // Any token will do: the client asks for the least that there is.
    if (access === 'sign_in') {
      throw this.authenticator.signInNeeded(passage.site, scopes.length === 0 ? ['openid'] : scopes);
    }
    if (access === 'insufficient_scope') {
      const foreign = principal === null ? undefined : foreignAudience(offer, principal);
      throw this.authenticator.insufficientScope(passage.site, scopes, foreign);
    }
  }

  /** What the message wants to use; undefined for lists and the like, and for what does not exist. */
  #offerOf({ method, target, ref }: Message): (ScopedTool & Pick<ToolDescription, 'name' | 'audience'>) | undefined {
    if (method === 'completion/complete' && ref !== undefined) {
      return 'prompt' in ref ? this.catalogue.prompt(ref.prompt) : this.catalogue.template(ref.template);
    }
    if (target === undefined) return undefined;
    if (method === 'tools/call') return this.catalogue.tool(target);
    if (method === 'prompts/get') return this.catalogue.prompt(target);
    return method === 'resources/read' ? this.catalogue.resource(target)?.entry : undefined;
  }

  #rate({ request, site }: Passage): void {
    this.rateLimits.count(site.site_id, request.principal, request.ip);
  }
}

async function run(steps: Gate['arrival'], passage: Passage): Promise<void> {
  for (const [, step] of steps) await step(passage);
}

function passageOf(request: FastifyRequest): Passage {
  const { site } = request;
  if (site === null) throw new Error('There is no site: useSites(app) was not called');
  return { request, site, message: undefined };
}

function admitted({ message }: Passage): Message {
  if (message === undefined) throw new Error('The step that reads the message has not run');
  return message;
}
