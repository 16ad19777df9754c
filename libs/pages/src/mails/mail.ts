import { mailContent } from './mail-content.policy.js';
import { mailHtml } from './mail-html.js';
import type { MailParts } from './mail-parts.js';
import { mailStyles } from './mail-style.js';
import { mailText } from './mail-text.js';

/** A mail in both forms, which say the same. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Writes a mail from its parts, in the language of the reader. */
export function renderMail(parts: MailParts): RenderedMail {
  const content = mailContent(parts);
  return {
    subject: content.heading,
    text: mailText(content),
    html: mailHtml(content, mailStyles(content.site.theme)),
  };
}
