import type { DiscoveryService } from '@nestjs/core';

/** The providers of the application that are instances of a class. */
export function providersOf<T>(discovery: DiscoveryService, type: abstract new (...args: never[]) => T): T[] {
  return discovery
    .getProviders()
    .map(({ instance }: { instance: unknown }) => instance)
    .filter((instance): instance is T => instance instanceof type);
}
