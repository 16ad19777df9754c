import type { FastifyInstance } from 'fastify';
import FindMyWay from 'find-my-way';
import type { HTTPMethod } from 'find-my-way';

/** Knows which methods each path has, so that a wrong one is told from a wrong path (RFC 9110 §15.5.6). */
export class AllowedMethods {
  readonly #router = FindMyWay();
  readonly #methods = new Set<HTTPMethod>();
  readonly #routes = new Set<string>();

  /** Follows the routes that are registered from now on. */
  follow(instance: FastifyInstance): void {
    instance.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) this.add(method as HTTPMethod, route.url);
    });
  }

  add(method: HTTPMethod, url: string): void {
    const route = `${method} ${url}`;
    // The same route once more, under another version or host.
    if (this.#routes.has(route)) return;
    this.#routes.add(route);
    this.#methods.add(method);
    this.#router.on(method, url, () => undefined);
  }

  /** The methods of the path (no query), in the order of the alphabet; none when it is no path of the service. */
  of(path: string): readonly string[] {
    try {
      return [...this.#methods].filter((method) => this.#router.find(method, path) !== null).sort();
    } catch {
      return [];
    }
  }
}
