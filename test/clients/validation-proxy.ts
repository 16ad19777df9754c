interface Operation {
  readonly operationId: string;
  readonly requestBody?: object;
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Request {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests through Prism, which compares each request and response with the description. */
export class ValidationProxy {
  readonly violations: string[] = [];
  readonly used = new Set<string>();
  private readonly operations: ReadonlyMap<string, { method: string; path: string }>;

  constructor(
    private readonly document: Document,
    private readonly url: string,
    private readonly token: string,
  ) {
    this.operations = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [operationId, { method, path }]),
      ),
    );
  }

  get ids(): string[] {
    return [...this.operations.keys()];
  }

  /** Sends requests with another token, which has a quota of its own. */
  as(token: string): ValidationProxy {
    const { violations, used } = this;
    return Object.assign(new ValidationProxy(this.document, this.url, token), { violations, used });
  }

  /** The body of the response. Checks its status. */
  async send<Body = { id: string }>(id: string, expected: number | number[], request: Request = {}): Promise<Body> {
    const { method = '', path = '' } = this.operations.get(id) ?? {};
    const target = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => request.path?.[name] ?? '');
    const query = new URLSearchParams(request.query).toString();
    const response = await fetch(`${this.url}${target}${query && `?${query}`}`, {
      method: method.toUpperCase(),
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const text = await response.text();
    expect([id, [expected].flat(), text]).toEqual([id, expect.arrayContaining([response.status]), expect.any(String)]);
    const violations = response.headers.get('sl-violations');
    if (violations !== null) this.violations.push(`${id} ${query}: ${violations}`);
    this.used.add(id);
    return (text === '' ? {} : JSON.parse(text)) as Body;
  }

  /** Reads one page, whole and with `fields`. Returns the first id. */
  async list(id: string, request: Request = {}): Promise<string> {
    const query = { limit: '2', include_total: 'true' };
    const { data } = await this.send<{ data: { id: string }[] }>(id, 200, { ...request, query });
    await this.send(id, 200, { ...request, query: { ...query, fields: 'id,created_at' } });
    return data[0]?.id ?? '';
  }

  async get(id: string, request: Request = {}, fields = 'id'): Promise<void> {
    await this.send(id, 200, request);
    await this.send(id, 200, { ...request, query: { fields } });
  }

  /** A dry run, which returns 200, and then the change. */
  async write(id: string, expected: number, request: Request = {}): Promise<{ id: string }> {
    await this.send(id, 200, { ...request, query: { dry_run: 'true' } });
    return this.send(id, expected, request);
  }
}
