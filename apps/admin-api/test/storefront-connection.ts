import { connectAs } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

/** The service, and a connection to it with the NATS user that storefronts have. */
export interface StorefrontConnection {
  readonly api: TestApi;
  readonly connection: NatsConnection;
}

export async function connectStorefront(api: TestApi): Promise<StorefrontConnection> {
  return { api, connection: await connectAs(api.nats.environment('storefront')) };
}

/** Runs the service while the tests of a file run, with one connection of a storefront. */
export function storefrontOfFile(): () => StorefrontConnection {
  let api: TestApi | undefined;
  let connected: StorefrontConnection | undefined;
  beforeAll(async () => {
    api = await startAdminApi();
    connected = await connectStorefront(api);
  });
  afterAll(async () => {
    await connected?.connection.close();
    await api?.stop();
  });
  return () => {
    if (connected === undefined) throw new Error('The service starts before the tests of the file');
    return connected;
  };
}
