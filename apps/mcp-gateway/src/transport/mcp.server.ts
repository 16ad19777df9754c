import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { ProtocolError, ProtocolErrorCode, Server, createMcpHandler } from '@modelcontextprotocol/server';
import type { McpRequestContext, ServerOptions } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { Lifecycle } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ToolCalls } from '#src/calls/tool-calls.service.js';
import { Catalogue } from '#src/catalogue/catalogue.service.js';
import { listTools, pageOf } from '#src/catalogue/listing.policy.js';
import type { Message } from '#src/gate/message.policy.js';
import { departure, exchangeOf, toWebRequest } from './exchange.js';
import type { Exchange } from './exchange.js';
import { wireTool } from './wire-tool.js';

/** The older revisions that are served beside 2026-07-28; the first is offered when a client asks for another. */
const OLDER_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** How long a client may keep a list. An anonymous one not at all: after signing in there is more to see. */
const LIST_TTL_MS = 60_000;

/** Given by hand: with its own schema the SDK answers a cursor that is no text as an internal error. */
const LIST = { params: z.object({ cursor: z.string().optional() }) };

const MAX_SUBSCRIPTIONS = 1_000;

/**
 * The tool protocol, in the SDK's hands: this is the only place that knows it. Each message gets a server of its own, so that
 * any replica answers any message; what is dear to make (schemas, the validator) is made once.
 */
@Injectable()
export class McpServer implements BeforeApplicationShutdown {
  readonly #logger = new Logger(McpServer.name);
  readonly #exchanges = new WeakMap<Request, Exchange>();
  readonly #validator = new AjvJsonSchemaValidator();
  readonly #handler = createMcpHandler((context) => this.#serverFor(context), {
    legacy: 'stateless',
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => this.#logger.debug({ msg: 'a message was refused or failed', err: error }),
  });

  constructor(
    private readonly catalogue: Catalogue,
    private readonly calls: ToolCalls,
    private readonly lifecycle: Lifecycle,
  ) {
    catalogue.onChange(() => this.#handler.notify.toolsChanged());
  }

  async answer(message: Message, request: FastifyRequest, reply: FastifyReply): Promise<Response> {
    const { site } = request;
    if (site === null) throw new Error('There is no site: useSites(app) was not called');
    const webRequest = toWebRequest(request, site, this.#signalFor(message, reply));
    this.#exchanges.set(webRequest, exchangeOf(request, site));
    const response = await this.#handler.fetch(webRequest, { parsedBody: message.body });
    if (response.status >= 500) this.#logger.error(`the SDK answered ${response.status} to ${message.method}`);
    return response;
  }

  /** A subscription has no end of its own: it is told to end when the service begins to stop; calls are waited for. */
  #signalFor({ method }: Message, reply: FastifyReply): AbortSignal {
    const signal = departure(reply);
    return method === 'subscriptions/listen' ? AbortSignal.any([signal, this.lifecycle.stopping]) : signal;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#handler.close();
  }

  #serverFor({ era, requestInfo }: McpRequestContext): Server {
    const exchange = requestInfo === undefined ? undefined : this.#exchanges.get(requestInfo);
    if (exchange === undefined) throw new Error('The SDK asks for a server without its request');
    const server = new Server(
      { name: 'lyceum', title: exchange.site.name, version: '0.1.0', websiteUrl: exchange.site.base_url },
      this.#optionsFor(era),
    );
    server.setRequestHandler('tools/list', LIST, ({ cursor }) => this.#list(exchange, cursor));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const tool = this.catalogue.get(params.name);
      if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      return this.calls.call(tool, params.arguments ?? {}, exchange, mcpReq.signal);
    });
    return server;
  }

  #optionsFor(era: McpRequestContext['era']): ServerOptions {
    return {
      // Without a session there is no way to tell a client of the older revisions that the list has changed.
      capabilities: { tools: { listChanged: era === 'modern' } },
      supportedProtocolVersions: OLDER_REVISIONS,
      jsonSchemaValidator: this.#validator,
      instructions:
        'Tools of an online-learning site. Public tools need no sign-in; call `whoami` to sign in. Lists go on with `after`.',
    };
  }

  #list({ principal, wishes }: Exchange, cursor: string | undefined) {
    const page = pageOf(listTools(this.catalogue.all(), principal, wishes), cursor);
    if (page === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not valid here');
    return {
      tools: page.tools.map(wireTool),
      ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
      ttlMs: principal === null ? 0 : LIST_TTL_MS,
      cacheScope: 'private' as const,
    };
  }
}
