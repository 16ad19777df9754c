/** The response of an operation. It can be stored and sent again, unlike a reply of Fastify. */
export class ApiResponse {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Returns the response with additional headers. */
  with(headers: Readonly<Record<string, string>>): ApiResponse {
    return new ApiResponse(this.status, this.body, { ...this.headers, ...headers });
  }
}

/** Headers of objects without personal data: the private cache of the caller may store and must revalidate them. */
export const REVALIDATED = { 'cache-control': 'private, no-cache' } as const;

/** Headers of objects with personal data, and the default: no cache may store them (RFC 9111 §5.2.2.5). */
export const PERSONAL = { 'cache-control': 'private, no-store' } as const;
