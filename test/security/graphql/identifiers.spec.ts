import { execute, memberToken, otherSite, site, somebodyElse } from './attack.js';
import { eventually } from '@lyceum/testing';
import { buildClientSchema, getIntrospectionQuery, getNamedType, isInputObjectType } from 'graphql';
import type { GraphQLInputType, IntrospectionQuery } from 'graphql';

const NOTIFICATION = '{ viewer { notifications(first: 1) { nodes { id isRead } } unreadNotificationCount } }';
const SUBSCRIPTION = '{ viewer { notificationSubscriptions(first: 1) { nodes { id active } } } }';
const COURSE = '{ viewer { enrolledCourses(first: 1) { nodes { id } } } }';
const UNKNOWN_ID = '018f0000-0000-7000-8000-000000000000';

/** Each argument that takes an id: an operation, part of its response to an unknown id, and the state to compare. */
const TRIES: Readonly<
  Record<string, { readonly attempt: string; readonly missing: string; readonly state: string; readonly list: string }>
> = {
  'MarkNotificationReadInput.notificationId': {
    missing: 'NOT_FOUND',
    attempt: `mutation ($id: ID!) { answer: markNotificationRead(input: { notificationId: $id }) {
      notification { id } userErrors { code field message } } }`,
    state: NOTIFICATION,
    list: 'notifications',
  },
  'UpdateNotificationSubscriptionInput.subscriptionId': {
    missing: 'NOT_FOUND',
    attempt: `mutation ($id: ID!) { answer: updateNotificationSubscription(input: { subscriptionId: $id, active: false }) {
      subscription { id } userErrors { code field message } } }`,
    state: SUBSCRIPTION,
    list: 'notificationSubscriptions',
  },
  'Query.node.id': {
    attempt: 'query ($id: ID!) { node(id: $id) { id } }',
    missing: '"node":null',
    state: NOTIFICATION,
    list: 'notifications',
  },
  // A lecture belongs to a course: the suites of member-api try those of other courses.
  'EnrolledCourse.lecture.id': {
    attempt: 'query ($id: ID!) { viewer { enrolledCourses(first: 1) { nodes { lecture(id: $id) { id } } } } }',
    missing: '"lecture":null',
    state: COURSE,
    list: 'enrolledCourses',
  },
  'Viewer.notification.id': {
    attempt: 'query ($id: ID!) { viewer { notification(id: $id) { id } } }',
    missing: '"notification":null',
    state: NOTIFICATION,
    list: 'notifications',
  },
  'Viewer.notificationSubscription.entityId': {
    attempt: `query ($id: ID!) { viewer {
      notificationSubscription(topic: NEW_LECTURE, entityId: $id) { id } } }`,
    missing: '"notificationSubscription":null',
    state: SUBSCRIPTION,
    list: 'notificationSubscriptions',
  },
};

let token: string;
let foreign: { readonly caller: string; readonly token: string; readonly at: typeof site }[];
beforeAll(async () => {
  token = await memberToken();
  foreign = [
    { caller: 'another member', token: await memberToken(site, somebodyElse()), at: site },
    { caller: 'a member of the other site', token: await memberToken(otherSite), at: otherSite },
  ];
});

async function firstId(state: string, list: string, { token: theirs, at }: (typeof foreign)[number]): Promise<string> {
  const found = await eventually(
    async () => {
      const { data } = await execute(state, theirs, undefined, at);
      return (data as { viewer: Record<string, { nodes: { id: string }[] }> }).viewer[list]!.nodes;
    },
    (nodes) => nodes.length > 0,
  );
  return found[0]!.id;
}

it('covers every argument that takes an id', async () => {
  const { data } = await execute(getIntrospectionQuery({ inputValueDeprecation: false }), token);
  const schema = buildClientSchema(data as IntrospectionQuery);
  const takesId = (type: GraphQLInputType): boolean => getNamedType(type).name === 'ID';
  const found = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__')) return [];
    if (isInputObjectType(type)) {
      return Object.values(type.getFields()).flatMap((field) =>
        takesId(field.type) ? [`${type.name}.${field.name}`] : [],
      );
    }
    if (!('getFields' in type)) return [];
    return Object.values(type.getFields()).flatMap((field) =>
      'args' in field
        ? field.args.flatMap((arg) => (takesId(arg.type) ? [`${type.name}.${field.name}.${arg.name}`] : []))
        : [],
    );
  });
  expect(found.toSorted()).toEqual(Object.keys(TRIES).toSorted());
});

describe.each(Object.entries(TRIES))('a foreign id as %s', (_argument, { attempt, missing: response, state, list }) => {
  it('changes nothing, and returns the same response as an unknown id', async () => {
    const { data: missing, text } = await execute(attempt, token, { id: UNKNOWN_ID });
    expect(text).toContain(response);
    for (const whose of foreign) {
      const id = await firstId(state, list, whose);
      const before = (await execute(state, whose.token, undefined, whose.at)).data;
      expect((await execute(attempt, token, { id })).data).toEqual(missing);
      expect((await execute(state, whose.token, undefined, whose.at)).data).toEqual(before);
    }
  });

  it.each([
    '',
    ' ',
    'x',
    '1',
    '../1',
    `' OR 1=1 --`,
    UNKNOWN_ID.toUpperCase(),
    `${UNKNOWN_ID} `,
    '\u0000',
    '\uD800',
    '9'.repeat(5_000),
  ])('does not fail with INTERNAL for the malformed id %j', async (id) => {
    const { status, codes } = await execute(attempt, token, { id });
    expect(status).toBe(200);
    expect(codes).not.toContain('INTERNAL');
  });
});
