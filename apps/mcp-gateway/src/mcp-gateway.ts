import { natsEnvironment } from '@lyceum/messaging';
import { serviceEnvironment } from '@lyceum/platform';
import type { ServiceDefinition } from '@lyceum/platform';
import { introspectionEnvironment, useSites } from '@lyceum/resource-server';
import { z } from 'zod';
import { Gate } from '#src/gate/gate.js';
import { McpGatewayModule } from '#src/mcp-gateway.module.js';
import { useMcpBodies } from '#src/transport/body.js';

/** A message is a method and its arguments; a file goes to the storage instead. */
const BODY_LIMIT = 256 * 1024;

const environment = z.object({ ...serviceEnvironment, ...natsEnvironment, ...introspectionEnvironment });

export type McpGatewayConfiguration = z.infer<typeof environment>;

export const mcpGateway: ServiceDefinition<McpGatewayConfiguration> = {
  name: 'mcp-gateway',
  environment,
  bodyLimit: BODY_LIMIT,
  module: (config) => McpGatewayModule.forRoot(config),
  configure: (app) => {
    useSites(app);
    app.get(Gate).guardArrivals(app);
    useMcpBodies(app, BODY_LIMIT);
  },
};
