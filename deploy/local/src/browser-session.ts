import { request } from 'undici';

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly body: string;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

export interface SessionOptions {
  /** The public origin; its host is the Host header. */
  readonly origin: string;
  /** Address to connect to instead, for a service without the edge. */
  readonly via?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A minimal browser for a sign-in without scripts: cookies by path, redirects within the origin, forms. */
export class BrowserSession {
  private readonly cookies = new Map<string, Cookie>();

  constructor(private readonly options: SessionOptions) {}

  /**
   * Follows redirects within the origin. A redirect to another origin is returned as a page with its address and an
   * empty body.
   */
  async open(address: string | URL, form?: URLSearchParams): Promise<Page> {
    let url = new URL(address, this.options.origin);
    let body = form;
    for (let hop = 0; hop < 20; hop++) {
      if (url.origin !== this.options.origin) return { url, status: 302, body: '' };
      const response = await this.send(url, body);
      if (response.status < 300 || response.status > 399 || response.location === undefined)
        return { ...response, url };
      url = new URL(response.location, url);
      // RFC 9110 §15.4.4: after 303 (and, in browsers, 302 of a POST) the next request is a GET.
      body = undefined;
    }
    throw new Error(`Too many redirects, the last one to ${url.href}`);
  }

  /** The public origin. */
  get origin(): string {
    return this.options.origin;
  }

  /** Submits the form of the page that has this field or button. */
  submit(page: Page, field: string, values: Readonly<Record<string, string>>): Promise<Page> {
    const form = formWith(page, field);
    if (form === undefined) throw new Error(`${page.status} at ${page.url.href} has no form with ${field}`);
    const fields = new URLSearchParams(form.fields);
    for (const [name, value] of Object.entries(values)) fields.set(name, value);
    return this.open(new URL(form.action, page.url), fields);
  }

  private async send(
    url: URL,
    form: URLSearchParams | undefined,
  ): Promise<{ status: number; body: string; location: string | undefined }> {
    const { origin, via = origin } = this.options;
    const { statusCode, headers, body } = await request(new URL(url.pathname + url.search, via), {
      method: form ? 'POST' : 'GET',
      ...(form ? { body: form.toString() } : {}),
      headers: {
        ...this.options.headers,
        host: new URL(origin).host,
        accept: 'text/html',
        cookie: this.cookiesFor(url.pathname),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded', origin } : {}),
      },
    });
    for (const line of [headers['set-cookie'] ?? []].flat()) this.keep(line);
    const { location } = headers;
    return { status: statusCode, body: await body.text(), location: Array.isArray(location) ? location[0] : location };
  }

  /** The `Cookie` header of a request for that path. */
  cookiesFor(path: string): string {
    const sent = [...this.cookies].filter(([, cookie]) => path.startsWith(cookie.path));
    return sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  /** Stores a `Set-Cookie` line. */
  keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    const attribute = (wanted: string): string | undefined =>
      attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const gone = attribute('max-age') === '0' || new Date(attribute('expires') ?? '9999-12-31').getTime() < Date.now();
    if (gone) this.cookies.delete(name);
    else this.cookies.set(name, { value: pair.slice(name.length + 1), path: attribute('path') ?? '/' });
  }
}

/** A control of a form that has a name. */
export interface Control {
  readonly name: string;
  /** The type of an input or a button, otherwise the name of the element. */
  readonly type: string;
  readonly value: string;
}

export interface Form {
  readonly action: string;
  /** In the order of the page. */
  readonly controls: readonly Control[];
  /** The hidden fields, filled in. */
  readonly fields: URLSearchParams;
  /** Names of all controls, including buttons. */
  readonly names: ReadonlySet<string>;
}

/** Returns the first POST form with this field or button. */
export function formWith({ body }: Page, field: string): Form | undefined {
  return postForms(body).find(({ names }) => names.has(field));
}

/** The POST forms of a page. */
export function postForms(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)]
    .map(([, attributes = '', content = '']) => ({ attributes: attributesOf(attributes), content }))
    .filter(({ attributes }) => attributes['method']?.toLowerCase() === 'post')
    .map(({ attributes, content }) => {
      const controls = controlsIn(content);
      const hidden = controls.filter(({ type }) => type === 'hidden');
      return {
        action: attributes['action'] ?? '',
        controls,
        fields: new URLSearchParams(hidden.map(({ name, value }): [string, string] => [name, value])),
        names: new Set(controls.map(({ name }) => name)),
      };
    });
}

function controlsIn(content: string): Control[] {
  return [...content.matchAll(/<(input|button|select|textarea)\b([^>]*)>/gi)].flatMap(([, element = '', text = '']) => {
    const { name, type = element, value = '' } = attributesOf(text);
    return name === undefined ? [] : [{ name, type: type.toLowerCase(), value }];
  });
}

function attributesOf(text: string): Record<string, string | undefined> {
  const pairs = [...text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g)];
  return Object.fromEntries(
    pairs.map(([, name = '', ...values]) => [name.toLowerCase(), decoded(values.find((v) => v !== undefined) ?? '')]),
  );
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, entity: string) => {
    if (entity.startsWith('#x') || entity.startsWith('#X'))
      return String.fromCodePoint(Number.parseInt(entity.slice(2), 16));
    if (entity.startsWith('#')) return String.fromCodePoint(Number(entity.slice(1)));
    return ENTITIES[entity] ?? whole;
  });
}
