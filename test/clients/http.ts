export interface JsonResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** One HTTP request with an optional bearer token and JSON body. Parses the body of the response, if any. */
export async function send<Body = Record<string, unknown>>(
  url: string,
  options: { method?: string; token?: string; json?: unknown; headers?: Record<string, string> } = {},
): Promise<JsonResponse<Body>> {
  const response = await fetch(url, {
    method: options.method ?? (options.json === undefined ? 'GET' : 'POST'),
    headers: {
      accept: 'application/json',
      ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    ...(options.json === undefined ? {} : { body: JSON.stringify(options.json) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : {}) as Body };
}

/** A GraphQL request to a site's member API. */
export async function graphql<Data>(baseUrl: string, token: string, query: string, variables?: object) {
  return send<{ data?: Data | null; errors?: { message: string; extensions: Record<string, unknown> }[] }>(
    `${baseUrl}/member/graphql`,
    { token, json: { query, ...(variables === undefined ? {} : { variables }) } },
  );
}

/** `tools/list` without a client, which would hide the HTTP status. */
export async function listTools(baseUrl: string, token: string): Promise<JsonResponse<Record<string, unknown>>> {
  return send(`${baseUrl}/mcp`, {
    token,
    headers: { accept: 'application/json, text/event-stream' },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  });
}

interface AddedStudent {
  readonly id?: string;
  readonly errors?: readonly { readonly id?: string }[];
}

/** The id of the student with this address: a new one, or the existing one from the 409. */
export async function studentAt(
  site: { readonly base_url: string },
  token: string,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<string> {
  const { body } = await send<AddedStudent>(`${site.base_url}/api/v1/students`, { token, json: { email, name } });
  const id = body.id ?? body.errors?.[0]?.id;
  if (id === undefined) throw new Error(`${email} was not added: ${JSON.stringify(body)}`);
  return id;
}
