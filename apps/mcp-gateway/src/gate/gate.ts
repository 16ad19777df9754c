import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BearerAuthenticator, bearerToken, siteOf } from '@lyceum/resource-server';
import { foreignAudience, scopesOfCall, toolAccess } from '@lyceum/contracts';
import type { ScopedTool, Site, ToolDescription } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { wantsPage } from '@lyceum/platform';
import { Catalog } from '#src/catalog/catalog.service.js';
import { ConnectPages } from '#src/connect/connect-pages.service.js';
import { RateLimits } from '#src/limits/rate-limits.service.js';
import { Connections } from './connections.js';
import { checkHeaders, readMessage } from './message.policy.js';
import type { Message } from './message.policy.js';
import { isAllowedOrigin } from './origin.policy.js';

export const MCP_PATH = '/mcp';

/** State of one request in the gate. */
interface GateContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly site: Site;
  message: Message | undefined;
}

type Step = (context: GateContext) => void | Promise<void>;

/**
 * All checks before the tool protocol, in order. A step refuses by throwing an `ApiError`, or a `MessageRefusal` where
 * an MCP client expects a JSON-RPC error. The host was checked before (`useResourceServer`).
 */
@Injectable()
export class McpGate {
  /** Checks before the body is read. */
  readonly arrival: readonly (readonly [name: string, step: Step])[] = [
    ['origin', (context) => this.#origin(context)],
    ['connections', (context) => this.#connections(context)],
    ['token', (context) => this.#token(context)],
    ['page', (context) => this.#page(context)],
    ['method', (context) => this.#method(context)],
  ];

  /**
   * Checks of the message. A body can come long after its head, so the token is checked again. The rate comes before
   * the message, so that a refused message counts too.
   */
  readonly admission: readonly (readonly [name: string, step: Step])[] = [
    ['token', (context) => this.#token(context)],
    ['rate', (context) => this.#rate(context)],
    ['message', (context) => this.#message(context)],
    ['headers', (context) => this.#headers(context)],
    ['access', (context) => this.#access(context)],
  ];

  constructor(
    private readonly authenticator: BearerAuthenticator,
    private readonly catalog: Catalog,
    private readonly rateLimits: RateLimits,
    private readonly connections: Connections,
    private readonly pages: ConnectPages,
  ) {}

  /** Runs the arrival checks before the route. */
  guardArrivals(app: NestFastifyApplication): void {
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRequest', async (request, reply) => {
        if (request.routeOptions.url === MCP_PATH) await run(this.arrival, gateContextOf(request, reply));
      });
  }

  /** Runs the admission checks and returns the message. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<Message> {
    const context = gateContextOf(request, reply);
    await run(this.admission, context);
    return admitted(context);
  }

  #origin({ request, site }: GateContext): void {
    if (isAllowedOrigin(request.headers.origin, site.base_url)) return;
    throw new ApiError('forbidden', 'Pages of this origin may not use the tool endpoint');
  }

  /** Runs before the introspection, because the state of the token does not matter. */
  #connections({ request, site }: GateContext): void {
    if (bearerToken(request.raw.rawHeaders).kind !== 'absent') this.connections.require(site);
  }

  /**
   * Without the header the caller is anonymous. A malformed or invalid token is a 401, an unavailable introspection a
   * 503. A source with too many refused tokens gets 429 without an introspection.
   */
  async #token({ request, site }: GateContext): Promise<void> {
    const { rawHeaders } = request.raw;
    const presented = bearerToken(rawHeaders);
    if (presented.kind === 'absent') return;
    const token = presented.kind === 'token' ? presented.token : '';
    request.principal = await this.rateLimits.refusedTokens.check(token, request.ip, () =>
      this.authenticator.authenticate(rawHeaders, site),
    );
  }

  /** A person who opens the address in a browser reads how to connect. A client that wants a stream gets 405. */
  #page({ request, reply, site }: GateContext): void {
    const { accept } = request.headers;
    if (request.method !== 'GET' || !wantsPage(accept) || accept?.includes('text/event-stream')) return;
    this.pages.send(site, request, reply);
  }

  /** The gateway supports neither server streams (GET) nor sessions (DELETE). */
  #method({ request }: GateContext): void {
    if (request.method === 'POST') return;
    throw new ApiError('method_not_allowed', 'Messages are sent by POST', { headers: { Allow: 'POST' } });
  }

  #rate({ request, reply, site }: GateContext): Promise<void> {
    return this.rateLimits.count(site.site_id, request, reply);
  }

  #message(context: GateContext): void {
    context.message = readMessage(context.request.body);
  }

  #headers(context: GateContext): void {
    const { 'mcp-method': method, 'mcp-name': name } = context.request.headers;
    checkHeaders(admitted(context), {
      ...(method === undefined ? {} : { method: String(method) }),
      ...(name === undefined ? {} : { name: String(name) }),
    });
  }

  /** Refuses by HTTP status, never in a result: only then do clients start a sign-in or request more scopes. */
  #access(context: GateContext): void {
    const message = admitted(context);
    const capability = this.#capabilityOf(message);
    if (capability === undefined) return;
    const { principal } = context.request;
    const scopes = scopesOfCall(capability, message.args);
    const access = toolAccess({ audience: capability.audience, scopes }, principal);
    // Any token is sufficient, so the challenge names the smallest scope.
    if (access === 'sign_in') {
      this.connections.require(context.site);
      throw this.authenticator.signInNeeded(context.site, scopes.length === 0 ? ['openid'] : scopes);
    }
    if (access === 'insufficient_scope') {
      const foreign = principal === null ? undefined : foreignAudience(capability, principal);
      throw this.authenticator.insufficientScope(context.site, scopes, foreign);
    }
  }

  /** The capability that the message uses; undefined for lists and for unknown names. */
  #capabilityOf({
    method,
    target,
    ref,
  }: Message): (ScopedTool & Pick<ToolDescription, 'name' | 'audience'>) | undefined {
    if (method === 'completion/complete' && ref !== undefined) {
      return 'prompt' in ref ? this.catalog.prompt(ref.prompt) : this.catalog.template(ref.template);
    }
    if (target === undefined) return undefined;
    if (method === 'tools/call') return this.catalog.tool(target);
    if (method === 'prompts/get') return this.catalog.prompt(target);
    return method === 'resources/read' ? this.catalog.resource(target)?.entry : undefined;
  }
}

async function run(steps: McpGate['arrival'], context: GateContext): Promise<void> {
  for (const [, step] of steps) {
    await step(context);
    if (context.reply.sent) return;
  }
}

function gateContextOf(request: FastifyRequest, reply: FastifyReply): GateContext {
  return { request, reply, site: siteOf(request), message: undefined };
}

function admitted({ message }: GateContext): Message {
  if (message === undefined) throw new Error('The step that reads the message has not run');
  return message;
}
