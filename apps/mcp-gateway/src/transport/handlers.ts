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
import { Catalog } from '#src/catalog/catalog.service.js';
import { listEntries, listTools, pageOf } from '#src/catalog/listing.policy.js';
import { isTemplate } from '#src/catalog/resource-uri.policy.js';
import { callingClient, inputRequired, checkedReply } from './calling-client.js';
import type { CallerContext } from '#src/calls/caller.context.js';
import { protocolError } from './protocol-error.js';
import { wirePrompt, wireResource, wireTemplate, wireTool } from './wire.js';

/** Cache lifetime of lists. Zero for anonymous callers, who see more after a sign-in. */
const LIST_TTL_MS = 60_000;

/** Explicit, because the SDK's own schema turns a cursor of another type into an internal error. */
const LIST = { params: z.object({ cursor: z.string().optional() }) };

type Context = Pick<ServerContext, 'mcpReq'>;

/** Handlers of the protocol's methods: lists come from the catalog, everything else from the owning service. */
@Injectable()
export class Handlers {
  constructor(
    private readonly catalog: Catalog,
    private readonly calls: Calls,
  ) {}

  /** Without sessions, clients of older revisions cannot be notified of changed lists. */
  capabilities(era: 'legacy' | 'modern'): ServerCapabilities {
    const listChanged = era === 'modern';
    return { tools: { listChanged }, resources: { listChanged }, prompts: { listChanged }, completions: {} };
  }

  /** Registers the handler of one message: the server serves only this message. */
  register(server: Server, caller: CallerContext): void {
    switch (caller.method) {
      case 'tools/list':
        return server.setRequestHandler('tools/list', LIST, ({ cursor }) => {
          const tools = listTools(this.catalog.tools(), caller.principal, caller.filters);
          return listPage(caller, cursor, tools, nameOf, (page) => ({ tools: page.map(wireTool) }));
        });
      case 'resources/list':
        return server.setRequestHandler('resources/list', LIST, ({ cursor }) =>
          listPage(caller, cursor, this.#resources(caller, false), uriOf, (page) => ({
            resources: page.map(wireResource),
          })),
        );
      case 'resources/templates/list':
        return server.setRequestHandler('resources/templates/list', LIST, ({ cursor }) =>
          listPage(caller, cursor, this.#resources(caller, true), uriOf, (page) => ({
            resourceTemplates: page.map(wireTemplate),
          })),
        );
      case 'prompts/list':
        return server.setRequestHandler('prompts/list', LIST, ({ cursor }) => {
          const prompts = listEntries(this.catalog.prompts(), caller.principal, caller.filters);
          return listPage(caller, cursor, prompts, nameOf, (page) => ({ prompts: page.map(wirePrompt) }));
        });
      case 'tools/call':
        return server.setRequestHandler('tools/call', async ({ params }, context) => {
          const tool = this.catalog.tool(params.name);
          if (tool === undefined) throw invalid(`Unknown tool: ${params.name}`);
          const call = { kind: 'tool', target: tool, input: params.arguments ?? {} } as const;
          const reply = await this.#send(call, caller, context);
          return inputRequired(reply) ?? toolResult(tool, reply, call.input);
        });
      case 'resources/read':
        return server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
          const found = this.catalog.resource(uri);
          if (found === undefined) throw new ResourceNotFoundError(uri);
          const { entry, variables } = found;
          const reply = await this.#send({ kind: 'resource', target: entry, input: variables }, caller, context);
          const input = inputRequired(reply);
          if (input !== undefined) return input;
          return { contents: orProtocolError(() => resourceContents(uri, entry, reply), uri), ...keeping(caller) };
        });
      case 'prompts/get':
        return server.setRequestHandler('prompts/get', async ({ params }, context) => {
          const prompt = this.catalog.prompt(params.name);
          if (prompt === undefined) throw invalid(`Unknown prompt: ${params.name}`);
          const call = { kind: 'prompt', target: prompt, input: params.arguments ?? {} } as const;
          const reply = await this.#send(call, caller, context);
          const input = inputRequired(reply);
          if (input !== undefined) return input;
          return { description: prompt.description, messages: orProtocolError(() => promptMessages(reply)) };
        });
      case 'completion/complete':
        return server.setRequestHandler('completion/complete', async ({ params }, context) => ({
          completion: await this.#complete(params, caller, context),
        }));
      default:
      // The SDK rejects methods without a handler.
    }
  }

  #resources({ principal, filters }: CallerContext, templates: boolean) {
    return listEntries(this.catalog.resources(), principal, filters).filter((entry) => isTemplate(entry) === templates);
  }

  async #complete({ ref, argument, context: known }: CompleteRequestParams, caller: CallerContext, context: Context) {
    const entry = ref.type === 'ref/prompt' ? this.catalog.prompt(ref.name) : this.catalog.template(ref.uri);
    if (entry === undefined) throw invalid('There is nothing to complete');
    if (!entry.completes.includes(argument.name)) return { values: [], hasMore: false };
    const { service, version } = entry;
    // Completions follow key strokes, so a fallback to an older version would come too late.
    const target = { name: completionName(entry.name, argument.name), service, version, older: [] };
    const input = { value: argument.value, arguments: known?.arguments ?? {} };
    const reply = await this.#send({ kind: 'completion', target, input }, caller, context);
    const { values, has_more } = orProtocolError(() => completionOutputSchema.parse(resultOf(reply)));
    return { values, hasMore: has_more };
  }

  /** Adds the client's capabilities, cancellation and progress. */
  async #send(
    call: Omit<Call, 'client' | 'signal' | 'onProgress'>,
    caller: CallerContext,
    { mcpReq }: Context,
  ): Promise<Reply> {
    const progressToken = mcpReq._meta?.progressToken;
    const notify = (progress: Progress): void => {
      if (progressToken === undefined) return;
      const sent = mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } });
      // The client disconnected, so the call is being canceled.
      sent.catch(() => undefined);
    };
    const onProgress = progressToken === undefined ? undefined : notify;
    const client = callingClient(mcpReq);
    const reply = await this.calls.send({ ...call, client, signal: mcpReq.signal, onProgress }, caller);
    return checkedReply(reply, mcpReq);
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name;
const uriOf = ({ uri }: { readonly uri: string }): string => uri;

/** One page of a list, and its cache lifetime. */
function listPage<E, W extends object>(
  caller: CallerContext,
  cursor: string | undefined,
  entries: readonly E[],
  keyOf: (entry: E) => string,
  wire: (page: readonly E[]) => W,
) {
  const page = pageOf(entries, keyOf, cursor);
  if (page === undefined) throw invalid('The cursor is not valid here');
  const { nextCursor } = page;
  return { ...wire(page.entries), ...(nextCursor === undefined ? {} : { nextCursor }), ...keeping(caller) };
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
