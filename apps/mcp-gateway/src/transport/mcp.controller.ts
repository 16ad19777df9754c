import { All, Controller, Req, Res } from '@nestjs/common';
import { runInCallersTrace } from '@lyceum/platform';
import { Open } from '@lyceum/resource-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MCP_PATH, McpGate } from '#src/gate/gate.js';
import type { Message } from '#src/gate/message.policy.js';
import { MessageRefusal } from '#src/gate/refusal.js';
import { McpServer } from './mcp.server.js';

@Controller(MCP_PATH)
export class McpController {
  constructor(
    private readonly gate: McpGate,
    private readonly server: McpServer,
  ) {}

  /** Open to the guard of routes: the gate, which also admits anonymous callers, has verified the token. */
  @Open()
  @All()
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    try {
      const message = await this.gate.admit(request, reply);
      // The client disconnected meanwhile: `close` will not be emitted to the listeners of a stream or a call.
      if (reply.raw.closed) return;
      const response = await inTraceOf(message, request, () => this.server.respond(message, request, reply));
      await reply.send(response);
    } catch (error) {
      if (!(error instanceof MessageRefusal)) throw error;
      await reply.code(error.status).send(error.toJSON());
    }
  }
}

/** The trace in the message counts, unless the headers carry one. */
function inTraceOf<T>({ trace }: Message, request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  if (trace.traceparent === undefined || request.headers.traceparent !== undefined) return work();
  return runInCallersTrace({ ...trace, 'x-request-id': request.id }, 'mcp message', work);
}
