import { callSigningEnvironment, natsEnvironment, sharedValuesEnvironment } from '@lyceum/messaging';
import { integer, serviceEnvironment } from '@lyceum/platform';
import { introspectionEnvironment } from '@lyceum/resource-server';
import { z } from 'zod';

export const environment = z.object({
  ...serviceEnvironment,
  ...natsEnvironment,
  ...sharedValuesEnvironment,
  ...callSigningEnvironment,
  ...introspectionEnvironment,
  /**
   * Messages without a token per source and window. The default allows an office behind one address, and two runs of
   * the MCP conformance suite (250 messages).
   */
  ANONYMOUS_MESSAGES: integer(1, 1_000_000).default(360),
  ANONYMOUS_SECONDS: integer(1, 3_600).default(60),
  /** Messages of one person with one client per minute. */
  CLIENT_MESSAGES: integer(1, 1_000_000).default(100),
  /** Messages of one person per minute, with all clients. */
  PERSON_MESSAGES: integer(1, 1_000_000).default(500),
});

export type McpGatewayConfiguration = z.infer<typeof environment>;
