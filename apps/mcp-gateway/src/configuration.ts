import { natsEnvironment } from '@lyceum/messaging';
import { serviceEnvironment } from '@lyceum/platform';
import { introspectionEnvironment } from '@lyceum/resource-server';
import { z } from 'zod';

export const environment = z.object({ ...serviceEnvironment, ...natsEnvironment, ...introspectionEnvironment });

export type McpGatewayConfiguration = z.infer<typeof environment>;
