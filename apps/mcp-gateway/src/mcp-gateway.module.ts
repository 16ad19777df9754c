import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@lyceum/messaging';
import { NatsRateLimitModule } from '@lyceum/rate-limit';
import { ResourceServerModule } from '@lyceum/resource-server';
import { ToolsModule } from '@lyceum/tools';
import { CallSettings, Calls } from '#src/calls/calls.service.js';
import { Catalog } from '#src/catalog/catalog.service.js';
import { ConnectController } from '#src/connect/connect.controller.js';
import { ConnectPages } from '#src/connect/connect-pages.service.js';
import { Connections } from '#src/gate/connections.js';
import { McpGate } from '#src/gate/gate.js';
import { messageLimits } from '#src/limits/caller.policy.js';
import { MessageRates, RateLimits } from '#src/limits/rate-limits.service.js';
import type { McpGatewayConfiguration } from '#src/configuration.js';
import { Handlers } from '#src/transport/handlers.js';
import { McpController } from '#src/transport/mcp.controller.js';
import { McpServer } from '#src/transport/mcp.server.js';
import { WhoamiTool } from '#src/whoami/whoami.tools.js';

@Module({})
export class McpGatewayModule {
  static forRoot(config: McpGatewayConfiguration): DynamicModule {
    return {
      module: McpGatewayModule,
      imports: [
        MessagingModule.forRoot({ service: 'mcp-gateway', nats: config, signingKey: config.CALL_SIGNING_KEY }),
        ResourceServerModule.forRoot({ introspection: config, metadataPath: '/mcp' }),
        NatsRateLimitModule,
        ToolsModule.forRoot({ service: 'mcp-gateway' }),
      ],
      controllers: [ConnectController, McpController],
      providers: [
        Calls,
        { provide: CallSettings, useValue: new CallSettings(config.CALL_TIMEOUT_MS) },
        Catalog,
        ConnectPages,
        Connections,
        McpGate,
        Handlers,
        McpServer,
        { provide: MessageRates, useValue: new MessageRates(messageLimits(config)) },
        RateLimits,
        WhoamiTool,
      ],
    };
  }
}
