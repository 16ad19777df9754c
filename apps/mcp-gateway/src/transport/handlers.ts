import { Injectable } from '@nestjs/common';
import { completionName, completionOutputSchema } from '@lyceum/contracts';
import type { Progress, Reply } from '@lyceum/contracts';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { CompleteRequestParams, Server, ServerCapabilities, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Calls } from '#src/calls/calls.service.js';
import type { Call } from '#src/calls/calls.service.js';
import { CallFailed, promptMessages, resourceContents, resultOf } from '#src/calls/content.policy.js';
import { toolResult } from '#src/calls/tool-result.policy.js';
import { Catalogue } from '#src/catalogue/catalogue.service.js';
import { listOffers, listTools, pageOf } from '#src/catalogue/listing.policy.js';
import { isTemplate } from '#src/catalogue/resource-uri.policy.js';
import { callingClient, inputRequired, judged } from './calling-client.js';
import type { CallerContext } from '#src/calls/caller.context.js';
import { protocolError } from './protocol-error.js';
import { wirePrompt, wireResource, wireTemplate, wireTool } from './wire.js';

/** How long a client may keep a list. An anonymous one not at all: after signing in there is more to see. */
const LIST_TTL_MS = 60_000;

/** Given by hand: with its own schema the SDK answers a cursor that is no text as an internal error. */
const LIST = { params: z.object({ cursor: z.string().optional() }) };

type Context = Pick<ServerContext, 'mcpReq'>;

