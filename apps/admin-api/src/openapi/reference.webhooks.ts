import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { Json } from '@lyceum/rest';
import { markdown } from './markup.js';
import { memberTable, resolve } from './reference.tables.js';

interface Message {
  readonly summary: string;
  readonly description: string;
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
}

/** The messages that the service sends: the members of each, and an example. */
export function webhookSections(document: Json): Html {
  const webhooks = Object.values((document['webhooks'] ?? {}) as Record<string, { readonly post: Message }>);
  return html`${webhooks.map(({ post }) => webhookSection(document, post))}`;
}

function webhookSection(document: Json, { summary, description, requestBody }: Message): Html {
  const schemas = Object.values(requestBody.content).map(({ schema }) => resolve(document, schema));
  return html`<section id="webhook-${summary}">
    <h3>${summary}</h3>
    ${markdown(description)} ${schemas.map((schema) => memberTable(schema, 'always'))}
  </section>`;
}
