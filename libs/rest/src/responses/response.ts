/** What an operation answers. It can be stored and sent again, which a reply of Fastify cannot. */
export class ApiResponse {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  with(headers: Readonly<Record<string, string>>): ApiResponse {
    return new ApiResponse(this.status, this.body, { ...this.headers, ...headers });
  }
}

/** Objects that are no one's personal data may be kept by the caller's own cache, and asked about before use. */
export const REVALIDATED = { 'cache-control': 'private, no-cache' } as const;

/** Personal data is kept nowhere: the default of every answer. */
export const PERSONAL = { 'cache-control': 'private, no-store' } as const;
