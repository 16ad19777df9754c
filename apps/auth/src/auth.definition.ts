import { HealthRegistry } from '@lyceum/platform';
import type { ServiceDefinition } from '@lyceum/platform';
import { authEnvironment } from './auth.environment.js';
import type { AuthConfiguration } from './auth.environment.js';
import { AuthModule } from './auth.module.js';
import { commands } from './commands/commands.js';
import { BODY_LIMIT } from './edge/body.js';
import { addEdgeHook } from './edge/edge.hook.js';
import { leaveBodiesUnread } from './edge/passthrough.js';
import { KeyRing } from './keys/key-ring.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { addIntrospectionRoute } from './tokens/introspection.route.js';
import { addRevocationRoute } from './tokens/revocation.route.js';
import { addTokenRoute } from './tokens/token.route.js';

export const auth: ServiceDefinition<AuthConfiguration> = {
  name: 'auth',
  environment: authEnvironment,
  module: (config) => AuthModule.forRoot(config),
  configure(app) {
    // Creates the first key of a deployment, and keeps a replica that cannot read the keys out of traffic.
    app.get(HealthRegistry).add({
      name: 'signing-keys',
      async ready() {
        await app.get(KeyRing).current();
      },
    });
    leaveBodiesUnread(app);
    addEdgeHook(app);
    addTokenRoute(app);
    addRevocationRoute(app);
    addIntrospectionRoute(app);
  },
  bodyLimit: BODY_LIMIT,
  // Agents try many paths that they know from other servers.
  notFoundHint: `How programs sign in is at ${ENDPOINTS.guide}: agent_auth is not supported, and there is no claim step.`,
  commands,
};
