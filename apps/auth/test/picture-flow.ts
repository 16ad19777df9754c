import type { Page } from '@lyceum/testing';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';
import { signedIn } from './passkey-flow.js';

export const UPLOAD = '/account/profile/picture';

function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(name), content, Buffer.alloc(4)]);
}

/** The chunks of a PNG, of the given size in pixels and bytes. */
export function png(width = 64, height = 64, length?: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  const parts = [Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IEND', Buffer.alloc(0))];
  const rest = (length ?? 0) - Buffer.concat(parts).length - 12;
  return Buffer.concat(
    rest < 0 ? parts : [...parts.slice(0, 2), chunk('IDAT', Buffer.alloc(rest, 7)), ...parts.slice(2)],
  );
}

export interface PictureResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A signed-in person with a profile. */
export class PictureFlow {
  constructor(
    readonly auth: TestAuth,
    readonly flow: Flow,
  ) {}

  static async of(auth: TestAuth, name = 'student', site: TestSite = auth.site): Promise<PictureFlow> {
    return new PictureFlow(auth, await signedIn(auth, name, site));
  }

  profile(): Promise<Page> {
    return this.flow.browser.open('/account/profile');
  }

  async csrf(): Promise<string> {
    return /name="csrf" value="([^"]+)"/.exec((await this.profile()).body)?.[1] ?? '';
  }

  /** Sends a form as a browser does. */
  async send(form: FormData, headers: Record<string, string> = {}): Promise<PictureResponse> {
    const { base_url } = this.flow.site;
    const response = await fetch(new URL(UPLOAD, base_url), {
      method: 'POST',
      redirect: 'manual',
      body: form,
      headers: { cookie: this.flow.browser.cookiesFor(UPLOAD), origin: base_url, ...headers },
    });
    for (const line of response.headers.getSetCookie()) this.flow.browser.keep(line);
    return { status: response.status, headers: response.headers, body: await response.text() };
  }

  async form(bytes: Buffer, csrf?: string): Promise<FormData> {
    const form = new FormData();
    form.set('csrf', csrf ?? (await this.csrf()));
    form.set('file', new File([new Uint8Array(bytes)], 'me.png', { type: 'image/png' }));
    return form;
  }

  async upload(bytes: Buffer): Promise<PictureResponse> {
    return this.send(await this.form(bytes));
  }

  /** The path of the picture on the page. */
  async shown(): Promise<string | undefined> {
    return /<img class="portrait" src="([^"]+)"/.exec((await this.profile()).body)?.[1]?.replaceAll('&amp;', '&');
  }

  /** Submits the form that the page has for it. */
  async remove(): Promise<Page> {
    const page = await this.profile();
    if (!page.body.includes('id="remove"')) throw new Error('The page has no form that removes the picture');
    return this.flow.browser.open(`${UPLOAD}/remove`, new URLSearchParams({ csrf: await this.csrf() }));
  }

  async save(fields: Record<string, string>, page?: Page): Promise<Page> {
    const typed = { name: 'A person', locale: '', phone: '', ...fields };
    return this.flow.submit(page ?? (await this.profile()), 'phone', typed);
  }
}

export const fetched = async (site: TestSite, path: string): Promise<Response> => fetch(new URL(path, site.base_url));
