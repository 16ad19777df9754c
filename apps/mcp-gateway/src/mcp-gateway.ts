import type { ServiceDefinition } from '@lyceum/platform';
import { showUnknownPaths, useResourceServer } from '@lyceum/resource-server';
import { environment } from '#src/configuration.js';
import type { McpGatewayConfiguration } from '#src/configuration.js';
import { McpGate } from '#src/gate/gate.js';
import { McpGatewayModule } from '#src/mcp-gateway.module.js';
import { useMcpBodies } from '#src/transport/body.js';

/** Bytes. A message is a method with arguments; files go to the storage. */
const BODY_LIMIT = 256 * 1024;

export const mcpGateway: ServiceDefinition<McpGatewayConfiguration> = {
  name: 'mcp-gateway',
  environment,
  bodyLimit: BODY_LIMIT,
  module: (config) => McpGatewayModule.forRoot(config),
  configure: (app) => {
    useResourceServer(app);
    showUnknownPaths(app);
    app.get(McpGate).guardArrivals(app);
    useMcpBodies(app, BODY_LIMIT);
  },
};
