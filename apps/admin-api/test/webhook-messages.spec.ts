import { randomUUID } from 'node:crypto';
import { eventually } from '@lyceum/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Webhook } from 'standardwebhooks';
import { exampleOf } from '#src/changes/public-event-data.js';
import { PUBLIC_EVENT_TYPES } from '#src/changes/public-event-types.js';
import { builtDocument } from './described.js';
import { SchoolYear } from './school-year.js';
import { DELIVERIES, WebhookSchool } from './webhook-school.js';
import type { Json } from './webhook-school.js';

interface Described {
  readonly post: {
    readonly description: string;
    readonly security: readonly unknown[];
    readonly tags: readonly string[];
    readonly requestBody: {
      readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
    };
  };
}
interface Schema {
  readonly properties: Readonly<Record<string, { $ref?: string } & Json>>;
  readonly examples?: readonly { readonly timestamp: string }[];
}
interface Message {
  readonly type: string;
  readonly object_id: string | null;
  readonly data: Json;
}

const document = JSON.parse(builtDocument('openapi.json')) as Json & {
  webhooks: Readonly<Record<string, Described>>;
  paths: Readonly<Record<string, Json>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Json>>;
  };
};
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi.json');

const nameOf = ($ref = ''): string => $ref.split('/').at(-1) ?? '';

/** Errors of a message against the schema of its type, and members of its data that the schema does not name. */
function faultsOf(message: Message): unknown[] {
  const { $ref } = document.webhooks[message.type]!.post.requestBody.content['application/json']!.schema;
  const validate = ajv.getSchema(`openapi.json${$ref}`)!;
  const valid = validate(message);
  const { data } = document.components.schemas[nameOf($ref)]!.properties;
  const { properties } = data!.$ref === undefined ? data! : document.components.schemas[nameOf(data!.$ref)]!;
  const unknown = Object.keys(message.data).filter((name) => !Object.hasOwn(properties as object, name));
  return [...(valid === true ? [] : (validate.errors ?? [])), ...unknown];
}

const school = WebhookSchool.ofFile();

it('calls the deletion of digital products reserved as long as no operation deletes one', () => {
  expect(document.paths['/api/v1/digital_products/{id}']).not.toHaveProperty('delete');
  expect(document.webhooks['digital_product.deleted']!.post.description).toContain('reserved: not sent');
});

it('dates the example of an attempt at the instant of the events', () => {
  const { example } = document.components.parameters['WebhookTimestamp']!;
  const { examples } = document.components.schemas['OrderPaidMessage']!;
  expect(Number(example) * 1_000).toBe(Date.parse(examples![0]!.timestamp));
});

/** A receiver of all types, and the verified messages that it has received. */
async function subscribed(): Promise<{ readonly id: string; readonly messages: () => Message[] }> {
  const receiver = await school.receiver();
  const { id, secret } = await school.endpoint(receiver.url, { event_types: PUBLIC_EVENT_TYPES });
  const webhook = new Webhook(secret);
  return { id, messages: () => receiver.received.map(({ body, headers }) => webhook.verify(body, headers) as Message) };
}

/** Types of which a year has no event: the clock, identity, a subscription or a download causes them. */
const CAUSED_OTHERWISE =
  /^(?:member|subscription|membership_plan|digital_product)\.|\.(?:progressed|expired|started|ended|no_show)$/;

it('describes each message that requests and commands of a school cause', async () => {
  const { id, messages } = await subscribed();
  await new SchoolYear(school.api).run();
  const expected = PUBLIC_EVENT_TYPES.filter((type) => !CAUSED_OTHERWISE.test(type));
  expect(expected.length).toBeGreaterThan(30);
  const missing = (): string[] => {
    const types = new Set(messages().map(({ type }) => type));
    return expected.filter((type) => !types.has(type));
  };
  await eventually(
    () => Promise.resolve(missing()),
    ({ length }) => length === 0,
  );
  const all = messages();
  expect(all.map((message) => [message.type, faultsOf(message)])).toEqual(all.map(({ type }) => [type, []]));
  await school.act(id, 'disable');
});

it('delivers the example of each type as its schema describes it', async () => {
  const { id, messages } = await subscribed();
  await school.api.send('POST', DELIVERIES, { body: { endpoint_id: id } });
  const events = PUBLIC_EVENT_TYPES.map((type) => school.paid({ type, data: exampleOf(type) as Json }));
  await school.publish(events);
  const published = new Set([null, ...events.map(({ object_id }) => object_id)]);
  const arrived = (): Message[] => messages().filter(({ object_id }) => published.has(object_id));
  await eventually(
    () => Promise.resolve(arrived().length),
    (count) => count === published.size,
  );
  const all = arrived();
  expect(all.map(({ type }) => type).toSorted()).toEqual(Object.keys(document.webhooks).toSorted());
  expect(all.map((message) => [message.type, faultsOf(message)])).toEqual(all.map(({ type }) => [type, []]));
});

it('finds a message that its schema does not describe', () => {
  const message = (data: Json): Message =>
    ({
      type: 'category.deleted',
      timestamp: '2026-11-20T08:00:00.000Z',
      object_id: randomUUID(),
      data,
    }) as Message;
  expect(faultsOf(message({ external_id: null, slug: 'ropes' }))).toEqual([]);
  expect(faultsOf(message({ external_id: null }))).toHaveLength(1);
  expect(faultsOf(message({ external_id: null, slug: 'ropes', name: 'Ropes' }))).toEqual(['name']);
});

it('names no scope and no tag of an operation at a message', () => {
  const all = Object.values(document.webhooks).map(({ post }) => post);
  expect(all).toHaveLength(PUBLIC_EVENT_TYPES.length + 1);
  expect(all.filter(({ security, tags }) => security.length > 0 || String(tags) !== 'webhooks')).toEqual([]);
});