/** What the methods of the protocol do: lists from the catalogue, everything else from the service that owns it. */
@Injectable()
export class Handlers {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly calls: Calls,
  ) {}

  /** Without a session there is no way to tell a client of the older revisions that a list has changed. */
  capabilities(era: 'legacy' | 'modern'): ServerCapabilities {
    const listChanged = era === 'modern';
    return { tools: { listChanged }, resources: { listChanged }, prompts: { listChanged }, completions: {} };
  }

  /** Answers the message that the server is made for, and nothing else: it lives no longer. */
  register(server: Server, exchange: CallerContext): void {
    switch (exchange.method) {
      case 'tools/list':
        return server.setRequestHandler('tools/list', LIST, ({ cursor }) => {
          const tools = listTools(this.catalogue.tools(), exchange.principal, exchange.wishes);
          return answerList(exchange, cursor, tools, nameOf, (page) => ({ tools: page.map(wireTool) }));
        });
      case 'resources/list':
        return server.setRequestHandler('resources/list', LIST, ({ cursor }) =>
          answerList(exchange, cursor, this.#resources(exchange, false), uriOf, (page) => ({
            resources: page.map(wireResource),
          })),
        );
      case 'resources/templates/list':
        return server.setRequestHandler('resources/templates/list', LIST, ({ cursor }) =>
          answerList(exchange, cursor, this.#resources(exchange, true), uriOf, (page) => ({
            resourceTemplates: page.map(wireTemplate),
          })),
        );
      case 'prompts/list':
        return server.setRequestHandler('prompts/list', LIST, ({ cursor }) => {
          const prompts = listOffers(this.catalogue.prompts(), exchange.principal, exchange.wishes);
          return answerList(exchange, cursor, prompts, nameOf, (page) => ({ prompts: page.map(wirePrompt) }));
        });
      case 'tools/call':
        return server.setRequestHandler('tools/call', async ({ params }, context) => {
          const tool = this.catalogue.tool(params.name);
          if (tool === undefined) throw invalid(`Unknown tool: ${params.name}`);
          const call = { kind: 'tool', addressee: tool, input: params.arguments ?? {} } as const;
          const reply = await this.#send(call, exchange, context);
          return inputRequired(reply) ?? toolResult(tool, reply);
        });
      case 'resources/read':
        return server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
          const found = this.catalogue.resource(uri);
          if (found === undefined) throw new ResourceNotFoundError(uri);
          const { entry, variables } = found;
          const reply = await this.#send({ kind: 'resource', addressee: entry, input: variables }, exchange, context);
          const asked = inputRequired(reply);
          if (asked !== undefined) return asked;
          return { contents: orProtocolError(() => resourceContents(uri, entry, reply), uri), ...keeping(exchange) };
        });
      case 'prompts/get':
        return server.setRequestHandler('prompts/get', async ({ params }, context) => {
          const prompt = this.catalogue.prompt(params.name);
          if (prompt === undefined) throw invalid(`Unknown prompt: ${params.name}`);
          const call = { kind: 'prompt', addressee: prompt, input: params.arguments ?? {} } as const;
          const reply = await this.#send(call, exchange, context);
          const asked = inputRequired(reply);
          if (asked !== undefined) return asked;
          return { description: prompt.description, messages: orProtocolError(() => promptMessages(reply)) };
        });
      case 'completion/complete':
        return server.setRequestHandler('completion/complete', async ({ params }, context) => ({
          completion: await this.#complete(params, exchange, context),
        }));
      default:
      // The SDK answers what has no handler.
    }
  }

  #resources({ principal, wishes }: CallerContext, templates: boolean) {
    return listOffers(this.catalogue.resources(), principal, wishes).filter((entry) => isTemplate(entry) === templates);
  }

  async #complete({ ref, argument, context: known }: CompleteRequestParams, exchange: CallerContext, context: Context) {
    const entry = ref.type === 'ref/prompt' ? this.catalogue.prompt(ref.name) : this.catalogue.template(ref.uri);
    if (entry === undefined) throw invalid('There is nothing to complete');
    if (!entry.completes.includes(argument.name)) return { values: [], hasMore: false };
    const { service, version } = entry;
    // A completion is asked for at each key stroke: an older version is no help in time.
    const addressee = { name: completionName(entry.name, argument.name), service, version, older: [] };
    const input = { value: argument.value, arguments: known?.arguments ?? {} };
    const reply = await this.#send({ kind: 'completion', addressee, input }, exchange, context);
    const { values, has_more } = orProtocolError(() => completionOutputSchema.parse(resultOf(reply)));
    return { values, hasMore: has_more };
  }

  /** With what the client can and has answered, its going away and its wish for progress. */
  async #send(
    call: Omit<Call, 'client' | 'signal' | 'onProgress'>,
    exchange: CallerContext,
    { mcpReq }: Context,
  ): Promise<Reply> {
    const progressToken = mcpReq._meta?.progressToken;
    const tell = (progress: Progress): void => {
      if (progressToken === undefined) return;
      const told = mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } });
      // The client has gone away: the call is being canceled.
      told.catch(() => undefined);
    };
    const onProgress = progressToken === undefined ? undefined : tell;
    const client = callingClient(mcpReq);
    const reply = await this.calls.send({ ...call, client, signal: mcpReq.signal, onProgress }, exchange);
    return judged(reply, mcpReq);
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name;
const uriOf = ({ uri }: { readonly uri: string }): string => uri;

/** One page of a list, and how long it may be kept. */
function answerList<E, W extends object>(
  exchange: CallerContext,
  cursor: string | undefined,
  entries: readonly E[],
  keyOf: (entry: E) => string,
  wire: (page: readonly E[]) => W,
) {
  const page = pageOf(entries, keyOf, cursor);
  if (page === undefined) throw invalid('The cursor is not valid here');
  const { nextCursor } = page;
  return { ...wire(page.entries), ...(nextCursor === undefined ? {} : { nextCursor }), ...keeping(exchange) };
}

function keeping({ principal }: CallerContext) {
  return { ttlMs: principal === null ? 0 : LIST_TTL_MS, cacheScope: 'private' as const };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function orProtocolError<T>(make: () => T, uri?: string): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof CallFailed ? protocolError(error, uri) : error;
  }
}
