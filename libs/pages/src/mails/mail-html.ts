import { readerLanguage, say } from '@lyceum/messages';
import { Html, html } from '@lyceum/platform';
import { initialOf } from '../document.js';
import { MAIL_LIMITS, oneLine, webAddress } from './mail-content.policy.js';
import type { MailBlock, MailEntry, MailLink, MailParts } from './mail-parts.js';
import type { MailClass, MailStyles, Shape } from './mail-style.js';

/** The attributes of an element. Styles and classes are constant text of the code, and colors of a checked theme. */
type Attributes = (shape: Shape, name?: MailClass) => Html;

const attributesOf =
  ({ inline }: MailStyles): Attributes =>
  (shape, name) =>
    html`class="${[shape, name].filter(Boolean).join(' ')}" style="${inline(shape, name)}"`;

/** Text whose lines stay apart. */
const lines = (text: string): Html =>
  html`${text.split('\n').flatMap((line, index) => (index === 0 ? [line] : [new Html('<br />\n'), line]))}`;

/** Without an address that mails may link to: the text alone. */
function link(at: Attributes, { label, url }: { label: string; url: string | null }, name: MailClass): Html {
  const address = webAddress(url);
  return address === undefined ? html`${label}` : html`<a href="${address}" ${at('link', name)}>${label}</a>`;
}

/** The address stands below the button, for those who want to read or copy it. */
function button(at: Attributes, target: MailLink, note: string | undefined): Html {
  const address = webAddress(target.url);
  if (address === undefined) return html`<p dir="auto" ${at('text')}>${target.label}</p>`;
  return html`<table role="presentation" border="0" cellpadding="0" cellspacing="0" ${at('buttons')}>
      <tr>
        <td><a href="${address}" ${at('button', 'main')}>${target.label}</a></td>
      </tr>
    </table>
    ${note !== undefined && html`<p dir="auto" ${at('small', 'quiet')}>${note}</p>`}
    <p ${at('address', 'quiet')}><a href="${address}" ${at('bare', 'quiet')}>${address}</a></p>`;
}

const entry = (at: Attributes, { title, text, url }: MailEntry): Html =>
  html`<div ${at('entry', 'edge')}>
    <h2 dir="auto" ${at('title', 'ink')}>${link(at, { label: title, url }, 'accent')}</h2>
    ${text !== '' && html`<p dir="auto" ${at('excerpt', 'ink')}>${text}</p>`}
  </div>`;

function blockHtml(at: Attributes, block: MailBlock): Html {
  if ('text' in block) return html`<p dir="auto" ${at('text', 'ink')}>${lines(block.text)}</p>`;
  if ('items' in block) {
    const items = block.items.map((item) => html`<li dir="auto" ${at('item', 'ink')}>${item}</li>`);
    return html`<ul ${at('list', 'ink')}>
      ${items}
    </ul>`;
  }
  if ('link' in block) return html`<p dir="auto" ${at('text', 'ink')}>${link(at, block.link, 'accent')}</p>`;
  if ('button' in block) return button(at, block.button, block.note);
  return html`${block.entries.map((one) => entry(at, one))}`;
}

/** The line that mail programs show beside the subject. */
function preheader(at: Attributes, blocks: readonly MailBlock[]): Html | false {
  const first = blocks.find((block) => 'text' in block);
  return (
    first !== undefined &&
    html`<div aria-hidden="true" ${at('preheader')}>${oneLine(first.text, MAIL_LIMITS.entry)}</div>`
  );
}

/** Outlook ignores `max-width`. */
const [FRAME, END] = [
  '<!--[if mso]><table role="presentation" align="center" width="600"><tr><td><![endif]-->',
  '<!--[if mso]></td></tr></table><![endif]-->',
].map((markup) => new Html(markup)) as [Html, Html];

const FULL = new Html('role="presentation" border="0" cellpadding="0" cellspacing="0" width="100%"');

function tile(at: Attributes, name: string): Html {
  return html`<span aria-hidden="true" ${at('tile', 'main')}>${initialOf(name)}</span>`;
}

/** The HTML of a mail: no script, no resource, and readable without its style sheet. */
export function mailHtml(parts: MailParts, styles: MailStyles): string {
  const { site, heading, greeting, blocks, reason, unsubscribe } = parts;
  const at = attributesOf(styles);
  const language = readerLanguage();
  return html`<!doctype html>
    <html lang="${language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${styles.scheme}" />
        <meta name="supported-color-schemes" content="${styles.scheme}" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>${heading}</title>
        ${new Html(`<style>${styles.sheet}</style>`)}
      </head>
      <body ${at('body', 'ground')}>
        ${preheader(at, blocks)}
        <div role="article" aria-roledescription="email" aria-label="${heading}" lang="${language}" dir="ltr">
          <table ${FULL}>
            <tr>
              <td align="center" ${at('outer', 'ground')}>
                ${FRAME}
                <table ${FULL} ${at('frame')}>
                  <tr>
                    <td ${at('brand', 'ink')}>${tile(at, site.name)}<bdi>${site.name}</bdi></td>
                  </tr>
                  <tr>
                    <td ${at('card', 'paper')}>
                      <h1 dir="auto" ${at('heading', 'ink')}>${heading}</h1>
                      <p dir="auto" ${at('text', 'ink')}>${greeting}</p>
                      ${blocks.map((block) => html`${blockHtml(at, block)}${'\n'}`)}
                    </td>
                  </tr>
                  <tr>
                    <td ${at('footer', 'quiet')}>
                      <p ${at('line', 'quiet')}>${link(at, { label: site.name, url: site.base_url }, 'quiet')}</p>
                      <p ${at('line', 'quiet')}>${reason}</p>
                      ${unsubscribe !== null && html`<p ${at('line', 'quiet')}>${link(at, { label: say('mail.unsubscribe'), url: unsubscribe }, 'quiet')}</p>`}
                    </td>
                  </tr>
                </table>
                ${END}
              </td>
            </tr>
          </table>
        </div>
      </body>
    </html> `.text;
}
