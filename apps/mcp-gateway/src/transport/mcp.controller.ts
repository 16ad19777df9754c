import { All, Controller, Req, Res } from '@nestjs/common';
import { Open } from '@lyceum/resource-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Gate, MCP_PATH } from '#src/gate/gate.js';
import { MessageRefusal } from '#src/gate/refusal.js';
import { McpServer } from './mcp.server.js';

@Controller(MCP_PATH)
export class McpController {
  constructor(
    private readonly gate: Gate,
    private readonly server: McpServer,
  ) {}

  /** Open to the guard because the gate, which also serves anonymous callers, has asked for the token already. */
  @Open()
  @All()
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    try {
      const message = await this.gate.admit(request);
      await reply.send(await this.server.answer(message, request, reply));
    } catch (error) {
      if (!(error instanceof MessageRefusal)) throw error;
      await reply.code(error.status).send(error.toJSON());
    }
  }
}
