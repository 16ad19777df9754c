import { readerLanguage, say } from '@lyceum/messages';
import type { Language } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';

/** Wide pages have tables. Narrow ones have one form with buttons of full width, such as a sign-in. */
export type Width = 'narrow' | 'wide' | undefined;

export interface DocumentParts {
  readonly title: string;
  /** Elements of the head after the character set, the viewport and the title. */
  readonly head: Html;
  readonly header: Html;
  readonly body: Html;
  readonly width?: Width;
  /** English pages have a language of their own. */
  readonly language?: Language;
}

/** The first character of a name, for a tile in place of a logo. */
export const initialOf = (name: string): string => (Array.from(name.trim())[0] ?? '').toUpperCase();

/** The name of a site with its initial, in place of a logo. */
export const nameTile = (name: string, shown: Html): Html =>
  html`<p class="initial" data-initial="${initialOf(name)}">${shown}</p>`;

/** Markup that the script of pages enhances. Inserted values are escaped and cannot contain it. */
const ENHANCED = /type="(?:password|file)"|\sdata-copy[\s>]|<time /;

export const isEnhanced = ({ text }: Html): boolean => ENHANCED.test(text);

/** The words of the buttons that the script adds; it has the English ones itself. */
const scriptWords = (language: Language): Html | false =>
  language !== 'en' &&
  html` data-show="${say('script.show')}" data-hide="${say('script.hide')}" data-password="${say('script.password')}"
  data-copy-word="${say('script.copy')}" data-copied="${say('script.copied')}"`;

/** The language depends on more than the URL: on the person, and on the browser. */
export const languageHeaders = (language: Language): Record<string, string> => ({
  'content-language': language,
  vary: 'Accept-Language, Cookie',
});

/** The document of every page: header with the site, and the content in a card. */
export function documentOf({ title, head, header, body, width, language = readerLanguage() }: DocumentParts): string {
  return html`<!doctype html>
    <html lang="${language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${head}
      </head>
      <body${width !== undefined && html` class="${width}"`}${isEnhanced(body) && scriptWords(language)}>
        <header>${header}</header>
        <main>${body}</main>
      </body>
    </html>`.text;
}
