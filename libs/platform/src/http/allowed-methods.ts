import type { FastifyInstance } from 'fastify';
import FindMyWay from 'find-my-way';
import type { HTTPMethod } from 'find-my-way';

/** Records the methods of each path, to distinguish a wrong method from a wrong path (RFC 9110 §15.5.6). */
export class AllowedMethods {
  readonly #router = FindMyWay();
  readonly #methods = new Set<HTTPMethod>();
  readonly #routes = new Set<string>();

  /** Records the routes that are registered from now on. */
  follow(instance: FastifyInstance): void {
    instance.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) this.add(method as HTTPMethod, route.url);
    });
  }

  add(method: HTTPMethod, url: string): void {
    const route = `${method} ${url}`;
    // A version or host variant of a recorded route.
    if (this.#routes.has(route)) return;
    this.#routes.add(route);
    this.#methods.add(method);
    this.#router.on(method, url, () => undefined);
  }

  /** The methods of the path (no query) in alphabetical order; empty for an unknown path. */
  of(path: string): readonly string[] {
    try {
      return [...this.#methods].filter((method) => this.#router.find(method, path) !== null).sort();
    } catch {
      return [];
    }
  }
}
